/* Dividing an amount by a tree: each node's part goes to its children by weight, none gets more
 * than is asked for below it, and what one leaves goes to its siblings (max-min fairness at every
 * level).
 *
 * Only the claims of the moment count, a few among thousands of users. So the part of the tree that
 * leads to them is linked for each division and marked with its number: nothing has to be cleaned
 * up, and the cost is that of the claims and the nodes above them. */
#include "control/tree.h"
#include "base/arena.h"
#include "base/maths.h"
#include "base/mem.h"
#include "policy/fill.h"
#include <stdlib.h>
#include <string.h>

struct tree_node {
    double weight;
    uint32_t parent;
    uint32_t next; /* among its siblings in the division; of those removed, the next one */
    /* While an amount is divided, valid if `round` is the tree's: */
    uint32_t round, first; /* child */
    uint32_t claim;        /* of a leaf, else TREE_NONE */
    double demand, part;
};

/* Where a name leads. */
struct tree_name {
    const char *account, *user; /* either may be NULL */
    uint32_t node;
    struct tree_name *next; /* with the same hash */
};

enum { TREE_HASHES = 4096 };

struct tree {
    const struct shares *shares;
    struct tree_node *nodes;
    size_t count, capacity;
    uint32_t removed; /* the first of them */
    uint32_t round;
    uint32_t *queue; /* room for a division, */
    struct fill_part *parts;
    size_t queue_capacity, parts_capacity;                        /* for as many nodes */
    struct tree_name *accounts[TREE_HASHES], *names[TREE_HASHES]; /* of leaves, as in the tree */
    struct tree_name *places[TREE_HASHES];                        /* of leaves, as given */
    struct arena arena;
};

/* --- nodes ------------------------------------------------------------------------------------ */

static int tree_reserve(struct tree *tree, size_t count)
{
    void *nodes = mem_reserve(tree->nodes, &tree->capacity, count, sizeof *tree->nodes);
    if (nodes)
        tree->nodes = nodes;
    void *queue = mem_reserve(tree->queue, &tree->queue_capacity, count, sizeof *tree->queue);
    if (queue)
        tree->queue = queue;
    void *parts = mem_reserve(tree->parts, &tree->parts_capacity, count, sizeof *tree->parts);
    if (parts)
        tree->parts = parts;
    return nodes && queue && parts ? 0 : -1;
}

uint32_t tree_add(struct tree *tree, uint32_t parent, double weight)
{
    uint32_t node = tree->removed;
    if (node != TREE_NONE)
        tree->removed = tree->nodes[node].next;
    else if (tree->count < TREE_NONE && tree_reserve(tree, tree->count + 1) == 0)
        node = (uint32_t)tree->count++;
    else
        return TREE_NONE;
    tree->nodes[node] = (struct tree_node){.weight = weight, .parent = parent};
    return node;
}

void tree_remove(struct tree *tree, uint32_t node)
{
    tree->nodes[node].next = tree->removed;
    tree->removed = node;
}

void tree_weigh(struct tree *tree, uint32_t node, double weight)
{
    tree->nodes[node].weight = weight;
}

const struct shares *tree_shares(const struct tree *tree)
{
    return tree->shares;
}

uint32_t tree_parent(const struct tree *tree, uint32_t node)
{
    return tree->nodes[node].parent;
}

uint32_t tree_count(const struct tree *tree)
{
    return (uint32_t)tree->count;
}

struct tree *tree_new(const struct shares *shares)
{
    struct tree *tree = mem_alloc(1, sizeof *tree);
    if (!tree)
        return NULL;
    tree->shares = shares_copy(shares, &tree->arena);
    tree->removed = TREE_NONE;
    if (tree->shares && tree_add(tree, TREE_NONE, 1) == TREE_ROOT)
        return tree;
    tree_free(tree);
    return NULL;
}

void tree_free(struct tree *tree)
{
    if (!tree)
        return;
    free(tree->nodes);
    free(tree->queue);
    free(tree->parts);
    arena_fini(&tree->arena);
    free(tree);
}

/* --- names ------------------------------------------------------------------------------------ */

static uint32_t tree_hash(uint32_t hash, const char *text)
{
    for (; text && *text; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash * 31;
}

static bool tree_same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* The list in which the name stands, if it does. */
static struct tree_name **tree_list(struct tree_name **lists, const char *account, const char *user)
{
    return &lists[tree_hash(tree_hash(2166136261u, account), user) % TREE_HASHES];
}

static uint32_t tree_find(struct tree_name *name, const char *account, const char *user)
{
    while (name && !(tree_same(name->account, account) && tree_same(name->user, user)))
        name = name->next;
    return name ? name->node : TREE_NONE;
}

static int tree_copy(struct tree *tree, const char **into, const char *text)
{
    *into = text ? arena_strndup(&tree->arena, text, strlen(text)) : NULL;
    return *into || !text ? 0 : -1;
}

/* Notes where a name leads. Returns the node, or TREE_NONE when memory is out. */
static uint32_t tree_note(struct tree *tree, struct tree_name **list, struct tree_name name)
{
    struct tree_name *entry = arena_alloc(&tree->arena, 1, sizeof *entry);
    if (!entry || name.node == TREE_NONE || tree_copy(tree, &entry->account, name.account) != 0 ||
        tree_copy(tree, &entry->user, name.user) != 0)
        return TREE_NONE;
    entry->node = name.node;
    entry->next = *list;
    *list = entry;
    return name.node;
}

/* The node of an account, made with those above it if need be: as deep as accounts may stand. */
static uint32_t tree_account(struct tree *tree, const char *account)
{
    if (!account || !shares_have(tree->shares, SHARE_ACCOUNT))
        return TREE_ROOT;
    struct tree_name **list = tree_list(tree->accounts, account, NULL);
    uint32_t node = tree_find(*list, account, NULL);
    if (node != TREE_NONE)
        return node;
    const struct share_account *listed = shares_account(tree->shares, account);
    uint32_t parent = tree_account(tree, listed ? listed->parent : NULL);
    if (parent == TREE_NONE)
        return TREE_NONE;
    node = tree_add(tree, parent, listed ? listed->weight : 1);
    return tree_note(tree, list, (struct tree_name){.account = account, .node = node});
}

/* The leaf of a user in an account, made if need be. Without a user it holds all of an account, or
 * those of unknown users, beside the accounts that are parts of it. */
static uint32_t tree_leaf(struct tree *tree, const char *account, const char *user)
{
    struct tree_name **list = tree_list(tree->names, account, user);
    uint32_t node = tree_find(*list, account, user);
    uint32_t parent = node == TREE_NONE ? tree_account(tree, account) : TREE_NONE;
    if (parent == TREE_NONE)
        return node;
    /* Without accounts in the tree, the user's first one counts. */
    const struct shares *shares = tree->shares;
    bool everywhere = user && !shares_have(shares, SHARE_ACCOUNT);
    const char *home = everywhere ? shares_account_of(shares, user) : account;
    const struct share_user *listed = user ? shares_user(shares, user, home) : NULL;
    node = tree_add(tree, parent, listed ? listed->weight : 1);
    return tree_note(tree, list,
                     (struct tree_name){.account = account, .user = user, .node = node});
}

uint32_t tree_place(struct tree *tree, const char *account, const char *user)
{
    const struct shares *shares = tree->shares;
    bool by_account = shares_have(shares, SHARE_ACCOUNT), by_user = shares_have(shares, SHARE_USER);
    if (!by_user && !by_account)
        return TREE_ROOT;
    struct tree_name **list = tree_list(tree->places, account, user);
    uint32_t node = tree_find(*list, account, user);
    if (node != TREE_NONE)
        return node;
    const char *home = account || !user ? account : shares_account_of(shares, user);
    node = tree_leaf(tree, by_account ? home : NULL, by_user ? user : NULL);
    return tree_note(tree, list,
                     (struct tree_name){.account = account, .user = user, .node = node});
}

void tree_match(struct tree *tree, const struct tree *old, tree_pair *pair, void *context)
{
    if (tree->shares->levels != old->shares->levels)
        return;
    for (uint32_t i = 0; i < TREE_HASHES; i++) {
        for (const struct tree_name *name = old->accounts[i]; name; name = name->next) {
            uint32_t node = tree_account(tree, name->account);
            if (node != TREE_NONE)
                pair(context, node, name->node);
        }
        for (const struct tree_name *name = old->names[i]; name; name = name->next) {
            uint32_t node = tree_leaf(tree, name->account, name->user);
            if (node != TREE_NONE)
                pair(context, node, name->node);
        }
    }
}

/* --- dividing --------------------------------------------------------------------------------- */

/* Links a claim's node into the part of the tree that takes part, and adds what it asks for. */
static void tree_link(struct tree *tree, uint32_t claim, uint32_t leaf, double most)
{
    struct tree_node *nodes = tree->nodes;
    bool fresh = true;
    nodes[leaf].round = tree->round;
    nodes[leaf].claim = claim;
    nodes[leaf].demand = most;
    /* Up to the root in any case: the demand has to be added all the way. */
    for (uint32_t child = leaf; child != TREE_ROOT; child = nodes[child].parent) {
        struct tree_node *parent = &nodes[nodes[child].parent];
        bool linked = !fresh;
        fresh = parent->round != tree->round;
        if (fresh) {
            parent->round = tree->round;
            parent->claim = parent->first = TREE_NONE;
            parent->demand = 0;
        }
        if (!linked) {
            nodes[child].next = parent->first;
            parent->first = child;
        }
        parent->demand += most;
    }
}

/* Divides a node's part among its children, and appends these to the queue. */
static uint32_t tree_split(struct tree *tree, const struct tree_node *node, uint32_t tail)
{
    struct tree_node *nodes = tree->nodes;
    uint32_t count = 0;
    for (uint32_t child = node->first; child != TREE_NONE; child = nodes[child].next)
        tree->parts[count++] = (struct fill_part){nodes[child].weight, nodes[child].demand};
    double level = fill_level(tree->parts, count, node->part);
    for (uint32_t child = node->first; child != TREE_NONE; child = nodes[child].next) {
        nodes[child].part = maths_min(nodes[child].demand, nodes[child].weight * level);
        tree->queue[tail++] = child;
    }
    return tail;
}

void tree_divide(struct tree *tree, struct tree_claim *claims, uint32_t count, double amount)
{
    struct tree_node *root = &tree->nodes[TREE_ROOT];
    if (count == 0)
        return;
    tree->round++;
    for (uint32_t i = 0; i < count; i++)
        tree_link(tree, i, claims[i].node, claims[i].most);
    root->part = maths_min(amount, root->demand);
    /* Level by level: a node's part is known before those of its children. */
    uint32_t tail = 0;
    tree->queue[tail++] = TREE_ROOT;
    for (uint32_t head = 0; head < tail; head++) {
        const struct tree_node *node = &tree->nodes[tree->queue[head]];
        if (node->claim != TREE_NONE)
            claims[node->claim].part = node->part;
        else
            tail = tree_split(tree, node, tail);
    }
}

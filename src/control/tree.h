/* A tree of weights that divides an amount: among the children of a node by their weights, none
 * more than those below it can use; what they cannot use goes to the others. It knows neither
 * strategies nor time. */
#ifndef WEIR_CONTROL_TREE_H
#define WEIR_CONTROL_TREE_H

#include "model/shares.h"
#include <stdint.h>

struct tree;

#define TREE_NONE UINT32_MAX
#define TREE_ROOT 0u

/* An empty tree by a copy of these shares. NULL when memory is out. */
struct tree *tree_new(const struct shares *shares);
void tree_free(struct tree *tree); /* NULL is fine */

/* The node of a user in an account, or of what is known of them (either may be NULL), as far as the
 * tree has these levels; it is made if need be, and stays. The root if there is nothing. TREE_NONE
 * when memory is out. Texts are copied. */
uint32_t tree_place(struct tree *tree, const char *account, const char *user);

/* Tells the nodes of accounts and users in an older tree, and those of the same names here, which
 * are made if need be, except where memory is out. Trees with other levels have none in common. */
typedef void tree_pair(void *context, uint32_t node, uint32_t before);
void tree_match(struct tree *tree, const struct tree *old, tree_pair *pair, void *context);

/* A child of a node, with this weight, > 0; tree_remove takes it away. TREE_NONE when memory is
 * out. */
uint32_t tree_add(struct tree *tree, uint32_t parent, double weight);
void tree_remove(struct tree *tree, uint32_t node);

/* Gives a node another weight, > 0. */
void tree_weigh(struct tree *tree, uint32_t node, double weight);

/* The tree's own copy. */
const struct shares *tree_shares(const struct tree *tree);

/* The node above another, TREE_NONE of the root; and how many there are: all are below that. */
uint32_t tree_parent(const struct tree *tree, uint32_t node);
uint32_t tree_count(const struct tree *tree);

/* What a leaf asks for, and gets. No claim is on one twice. */
struct tree_claim {
    uint32_t node;
    double most; /* > 0 */
    double part;
};

/* Divides the amount, >= 0: fills in the parts, which add up to it, or to all that is asked for.
 * Allocates nothing. O(claims * depth). */
void tree_divide(struct tree *tree, struct tree_claim *claims, uint32_t count, double amount);

#endif

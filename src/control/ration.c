/* Two ways to keep the shares of parties, depending on the strategy.
 *
 * One that divides at every moment (fair-share) is asked what it would give, and the tree divides
 * the sum of that: shares hold at every instant. One that serves I/Os in an order would no longer
 * be itself if each got a part. So it decides as ever, and an account is kept of how many bytes
 * each party is ahead of its share. A party that is ahead by the slack, the bandwidth of one
 * period, is held: the strategy does not see its I/Os until the others have caught up. Shares then
 * hold over periods, and inside them the strategy does what it is good at. */
#include "control/ration.h"
#include "base/maths.h"
#include "base/mem.h"
#include "control/state.h"
#include <assert.h>
#include <stdlib.h>

/* A party is as far ahead as it may be, or not at all, to this part of the slack: rounding of times
 * stays below it, so that a timer is never a little early. */
#define NEARLY 1e-6

/* --- making and freeing ----------------------------------------------------------------------- */

struct ration *ration_new(const struct shares *shares, double bandwidth, uint32_t capacity)
{
    struct ration *r = mem_alloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->slack = shares->period * bandwidth;
    r->tree = tree_new(shares);
    r->party = mem_alloc(capacity, sizeof *r->party);
    r->next = mem_alloc(capacity, sizeof *r->next);
    r->wish = mem_alloc(capacity, sizeof *r->wish);
    r->shared = mem_alloc(capacity, sizeof *r->shared);
    r->wanting = mem_alloc(capacity, sizeof *r->wanting);
    r->claims = mem_alloc(capacity, sizeof *r->claims);
    r->parts = mem_alloc(capacity, sizeof *r->parts);
    if (r->tree && r->party && r->next && r->wish && r->shared && r->wanting && r->claims &&
        r->parts) {
        for (uint32_t id = 0; id < capacity; id++)
            r->party[id] = CONTROL_NONE;
        return r;
    }
    ration_free(r);
    return NULL;
}

void ration_free(struct ration *r)
{
    if (!r)
        return;
    tree_free(r->tree);
    free(r->parties);
    free(r->party);
    free(r->next);
    free(r->wish);
    free(r->shared);
    free(r->wanting);
    free(r->above);
    free(r->claims);
    free(r->parts);
    free(r);
}

/* Room for all nodes of the tree; -1 when memory is out. */
static int ration_make_room(struct ration *r)
{
    size_t count = tree_count(r->tree), known = r->party_capacity;
    uint32_t *above = mem_reserve(r->above, &r->above_capacity, count, sizeof *above);
    if (above)
        r->above = above;
    struct ration_party *parties =
        mem_reserve(r->parties, &r->party_capacity, count, sizeof *parties);
    if (!above || !parties)
        return -1;
    r->parties = parties;
    for (; known < r->party_capacity; known++)
        parties[known] = (struct ration_party){.first = CONTROL_NONE};
    return 0;
}

/* The weight of an application where shares are by size. */
static double ration_size(double nodes)
{
    return nodes > 0 ? nodes : 1;
}

int ration_place(struct ration *r, uint32_t id, const struct control_party *party)
{
    const struct shares *shares = tree_shares(r->tree);
    bool by_size = shares_have(shares, SHARE_SIZE);
    bool alone = by_size || shares_have(shares, SHARE_APPLICATION);
    uint32_t leaf = tree_place(r->tree, party->account, party->user);
    if (leaf != TREE_NONE && alone)
        leaf = tree_add(r->tree, leaf, by_size ? ration_size(party->nodes) : 1);
    if (leaf == TREE_NONE || ration_make_room(r) != 0)
        return -1;
    if (alone) {
        r->parties[leaf] = (struct ration_party){.first = CONTROL_NONE};
        if (r->party[id] != CONTROL_NONE)
            tree_remove(r->tree, r->party[id]);
    }
    r->party[id] = leaf;
    return 0;
}

void ration_resize(struct ration *r, uint32_t id, double nodes)
{
    if (shares_have(tree_shares(r->tree), SHARE_SIZE))
        tree_weigh(r->tree, r->party[id], ration_size(nodes));
}

/* --- bookkeeping ------------------------------------------------------------------------------ */

struct ration_heir {
    struct ration *now;
    const struct ration *before;
};

/* A party goes on where its namesake was. */
static void ration_inherit(void *context, uint32_t node, uint32_t before)
{
    const struct ration_heir *heir = context;
    if (before >= heir->before->party_capacity || ration_make_room(heir->now) != 0)
        return;
    heir->now->parties[node].ahead = heir->before->parties[before].ahead;
    heir->now->parties[node].held = heir->before->parties[before].held;
}

void ration_adopt(struct ration *r, const struct ration *old, uint32_t capacity)
{
    struct ration_heir heir = {r, old};
    unsigned levels = tree_shares(r->tree)->levels;
    tree_match(r->tree, old->tree, ration_inherit, &heir);
    if (levels != tree_shares(old->tree)->levels ||
        !(levels & (1u << SHARE_APPLICATION | 1u << SHARE_SIZE)))
        return;
    for (uint32_t id = 0; id < capacity; id++)
        if (r->party[id] != CONTROL_NONE && old->party[id] != CONTROL_NONE)
            ration_inherit(&heir, r->party[id], old->party[id]);
}

double ration_ahead(const struct ration *r, uint32_t id, double now)
{
    double most = -INFINITY;
    for (uint32_t node = r->party[id]; node != TREE_ROOT; node = tree_parent(r->tree, node)) {
        const struct ration_party *party = &r->parties[node];
        most = maths_max(most, party->ahead + (party->rate - party->due) * (now - r->since));
    }
    return most > -INFINITY ? most : 0;
}

/* The parties that take part in the last decision: leaves first. */
static struct ration_party *ration_involved(const struct ration *r, uint32_t i)
{
    uint32_t leaves = r->wanting_count;
    return &r->parties[i < leaves ? r->wanting[i] : r->above[i - leaves]];
}

static uint32_t ration_involved_count(const struct ration *r)
{
    return r->wanting_count + r->above_count;
}

void ration_elapse(struct ration *r, double now)
{
    if (now == r->since)
        return;
    /* Rates and parts have been constant since the last decision. A party that wants nothing is due
     * nothing: what it left unused is not owed to it later. */
    for (uint32_t i = 0; i < ration_involved_count(r); i++) {
        struct ration_party *party = ration_involved(r, i);
        party->ahead += (party->rate - party->due) * (now - r->since);
    }
    r->since = now;
}

/* A leaf wants bandwidth, and with it those above it, but the root. */
static void ration_involve(struct ration *r, uint32_t leaf)
{
    r->wanting[r->wanting_count++] = leaf;
    r->parties[leaf].wanting = true;
    for (uint32_t node = tree_parent(r->tree, leaf); node != TREE_ROOT && !r->parties[node].wanting;
         node = tree_parent(r->tree, node)) {
        r->above[r->above_count++] = node;
        r->parties[node].wanting = true;
    }
}

/* Finds the parties that want bandwidth, and lists the applications of leaves. */
static void ration_gather(struct control *c)
{
    struct ration *r = c->ration;
    /* Only those of the last decision have anything to forget: parties may be thousands. */
    for (uint32_t i = 0; i < ration_involved_count(r); i++) {
        struct ration_party *party = ration_involved(r, i);
        party->first = CONTROL_NONE;
        party->wanting = false;
        party->bmax = party->rate = party->due = 0;
    }
    r->wanting_count = r->above_count = 0;
    for (uint32_t i = 0; i < c->view.active_count; i++) {
        uint32_t id = c->active[i];
        struct ration_party *party = &r->parties[r->party[id]];
        if (!party->wanting)
            ration_involve(r, r->party[id]);
        r->next[id] = party->first;
        party->first = id;
        party->bmax += c->runs[id].app->bmax;
    }
}

/* Whether a leaf is held, or one above it. */
static bool ration_is_held(const struct ration *r, uint32_t node)
{
    while (node != TREE_ROOT && !r->parties[node].held)
        node = tree_parent(r->tree, node);
    return node != TREE_ROOT;
}

bool ration_hides(const struct ration *r, uint32_t id)
{
    return ration_is_held(r, r->party[id]);
}

/* Divides an amount by the tree among all that want it, or only among those that are hidden. */
static uint32_t ration_divide(struct ration *r, bool hidden_only, double amount)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->wanting_count; i++) {
        const struct ration_party *party = &r->parties[r->wanting[i]];
        if (!hidden_only || party->hidden)
            r->claims[count++] = (struct tree_claim){.node = r->wanting[i], .most = party->bmax};
    }
    tree_divide(r->tree, r->claims, count, amount);
    return count;
}

/* --- strategies that divide ------------------------------------------------------------------- */

/* What the strategy would give. */
static double ration_wish(const struct control *c, uint32_t id)
{
    const struct ration *r = c->ration;
    return r->shared[id] ? r->wish[id] * c->view.scale : r->wish[id];
}

/* Divides a party's part among its applications in proportion to their wishes. */
static void ration_spread(struct control *c, const struct ration_party *party, double part)
{
    struct ration *r = c->ration;
    uint32_t count = 0;
    for (uint32_t id = party->first; id != CONTROL_NONE; id = r->next[id])
        r->parts[count++] = (struct fill_part){ration_wish(c, id), c->runs[id].app->bmax};
    double level = fill_level(r->parts, count, part);
    count = 0;
    for (uint32_t id = party->first; id != CONTROL_NONE; id = r->next[id], count++) {
        const struct fill_part *share = &r->parts[count];
        double rate = share->weight > 0 ? maths_min(share->most, share->weight * level) : 0;
        /* Rounding changes no rate. */
        if (!weir_equal(rate, c->runs[id].rate))
            control_apply(c, id, rate, false);
    }
}

static void ration_share_out(struct control *c)
{
    struct ration *r = c->ration;
    double total = 0;
    control_ask(c);
    for (uint32_t i = 0; i < c->view.active_count; i++)
        total += ration_wish(c, c->active[i]);
    uint32_t count = ration_divide(r, false, maths_min(total, c->view.bandwidth));
    for (uint32_t i = 0; i < count; i++)
        ration_spread(c, &r->parties[r->claims[i].node], r->claims[i].part);
}

/* --- strategies that order -------------------------------------------------------------------- */

/* Notes which parties are to be held. If that are all, no leaf is hidden. */
static void ration_mark(struct ration *r)
{
    bool others = false;
    /* Two thresholds, so that a party is held for a while instead of at every other decision. */
    for (uint32_t i = 0; i < ration_involved_count(r); i++) {
        struct ration_party *party = ration_involved(r, i);
        if (party->ahead >= r->slack * (1 - NEARLY))
            party->held = true;
        else if (party->ahead <= r->slack * NEARLY)
            party->held = false;
    }
    for (uint32_t i = 0; i < r->wanting_count; i++) {
        struct ration_party *leaf = &r->parties[r->wanting[i]];
        leaf->hidden = ration_is_held(r, r->wanting[i]);
        others |= !leaf->hidden;
    }
    for (uint32_t i = 0; i < r->wanting_count && !others; i++)
        r->parties[r->wanting[i]].hidden = false;
}

/* Lets the strategy see the I/Os of those that are not hidden, and with `all` the others' too. */
static void ration_reveal(struct control *c, bool all)
{
    struct ration *r = c->ration;
    for (uint32_t i = 0; i < r->wanting_count; i++) {
        const struct ration_party *party = &r->parties[r->wanting[i]];
        unsigned state = party->hidden && !all ? WEIR_HELD : WEIR_ACTIVE;
        for (uint32_t id = party->first; id != CONTROL_NONE; id = r->next[id]) {
            if (c->runs[id].state == state)
                continue;
            /* A strategy that keeps rates must not find one that it did not give. */
            if (state == WEIR_HELD) {
                control_hide(c, id);
                control_apply(c, id, 0, false);
            } else {
                control_apply(c, id, 0, false);
                control_show(c, id);
            }
        }
    }
}

static double ration_granted(const struct control *c)
{
    double total = 0;
    for (uint32_t i = 0; i < c->visible_count; i++)
        total += c->runs[c->active[i]].rate;
    return total;
}

/* Lends what is left to those that are hidden. */
static void ration_lend(struct control *c, double left)
{
    struct ration *r = c->ration;
    uint32_t count = ration_divide(r, true, left > 0 ? left : 0);
    for (uint32_t i = 0; i < count; i++) {
        const struct ration_party *party = &r->parties[r->claims[i].node];
        double factor = r->claims[i].part / party->bmax;
        for (uint32_t id = party->first; id != CONTROL_NONE; id = r->next[id])
            control_apply(c, id, c->runs[id].app->bmax * maths_min(1, factor), false);
    }
}

/* A strategy that grants nothing may wait for one that is held; then nothing is gained by that. One
 * that leaves bandwidth unused on purpose lends none. */
static void ration_put_in_order(struct control *c)
{
    ration_mark(c->ration);
    ration_reveal(c, false);
    control_ask(c);
    if (c->visible_count == c->view.active_count)
        return;
    double granted = ration_granted(c);
    if (granted > 0) {
        if (c->ops->flags & WEIR_WORK_CONSERVING)
            ration_lend(c, weir_bandwidth(&c->view, c->view.active_count) - granted);
        return;
    }
    ration_reveal(c, true);
    control_ask(c);
}

/* When the first party will be as far ahead as it may be, or one that is held not ahead. */
static double ration_next(const struct ration *r)
{
    double soonest = INFINITY;
    for (uint32_t i = 0; i < ration_involved_count(r); i++) {
        const struct ration_party *party = ration_involved(r, i);
        double pace = party->rate - party->due;
        if (party->held ? pace < 0 : pace > 0)
            soonest = maths_min(soonest, ((party->held ? 0 : r->slack) - party->ahead) / pace);
    }
    return r->since + soonest;
}

/* Notes what each party has been granted, and what its part of that is. */
static void ration_note(struct control *c)
{
    struct ration *r = c->ration;
    double total = 0;
    for (uint32_t i = 0; i < c->view.active_count; i++) {
        r->parties[r->party[c->active[i]]].rate += c->runs[c->active[i]].rate;
        total += c->runs[c->active[i]].rate;
    }
    /* Of what is granted, not of all the bandwidth: what the strategy leaves unused is no debt. */
    uint32_t count = ration_divide(r, false, total);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t leaf = r->claims[i].node;
        r->parties[leaf].due = r->claims[i].part;
        for (uint32_t node = tree_parent(r->tree, leaf); node != TREE_ROOT;
             node = tree_parent(r->tree, node)) {
            r->parties[node].rate += r->parties[leaf].rate;
            r->parties[node].due += r->claims[i].part;
        }
    }
}

void ration_decide(struct control *c)
{
    ration_gather(c);
    if (c->view.active_count == 0)
        return; /* no party is due anything while none wants it */
    if (control_divides(c)) {
        ration_share_out(c);
        return;
    }
    ration_put_in_order(c);
    ration_note(c);
    double next = ration_next(c->ration);
    if (next > c->view.now)
        c->wake = maths_min(c->wake, next);
}

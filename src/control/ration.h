/* Shares on top of a strategy: which I/Os it sees, and what its grants become, so that the
 * bandwidth of accounts and users follows a tree of weights (control/tree.h, docs/reference/shares.md).
 *
 * The nodes of the tree are parties, each with those below it. Under a strategy that divides, each
 * gets its part of what is granted in all, at every moment, and the applications of a leaf divide
 * theirs in proportion to what the strategy grants them. A strategy that orders is free, until a
 * party has received more than its part by the period's worth of bandwidth. Then that party is
 * held: until it has made up for it, the strategy does not see its I/Os, and it gets only what the
 * others cannot use.
 *
 * For the files of this room only. */
#ifndef WEIR_CONTROL_RATION_H
#define WEIR_CONTROL_RATION_H

#include "control/control.h"
#include "control/tree.h"
#include "policy/fill.h"

struct ration_party {
    uint32_t first; /* of a leaf's active applications, a list by `next` */
    bool wanting;   /* it has active applications */
    bool held;      /* it is to make up for what it received */
    bool hidden;    /* of a leaf: it is, or one above it */
    double bmax;    /* of a leaf's active applications together */
    double rate;    /* that its applications hold since the last decision, */
    double due;     /* and its part of all that was granted then */
    double ahead;   /* bytes received beyond its part so far; negative if less */
};

struct ration {
    struct tree *tree;
    double slack;                 /* bytes that a party may be ahead */
    double since;                 /* time up to which `ahead` is */
    struct ration_party *parties; /* by node of the tree */
    size_t party_capacity;
    /* By application: */
    uint32_t *party, *next; /* its leaf, or CONTROL_NONE */
    double *wish;           /* what a strategy that divides granted, */
    bool *shared;           /* times the scale */
    /* The leaves with active applications, and the parties above them. */
    uint32_t *wanting, wanting_count, *above, above_count;
    size_t above_capacity;
    /* Room for a decision: */
    struct tree_claim *claims;
    struct fill_part *parts;
};

/* NULL when memory is out. */
struct ration *ration_new(const struct shares *shares, double bandwidth, uint32_t capacity);
void ration_free(struct ration *ration); /* NULL is fine */

/* 0, or -1 when memory is out. */
int ration_place(struct ration *ration, uint32_t id, const struct control_party *party);

/* A placed application has another number of nodes. */
void ration_resize(struct ration *ration, uint32_t id, double nodes);

/* Continues the accounts of another one, of these applications among others. What memory lacks for
 * begins again. */
void ration_adopt(struct ration *ration, const struct ration *old, uint32_t capacity);

/* The bytes that an application's party is ahead of its part at `now`, or the one above it that is
 * further ahead. */
double ration_ahead(const struct ration *ration, uint32_t id, double now);

/* Brings `ahead` to `now`, not before `since`. */
void ration_elapse(struct ration *ration, double now);

/* Whether the I/O that an application posts is kept from the strategy, until the next decision. */
bool ration_hides(const struct ration *ration, uint32_t id);

/* The whole of a decision. Never inlined: where there are no shares, a decision is short. */
__attribute__((noinline)) void ration_decide(struct control *control);

#endif

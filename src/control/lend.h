/* Lends bandwidth that an application is granted and cannot use, in proportion: a program that
 * computes between its calls uses a part of its grant only, and the rest is of use to others.
 *
 * A pure function of what a strategy has decided. The strategy knows nothing of it, so that its
 * order stays the same, and what is lent can be taken back at any time.
 *
 * - Each lends what it is granted beyond what it needs and LEND_ROOM of that; all the same part of
 *   it, if the others can use less.
 * - Those that are granted something and can use more get it in proportion to what they are
 *   granted: under a strategy that divides, everybody's part grows alike, and under one that orders
 *   there is only one of them, the next in the order. What they cannot use goes to those that wait,
 *   in the order of their posts; of equals to the one with the lowest number.
 *
 * The sum stays the same, nobody gets more than it can have, and if nobody can use more, nothing
 * changes. */
#ifndef WEIR_CONTROL_LEND_H
#define WEIR_CONTROL_LEND_H

#include <stdint.h>

/* What is left to a lender beyond its need, which may be about to grow. */
#define LEND_ROOM 0.02

struct lend_claim {
    double rate;   /* bytes/s: what was decided becomes what is granted */
    double need;   /* that it can use, > 0; INFINITY = all */
    double most;   /* that it can have */
    double posted; /* when its I/O began */
    uint32_t id;
};

/* Brings the claims into another order. O(n log n). */
void lend(struct lend_claim *claims, uint32_t count);

#endif

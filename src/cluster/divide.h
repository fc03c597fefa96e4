/* Divides an amount fairly, by what each can use. */
#ifndef WEIR_CLUSTER_DIVIDE_H
#define WEIR_CLUSTER_DIVIDE_H

#include <stdint.h>

struct divide_claim {
    double need; /* what it is known to use, 0 <= need <= most */
    double most; /* what it can use at most */
    double part; /* what it gets */
    void *of;    /* for the caller */
};

/* Divides the amount, >= 0: max-min fair up to what each needs; then the rest, max-min fair up to
 * the most. The parts add up to the amount, or to all that can be used; not to more, except for
 * rounding. The claims are put in another order. O(n log n). */
void divide(struct divide_claim *claims, uint32_t count, double amount);

#endif

/* Random small scenarios, and strategies written as plainly as their definitions. */
#ifndef WEIR_TESTS_PROPERTY_COMMON_H
#define WEIR_TESTS_PROPERTY_COMMON_H

#include "support/small.h"

/* What a scenario may have; the rest is always there. */
enum dice_flags {
    DICE_GRID = 1,       /* small whole numbers: many ties */
    DICE_FULL = 2,       /* every bmax is B */
    DICE_SAME = 4,       /* every bmax is the same */
    DICE_RELEASES = 8,   /* some are released later, some have been running before */
    DICE_WINDOW = 16,    /* maybe a window */
    DICE_IDENTICAL = 32, /* some applications are copies of the one before */
    DICE_MANY = 64,      /* 40 to 75 applications instead of 1 to 6 */
    DICE_CURVE = 128,    /* the store loses bandwidth by the number of its users */
    DICE_HEALTH = 256,   /* its bandwidth varies */
};

/* Fills in a scenario that depends on the seed and the flags only. */
void dice_roll(struct small *small, uint32_t seed, unsigned flags);

/* A naive twin of a strategy of the registry. */
struct twin {
    const char *name;
    struct weir_policy_ops ops;
};
extern const struct twin twins[]; /* ends with name = NULL */

/* Two of them, in a file of their own; of the second, `first` is the order that is tried first. */
void twin_critical_yield(void *state, const struct weir_view *view, struct weir_grants *grants);
void twin_clearing(const struct weir_view *view, struct weir_grants *grants, const uint32_t *first,
                   const double *lengths);

#endif

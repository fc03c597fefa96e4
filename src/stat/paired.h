/* Two treatments of the same cases, one pair of values per case: the difference is surer than the
 * two means are, because what the cases have in common cancels out. */
#ifndef WEIR_STAT_PAIRED_H
#define WEIR_STAT_PAIRED_H

#include "stat/summary.h"
#include <stdbool.h>

/* Pairs one after the other; zeroed, there are none. */
struct paired {
    struct summary difference; /* value - baseline */
    size_t above, equal;       /* pairs in which the value is above the baseline, and equal to it */
};

/* Values that differ by less than this, relative, are equal: rounding, and what an ensemble
 * perturbs its input by. */
#define PAIRED_EQUAL 1e-8

/* A pair in which either is NAN is left out; equal values have the difference 0. */
void paired_add(struct paired *paired, double value, double baseline);

/* The part of pairs, 0 to 1, in which the value is better than the baseline, above it if `higher`
 * is better, else below. Equal pairs count half. NAN if there are none. */
double paired_win_rate(const struct paired *paired, bool higher);

/* Whether the mean difference is distinguishable from 0: known only from two pairs on. */
enum paired_verdict {
    PAIRED_UNKNOWN,     /* fewer than two pairs */
    PAIRED_INDISTINCT,  /* the 95 % interval of the mean difference includes 0 */
    PAIRED_SIGNIFICANT, /* it does not */
};
enum paired_verdict paired_judge(const struct paired *paired);

#endif

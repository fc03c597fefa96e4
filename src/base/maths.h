/* Elementary functions that give the same bits on every machine.
 *
 * The C library's log and exp differ in the last bit between versions and processors (it picks
 * variants with fused multiply-add at run time). These use only + - * / and sqrt and so do not;
 * log and exp are within 2 units in the last place. */
#ifndef WEIR_BASE_MATHS_H
#define WEIR_BASE_MATHS_H

#include <float.h>

/* Times that are the same but were computed in two ways differ by less than this, relative: 4 to 8
 * units in the last place. */
#define MATHS_ROUNDING (4 * DBL_EPSILON)

/* As in <math.h>, special cases included; errno does not change. */
double maths_log(double x);
double maths_exp(double x);

/* The x below which a standard normal variable lies with probability 0 < p < 1, to about 1e-15
 * relative (Wichura, Algorithm AS 241, 1988). */
double maths_normal_quantile(double p);

/* fmin and fmax without their treatment of NAN, which makes them calls into the library. */
static inline double maths_min(double a, double b)
{
    return a < b ? a : b;
}
static inline double maths_max(double a, double b)
{
    return a > b ? a : b;
}

/* A sum that can be added to and subtracted from for ever without drifting: `low` gathers what
 * rounding takes from `high`, exactly, whichever of the two is larger (Knuth's two-sum). */
struct sum {
    double high, low;
};
static inline void sum_add(struct sum *sum, double x)
{
    double high = sum->high, total = high + x, added = total - high;
    sum->low += (high - (total - added)) + (x - added);
    sum->high = total;
}
static inline double sum_value(const struct sum *sum)
{
    return sum->high + sum->low;
}

/* Two sums at once. */
typedef double maths_pair __attribute__((vector_size(2 * sizeof(double))));
struct pair_sum {
    maths_pair high, low;
};
static inline void pair_sum_add(struct pair_sum *sum, double x, double y)
{
    maths_pair more = {x, y}, high = sum->high, total = high + more, added = total - high;
    sum->low += (high - (total - added)) + (more - added);
    sum->high = total;
}
static inline double pair_sum_value(const struct pair_sum *sum, int index)
{
    return sum->high[index] + sum->low[index];
}

#endif

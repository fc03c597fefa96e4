/* Mean and spread of a sample, and how sure the mean is.
 *
 * NAN, a measure without a meaning, is left out wherever values are added. Adding the same values
 * in the same order gives the same bits. */
#ifndef WEIR_STAT_SUMMARY_H
#define WEIR_STAT_SUMMARY_H

#include <stddef.h>

#define STAT_CONFIDENCE 0.95

/* Values one after the other; zeroed, there are none. */
struct summary {
    size_t count;
    double mean;    /* of those added, 0 if there are none: see summary_mean */
    double squares; /* sum of the squared distances from the mean */
};

void summary_add(struct summary *summary, double value);
struct summary summary_of(const double *values, size_t count);

double summary_mean(const struct summary *summary);      /* NAN if there are none */
double summary_variance(const struct summary *summary);  /* over n - 1; NAN below two values */
double summary_deviation(const struct summary *summary); /* its root */

/* Half the width of the 95 % interval of the mean by Student's t: the interval is mean - margin to
 * mean + margin. NAN below two values. */
double summary_margin(const struct summary *summary);

/* The values above 10, 25, 50, 75 and 90 % of a sample. */
struct quantiles {
    double p10, p25, p50, p75, p90;
};

/* Sorts the values, the NANs last. All fields are NAN if there is no value. */
struct quantiles quantiles_of(double *values, size_t count);

/* The value above a fraction 0 <= p <= 1 of sorted ones, linear between neighbours: position
 * p (count - 1), as numpy's default. NAN if there are none; none may be NAN. */
double quantile_of_sorted(const double *sorted, size_t count, double p);

#endif

#include "stat/summary.h"
#include "stat/student.h"
#include <math.h>
#include <stdlib.h>

/* Welford, 1962: the distances are from the running mean, so that a small spread of large values
 * does not vanish in the difference of two sums of squares. */
void summary_add(struct summary *summary, double value)
{
    if (isnan(value))
        return;
    double distance = value - summary->mean;
    summary->count++;
    summary->mean += distance / (double)summary->count;
    summary->squares += distance * (value - summary->mean);
}

struct summary summary_of(const double *values, size_t count)
{
    struct summary summary = {0};
    for (size_t i = 0; i < count; i++)
        summary_add(&summary, values[i]);
    return summary;
}

double summary_mean(const struct summary *summary)
{
    return summary->count > 0 ? summary->mean : NAN;
}

double summary_variance(const struct summary *summary)
{
    return summary->count > 1 ? summary->squares / (double)(summary->count - 1) : NAN;
}

double summary_deviation(const struct summary *summary)
{
    return sqrt(summary_variance(summary));
}

double summary_margin(const struct summary *summary)
{
    if (summary->count < 2)
        return NAN;
    double error = sqrt(summary_variance(summary) / (double)summary->count);
    return student_quantile(STAT_CONFIDENCE, summary->count - 1) * error;
}

static int summary_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    if (isnan(x) || isnan(y))
        return (isnan(x) != 0) - (isnan(y) != 0);
    return (x > y) - (x < y);
}

struct quantiles quantiles_of(double *values, size_t count)
{
    qsort(values, count, sizeof *values, summary_compare);
    while (count > 0 && isnan(values[count - 1]))
        count--;
    return (struct quantiles){.p10 = quantile_of_sorted(values, count, 0.10),
                              .p25 = quantile_of_sorted(values, count, 0.25),
                              .p50 = quantile_of_sorted(values, count, 0.50),
                              .p75 = quantile_of_sorted(values, count, 0.75),
                              .p90 = quantile_of_sorted(values, count, 0.90)};
}

double quantile_of_sorted(const double *sorted, size_t count, double p)
{
    if (count == 0)
        return NAN;
    double place = p * (double)(count - 1);
    size_t below = (size_t)place;
    if (below >= count - 1)
        return sorted[count - 1];
    double part = place - (double)below, step = sorted[below + 1] - sorted[below];
    /* From the nearer side, so that the result is never outside of the two. */
    return part < 0.5 ? sorted[below] + step * part : sorted[below + 1] - step * (1 - part);
}

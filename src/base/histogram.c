#include "base/histogram.h"
#include <math.h>

const struct histogram_scale histogram_waits = {
    {0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1800}, 13};
const struct histogram_scale histogram_latencies = {
    {1e-5, 5e-5, 1e-4, 5e-4, 0.001, 0.005, 0.01, 0.05, 0.1, 1, 10}, 11};
const struct histogram_scale histogram_stretches = {{1.01, 1.05, 1.1, 1.2, 1.5, 2, 3, 5, 10, 100},
                                                    10};

void histogram_add(struct histogram *histogram, const struct histogram_scale *scale, double value)
{
    uint32_t range = 0;
    if (isnan(value))
        return;
    while (range < scale->count && value > scale->ends[range])
        range++;
    histogram->ranges[range == scale->count ? HISTOGRAM_RANGES : range]++;
    histogram->count++;
    histogram->sum += value;
}

void histogram_join(struct histogram *histogram, const struct histogram *other)
{
    for (int range = 0; range <= HISTOGRAM_RANGES; range++)
        histogram->ranges[range] += other->ranges[range];
    histogram->count += other->count;
    histogram->sum += other->sum;
}

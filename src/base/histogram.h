/* How often values fell into ranges: what a monitoring system can add up over machines. */
#ifndef WEIR_BASE_HISTOGRAM_H
#define WEIR_BASE_HISTOGRAM_H

#include <stdint.h>

enum { HISTOGRAM_RANGES = 16 };

/* The upper ends of the ranges, ascending; what is above the last counts too. */
struct histogram_scale {
    double ends[HISTOGRAM_RANGES];
    uint32_t count;
};

/* Starts with zeros. */
struct histogram {
    uint64_t ranges[HISTOGRAM_RANGES + 1]; /* of each range alone; the last has no end */
    uint64_t count;
    double sum;
};

extern const struct histogram_scale histogram_waits;     /* seconds: 1 ms to half an hour */
extern const struct histogram_scale histogram_latencies; /* seconds: 10 us to 10 s */
extern const struct histogram_scale histogram_stretches; /* from 1 on */

/* A value equal to an end belongs to the range below it; NaN counts nowhere. */
void histogram_add(struct histogram *histogram, const struct histogram_scale *scale, double value);

/* Adds all of another of the same scale. */
void histogram_join(struct histogram *histogram, const struct histogram *other);

#endif

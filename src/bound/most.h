/* The most that all applications can move together at a time: B, and where the store loses
 * bandwidth by the number k of those that use it, the largest over k of min(the k largest bmax, B h
 * g(k)). */
#ifndef WEIR_BOUND_MOST_H
#define WEIR_BOUND_MOST_H

#include "base/err.h"
#include "model/workload.h"

struct most {
    double bandwidth;            /* B */
    const struct curve *curve;   /* NULL = it does not depend on k */
    const struct health *health; /* NULL = nor on the time */
    double *sums;                /* of the k largest bmax, k = 1.. */
    uint32_t count;
};

/* Of a channel of this workload. 0, or -1 when memory is out; most_fini frees in both cases. */
int most_init(struct most *most, const struct workload *workload, uint32_t channel,
              struct err *err);
void most_fini(struct most *most);

/* Where h is this. */
double most_bandwidth(const struct most *most, double health);

#endif

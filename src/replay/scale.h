/* Workloads that a small machine can run for real: the same shape with other times and volumes. */
#ifndef WEIR_REPLAY_SCALE_H
#define WEIR_REPLAY_SCALE_H

#include "base/err.h"
#include "model/workload.h"

struct scale {
    double faster;    /* all times are divided by it */
    double bandwidth; /* of the store, replacing B: volumes and bandwidths change in proportion */
};

/* The workload scaled so that every I/O takes the same share of the time, in whole bytes, without a
 * window. NULL with err when an application begins before time 0, which cannot be run, or memory is
 * out. workload_free frees; names are borrowed. */
struct workload *scale_workload(const struct workload *workload, const struct scale *scale,
                                struct err *err);

#endif

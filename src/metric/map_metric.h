/* Mapping -> numbers (docs/howto/mapping.md). */
#ifndef WEIR_METRIC_MAP_METRIC_H
#define WEIR_METRIC_MAP_METRIC_H

#include "model/mapping.h"
#include "model/workload.h"

/* One X-list gives members, keys of the JSON output, columns of the table and their help, as
 * weir/metrics.h does. The stretch of a job counts from its start, not from its arrival. */
#define MAP_METRICS(X)                                                                             \
    X(makespan, SECONDS, LOWER, "time at which the last job ends")                                 \
    X(packs, NONE, INFO, "packs that ran; none with list")                                         \
    X(max_stretch, NONE, LOWER, "largest (end - start) / time alone")                              \
    X(mean_stretch, NONE, LOWER, "mean of the same")                                               \
    X(pack_stretch, NONE, LOWER, "mean over the packs of their largest stretch")                   \
    X(useful, SECONDS, INFO, "time per node in work or I/O")                                       \
    X(delayed, SECONDS, LOWER, "time per node under a job that waits for its I/O")                 \
    X(idle, SECONDS, INFO, "time per node without a job")                                          \
    X(efficiency, NONE, HIGHER, "share of the node time in work or I/O")                           \
    X(utilization, NONE, HIGHER, "share of the node time in work")                                 \
    X(mean_wait, SECONDS, LOWER, "mean of start - arrival")                                        \
    X(max_wait, SECONDS, LOWER, "largest of the same")

struct map_metrics {
#define X(name, unit, sense, help) double name;
    MAP_METRICS(X)
#undef X
};

/* NAN = has no meaning: packs of a list. 0, or -1 when memory is out. */
int map_metrics_compute(const struct workload *workload, const struct mapping *mapping,
                        struct map_metrics *metrics);

/* (end - start) / time alone. */
double map_stretch(const struct workload *workload, const struct mapping *mapping, uint32_t job);

/* The shares of the node time from `span[0]`, not before the usage starts, to `span[1]`, by kind;
 * the rest is idle. Exact for the parts of the usage; within one it is assumed to be even. */
void map_usage(const struct workload *workload, const struct mapping *mapping, const double span[2],
               double shares[USAGE_KINDS]);

#endif

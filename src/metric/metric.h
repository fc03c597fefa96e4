/* Outcome -> numbers: every measure of SPEC section 4, simulated, predicted and observed alike. */
#ifndef WEIR_METRIC_METRIC_H
#define WEIR_METRIC_METRIC_H

#include "model/outcome.h"
#include "model/workload.h"

enum metric_sense { METRIC_LOWER, METRIC_HIGHER, METRIC_INFO }; /* which end is better */

/* One list: member, unit for people, sense, what it is. The order is that of the JSON output. */
#define METRICS(X)                                                                                 \
    X(makespan, UNIT_SECONDS, METRIC_LOWER, "date at which the last application finishes")         \
    X(min_yield, UNIT_NONE, METRIC_HIGHER, "smallest progress / age at the end")                   \
    X(mean_yield, UNIT_NONE, METRIC_HIGHER, "mean progress / age at the end")                      \
    X(efficiency, UNIT_NONE, METRIC_HIGHER, "progress per node and second of the window")          \
    X(utilization, UNIT_NONE, METRIC_HIGHER, "work per node and second of the window")             \
    X(sys_efficiency, UNIT_NONE, METRIC_HIGHER, "(1/N) sum of p * rho~")                           \
    X(sys_efficiency_bound, UNIT_NONE, METRIC_INFO, "the same without any congestion")             \
    X(dilation, UNIT_NONE, METRIC_LOWER, "largest rho / rho~")                                     \
    X(max_stretch, UNIT_NONE, METRIC_LOWER, "largest (completion - release) / ideal time")         \
    X(mean_stretch, UNIT_NONE, METRIC_LOWER, "mean of the same")                                   \
    X(io_slowdown, UNIT_NONE, METRIC_LOWER, "geometric mean of I/O time / I/O time alone")         \
    X(io_pressure, UNIT_NONE, METRIC_INFO, "bytes wanted / bytes the file system can move")        \
    X(events, UNIT_NONE, METRIC_INFO, "releases, posts, completions and timers")                   \
    X(decisions, UNIT_NONE, METRIC_INFO, "times the strategy was asked")

/* NAN = has no meaning in this run (the makespan of a window). */
struct metrics {
#define X(name, unit, sense, help) double name;
    METRICS(X)
#undef X
};

struct app_metrics {
    double completion, yield, stretch, dilation, efficiency; /* NAN = no meaning */
};

void metrics_compute(const struct workload *workload, const struct outcome *outcome,
                     struct metrics *metrics);
void metrics_compute_app(const struct workload *workload, const struct outcome *outcome,
                         uint32_t index, struct app_metrics *metrics);

#endif

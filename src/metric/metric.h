/* Outcome -> numbers: every measure of docs/model.md, simulated, predicted and observed alike. */
#ifndef WEIR_METRIC_METRIC_H
#define WEIR_METRIC_METRIC_H

#include "model/outcome.h"
#include "model/workload.h"
#include <weir/metrics.h>

enum metric_sense { METRIC_LOWER, METRIC_HIGHER, METRIC_INFO }; /* which end is better */

/* The measures of weir/metrics.h. NAN = has no meaning in this run (the makespan of a window). */
struct metrics {
#define X(name, unit, sense, help) double name;
    WEIR_METRICS(X)
#undef X
};

struct app_metrics {
#define X(name, unit, sense, help) double name;
    WEIR_APP_METRICS(X)
#undef X
};

struct party_metrics {
#define X(name, unit, sense, help) double name;
    WEIR_PARTY_METRICS(X)
#undef X
};

void metrics_compute(const struct workload *workload, const struct outcome *outcome,
                     struct metrics *metrics);
void metrics_compute_app(const struct workload *workload, const struct outcome *outcome,
                         uint32_t index, struct app_metrics *metrics);

/* Of all parties of a kind, in order; `list` has room for them. What depends on the time in which
 * they had I/Os posted has no meaning if the outcome lacks that. */
void metrics_compute_parties(const struct workload *workload, const struct outcome *outcome,
                             enum party_kind kind, struct party_metrics *list);

#endif

/* Outcome -> numbers: every measure of docs/explanation/model.md, simulated, predicted and observed alike. */
#ifndef WEIR_METRIC_METRIC_H
#define WEIR_METRIC_METRIC_H

#include "model/outcome.h"
#include "model/workload.h"
#include <weir/metrics.h>

enum metric_sense { METRIC_LOWER, METRIC_HIGHER, METRIC_INFO }; /* which end is better */

void metrics_compute(const struct workload *workload, const struct outcome *outcome,
                     struct weir_metrics *metrics);

/* All but the name, which is the caller's (see app_label). */
void metrics_compute_app(const struct workload *workload, const struct outcome *outcome,
                         uint32_t index, struct weir_app_metrics *metrics);

/* Of all parties of a kind, in order; `list` has room for them. Their names are the workload's.
 * What depends on the time in which they had I/Os posted has no meaning if the outcome lacks that.
 */
void metrics_compute_parties(const struct workload *workload, const struct outcome *outcome,
                             enum party_kind kind, struct weir_party_metrics *list);

/* Of all channels of a workload that has several, in order; `list` has room for them. Their names
 * are the workload's. */
void metrics_compute_stores(const struct workload *workload, const struct outcome *outcome,
                            struct weir_store_metrics *list);

#endif

/* The synthetic windows of Benoit et al. (2024), section 6.2: what their experiments share. */
#ifndef WEIR_PAPER_SYNTHETIC_H
#define WEIR_PAPER_SYNTHETIC_H

#include "model/workload.h"
#include "paper/samples.h"

/* Columns. */
enum { MIN_YIELD, EFFICIENCY, UTILIZATION, YIELD };
extern const char *const synthetic_columns[];

/* All strategies on one workload: adds a sample for each, like this one, and with ranks one for
 * each application. 0, or -1 with err. */
struct synthetic_ranks;
int synthetic_compare(const struct workload *workload, struct sample sample,
                      const struct synthetic_ranks *ranks, struct samples *samples,
                      struct err *err);

#endif

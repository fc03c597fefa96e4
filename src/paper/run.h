/* What experiments have in common: a scenario of a family, and a trial of it. */
#ifndef WEIR_PAPER_RUN_H
#define WEIR_PAPER_RUN_H

#include "gen/family.h"
#include "model/workload.h"
#include "paper/samples.h"
#include "trial/trial.h"
#include <stddef.h>

/* A scenario and what is realised of it. */
struct subject_workload {
    struct scenario *scenario;
    struct workload *workload;
};

/* Draws a scenario with these parameters, "key=value" separated by spaces, or NULL; and realises
 * it. 0, or -1 with err; subject_fini frees in both cases. */
int subject_draw(struct subject_workload *subject, const struct family *family, uint64_t seed,
                 const char *params, struct err *err);
/* Realises a scenario, which it takes over; NULL, of a failed call, gives -1. */
int subject_take(struct subject_workload *subject, struct scenario *scenario, struct err *err);
void subject_fini(struct subject_workload *subject);

/* Calls `each` for the workload that subject_draw gives. 0, or -1 with err. */
typedef int subject_each(const struct workload *workload, void *context, struct err *err);
struct subject_source {
    const struct family *family;
    const char *params;
    uint64_t seed;
};
int subject_each_draw(const struct subject_source *source, subject_each *each, void *context,
                      struct err *err);
/* Calls `each` for the longest windows of a family's schedule, as Benoit et al. (2024) take them,
 * until one fails. 0, or -1 with err. */
int subject_each_window(const struct subject_source *source, subject_each *each, void *context,
                        struct err *err);

/* A trial under the strategy of this name; `plan` is what it follows, or NULL. 0, or -1 with err.
 * The row is freed by row_fini, unless only the measures are wanted. */
struct plan;
int paper_try(const struct workload *workload, const char *strategy, const struct plan *plan,
              struct row *row, struct err *err);
int paper_measure(const struct workload *workload, const char *strategy, const struct plan *plan,
                  struct weir_metrics *metrics, struct err *err);
/* The measures of a trial that says all but its strategy. 0, or -1 with err. */
int paper_measure_trial(const struct trial *trial, const char *strategy,
                        struct weir_metrics *metrics, struct err *err);

#endif

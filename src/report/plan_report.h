/* A plan as a picture, and as lists for programs that follow it. */
#ifndef WEIR_REPORT_PLAN_REPORT_H
#define WEIR_REPORT_PLAN_REPORT_H

#include "base/err.h"
#include "model/plan.h"
#include "model/timeline.h"
#include "model/workload.h"
#include <stdio.h>

/* What happens in [0, T) when the pattern is repeated forever: work, I/O and waiting. Adds to the
 * timeline; 0, or -1 when memory is out. */
int plan_timeline(const struct plan *plan, const struct tasks *tasks, struct timeline *timeline);

/* A plan of a workload. */
struct planned {
    const struct workload *workload;
    const struct tasks *tasks;
    const struct plan *plan;
    const char *method;
};

/* Draws one period, lanes and bandwidth as gantt_write does; the yield of an application is how
 * fast it is compared to being alone. 0, or -1 when memory is out. */
int plan_write_gantt(FILE *out, const struct planned *planned, struct err *err);

/* Per application when it may transfer, and how fast: start and end in seconds, bandwidth in
 * bytes/s, in the order of time; the same again one period later. As one table with a heading,
 * and as a section per application, which it reads as its own list (003 section 3.3). */
void plan_write_csv(FILE *out, const struct plan *plan, const struct tasks *tasks);
void plan_write_ior(FILE *out, const struct plan *plan, const struct tasks *tasks);

#endif

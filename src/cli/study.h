/* A workload and its runs: what commands that simulate have in common. */
#ifndef WEIR_CLI_STUDY_H
#define WEIR_CLI_STUDY_H

#include "base/err.h"
#include "model/scenario.h"
#include "model/timeline.h"
#include "model/workload.h"
#include "policy/policy.h"
#include "report/runs.h"
#include <stdbool.h>
#include <stddef.h>

struct study {
    struct scenario *scenario;
    struct workload *workload;
    struct runs runs;
};

/* Takes over the scenario, which may be NULL (then err is already set), and makes its workload
 * with this window, or its own if that is NULL. 0 or -1; study_fini frees in both cases. */
int study_init(struct study *study, struct scenario *scenario, const struct window *window,
               struct err *err);
void study_fini(struct study *study);

/* Simulates the workload under the strategy and adds the measures to the runs; records what
 * happens unless `timeline` is NULL. Shows progress on a terminal when it takes long. 0 or -1. */
int study_run(struct study *study, const struct policy *policy, bool check,
              struct timeline *timeline, struct err *err);

/* Strategies opened by name; "all" stands for policy_all. */
struct policies {
    struct policy **list;
    size_t count, capacity;
};
int policies_add(struct policies *policies, const char *name, struct err *err); /* 0 or -1 */
void policies_fini(struct policies *policies);

/* Writes the picture or the trace of the last run. 0 or -1. */
typedef int study_writer(FILE *out, const struct study *study, const struct timeline *timeline,
                         struct err *err);
study_writer study_write_gantt, study_write_trace;

#endif

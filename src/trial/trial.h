/* One trial: a scenario under a strategy. Realise, plan, simulate, measure: the one way to get a
 * row of measures. It prints nothing and shares nothing, so trials may run in threads, also of the
 * same scenario, workload, strategy and plan. */
#ifndef WEIR_TRIAL_TRIAL_H
#define WEIR_TRIAL_TRIAL_H

#include "base/err.h"
#include "model/knowledge.h"
#include "model/scenario.h"
#include "model/workload.h"
#include "policy/policy.h"
#include "sim/sim.h"
#include "trial/row.h"

struct trial {
    const struct scenario *scenario; /* valid; ignored if the workload is given */
    const struct workload *workload; /* of a scenario that several trials share, realised once; or
                                        NULL */
    const struct policy *policy;
    struct knowledge knowledge; /* of the controller */
    /* Of the simulation; what follows from the knowledge is added to it. Without a plan, a strategy
     * that follows one gets that of trial_plan. The progress is 0 once while there is only
     * preparation. */
    struct sim_options options;
};

/* Fills in the row, which row_fini frees. 0, or -1 with err, and an empty row: the workload has no
 * window, there is no plan (as trial_plan), the simulation fails (as sim_run), or memory is out. */
int trial_run(const struct trial *trial, struct row *row, struct err *err);

#endif

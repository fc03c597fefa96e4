/* The simulator: a workload under a strategy, in virtual time, with exact piecewise-constant
 * rates (docs/model.md). It drives the controller and adds nothing to what that decides. */
#ifndef WEIR_SIM_SIM_H
#define WEIR_SIM_SIM_H

#include "base/err.h"
#include "model/outcome.h"
#include "model/timeline.h"
#include "model/workload.h"
#include "policy/policy.h"
#include <stdbool.h>

struct sim_options {
    bool check;                /* verify the invariants after every decision */
    struct timeline *timeline; /* record what happens, or NULL */
    /* Told from time to time how much of the run is done, 0..1; may be NULL. */
    void (*progress)(void *context, double done);
    void *context;
};

/* Runs to the window's end, or until all applications have finished. NULL with err when memory
 * is out, an invariant is broken (with `check`), the strategy grants nothing for ever, or it
 * follows a plan and has none for this number of applications. outcome_free frees. `options` may be
 * NULL. */
struct outcome *sim_run(const struct workload *workload, const struct policy *policy,
                        const struct sim_options *options, struct err *err);

#endif

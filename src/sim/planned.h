/* The plan that a strategy is to follow. */
#ifndef WEIR_SIM_PLANNED_H
#define WEIR_SIM_PLANNED_H

#include "base/err.h"
#include "model/plan.h"
#include "model/workload.h"
#include "policy/policy.h"

/* What a strategy with WEIR_NEEDS_PLAN asks for by its parameters: the plan in `file`, or the best
 * one found for `objective`, for the workload's mean lengths. `means`, unless NULL, tells whether
 * these vary. NULL with err when the file has no plan for this workload, or there is nothing to
 * plan; plan_free frees. */
struct plan *sim_plan(const struct workload *workload, const struct policy *policy, bool *means,
                      struct err *err);

#endif

#include "trial/trial.h"
#include "gen/gen.h"
#include "trial/planned.h"

/* With the plan that the strategy asks for, if it follows one. NULL with err. */
static struct outcome *trial_simulate(const struct trial *trial, const struct workload *workload,
                                      struct err *err)
{
    struct sim_options options = trial->options;
    struct plan *plan = NULL;
    if ((trial->policy->ops->flags & WEIR_NEEDS_PLAN) && !options.plan) {
        options.plan = plan = trial_plan(workload, trial->policy, NULL, err);
        if (!plan)
            return NULL;
    }
    struct outcome *outcome = sim_run(workload, trial->policy, &options, err);
    plan_free(plan);
    return outcome;
}

static int trial_measure(const struct trial *trial, const struct workload *workload,
                         struct row *row, struct err *err)
{
    struct outcome *outcome = trial_simulate(trial, workload, err);
    int status = outcome ? row_init(row, workload, trial->policy->name, outcome, err) : -1;
    outcome_free(outcome);
    return status;
}

int trial_run(const struct trial *trial, struct row *row, struct err *err)
{
    *row = (struct row){0};
    if (trial->options.progress)
        trial->options.progress(trial->options.context, 0);
    if (trial->workload)
        return trial_measure(trial, trial->workload, row, err);
    struct workload *workload = workload_realise(trial->scenario, err);
    int status = workload ? trial_measure(trial, workload, row, err) : -1;
    workload_free(workload);
    return status;
}

#include "trial/trial.h"
#include "gen/gen.h"
#include "trial/planned.h"
#include <stdlib.h>

/* With the plan that the strategy asks for, if it follows one, and what the controller expects, if
 * it is not told. NULL with err. */
static struct outcome *trial_simulate(const struct trial *trial, const struct workload *workload,
                                      struct err *err)
{
    struct sim_options options = trial->options;
    struct plan *plan = NULL;
    struct workload *expected = NULL;
    bool planned = (trial->policy->ops->flags & WEIR_NEEDS_PLAN) && !options.plan;
    bool estimated = trial->knowledge.volumes != KNOWLEDGE_EXACT;
    options.progress_age = trial->knowledge.age;
    options.blind = trial->knowledge.volumes == KNOWLEDGE_MEAN;
    if (planned)
        options.plan = plan = trial_plan(workload, trial->policy, NULL, err);
    if (estimated && (plan || !planned))
        options.expected = expected = workload_believe(workload, &trial->knowledge, err);
    struct outcome *outcome = NULL;
    if ((plan || !planned) && (expected || !estimated))
        outcome = sim_run(workload, trial->policy, &options, err);
    workload_free(expected);
    plan_free(plan);
    return outcome;
}

/* The same where lengths are not as the scenario declares them. */
static struct outcome *trial_simulate_known(const struct trial *trial,
                                            const struct workload *workload, struct err *err)
{
    if (trial->knowledge.lengths == KNOWLEDGE_DECLARED)
        return trial_simulate(trial, workload, err);
    struct workload known = *workload;
    double *lengths = gen_know_lengths(workload, &trial->knowledge, err);
    known.lengths = lengths;
    struct outcome *outcome = lengths ? trial_simulate(trial, &known, err) : NULL;
    free(lengths);
    return outcome;
}

static int trial_measure(const struct trial *trial, const struct workload *workload,
                         struct row *row, struct err *err)
{
    struct outcome *outcome = trial_simulate_known(trial, workload, err);
    int status = outcome ? row_init(row, workload, trial->policy->name, outcome, err) : -1;
    row->knowledge = trial->knowledge;
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

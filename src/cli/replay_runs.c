#include "cli/replay_runs.h"
#include "base/maths.h"
#include "base/mem.h"
#include "terminal/progress.h"
#include "replay/agree.h"
#include "sim/sim.h"
#include <stdlib.h>

/* Simulates the run with its posts in the given order, or any if NULL, and keeps the result if it
 * is closer to the run than what is there. */
static int replay_runs_judge(const struct replay_runs *runs, struct replay_run *run,
                             const struct policy *policy, const struct sim_order *order,
                             struct err *err)
{
    const struct workload *workload = runs->setup.workload;
    struct sim_options options = runs->simulate;
    options.order = order;
    struct outcome *predicted = sim_run(workload, policy, &options, err);
    if (!predicted)
        return -1;
    double error = agree_mean(workload, predicted, run->replayed.outcome);
    if (run->predicted && run->error <= error) {
        outcome_free(predicted);
        return 0;
    }
    outcome_free(run->predicted);
    run->predicted = predicted;
    run->error = error;
    run->ordered = order != NULL;
    return 0;
}

static int replay_runs_run_once(struct replay_runs *runs, const struct policy *policy,
                                struct err *err)
{
    struct replay_run *run = &runs->list[runs->count++];
    if (replay_run(&runs->setup, &run->replayed, err) ||
        replay_runs_judge(runs, run, policy, NULL, err))
        return -1;
    /* The order decides ties. A strategy that plans may also begin its plan at another time than in
     * the simulation, where the real order then is foreign, and only delays. */
    return agree_by_order(&runs->moves)
               ? replay_runs_judge(runs, run, policy, &run->replayed.order, err)
               : 0;
}

int replay_runs_make(struct replay_runs *runs, const struct replay *setup,
                     const struct policy *policy, struct replay_task task, struct err *err)
{
    progress_begin(setup->workload->name, policy->name);
    *runs = (struct replay_runs){
        .setup = *setup,
        .simulate = {.plan = task.plan, .release_latency = replay_release_latency(setup)}};
    runs->setup.progress = progress_show;
    runs->list = mem_alloc(task.count, sizeof *runs->list);
    int status = runs->list ? 0 : err_memory(err);
    if (status == 0)
        status = agree_sensitivity(setup->workload, policy, &runs->simulate, &runs->moves, err);
    if (status == 0 && task.without) {
        struct replay free_run = runs->setup;
        free_run.policy = NULL;
        status = replay_run(&free_run, &runs->without, err);
    }
    while (status == 0 && runs->count < task.count)
        status = replay_runs_run_once(runs, policy, err);
    progress_end();
    return status;
}

void replay_runs_fini(struct replay_runs *runs)
{
    for (size_t i = 0; i < runs->count; i++) {
        replayed_fini(&runs->list[i].replayed);
        outcome_free(runs->list[i].predicted);
    }
    free(runs->list);
    replayed_fini(&runs->without);
    *runs = (struct replay_runs){0};
}

double replay_runs_late(const struct replay_runs *runs)
{
    double late = runs->without.late;
    for (size_t i = 0; i < runs->count; i++)
        late = maths_max(late, runs->list[i].replayed.late);
    return late;
}

const struct replay_run *replay_runs_median(const struct replay_runs *runs)
{
    for (size_t i = 0; i < runs->count; i++) {
        size_t better = 0;
        for (size_t k = 0; k < runs->count; k++) {
            double a = runs->list[k].error, b = runs->list[i].error;
            better += a < b || (a == b && k < i);
        }
        if (better == runs->count / 2)
            return &runs->list[i];
    }
    return &runs->list[0];
}

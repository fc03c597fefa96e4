#include "cli/replay_runs.h"
#include "base/maths.h"
#include "base/mem.h"
#include "cli/progress.h"
#include "replay/agree.h"
#include "sim/sim.h"
#include <stdlib.h>

static struct outcome *replay_runs_predict(const struct replay_runs *runs,
                                           const struct replayed *replayed,
                                           const struct policy *policy, struct err *err)
{
    struct sim_options options = {.release_latency = runs->release_latency};
    if (agree_by_order(&runs->moves))
        options.order = &replayed->order;
    return sim_run(runs->setup.workload, policy, &options, err);
}

static int replay_runs_run_once(struct replay_runs *runs, const struct policy *policy,
                                struct err *err)
{
    struct replay_run *run = &runs->list[runs->count++];
    if (replay_run(&runs->setup, &run->replayed, err))
        return -1;
    run->predicted = replay_runs_predict(runs, &run->replayed, policy, err);
    if (!run->predicted)
        return -1;
    run->error = agree_mean(runs->setup.workload, run->predicted, run->replayed.outcome);
    return 0;
}

int replay_runs_make(struct replay_runs *runs, const struct replay *setup,
                     const struct policy *policy, struct replay_plan plan, struct err *err)
{
    progress_begin(setup->workload->name, policy->name);
    *runs = (struct replay_runs){.setup = *setup, .release_latency = replay_release_latency(setup)};
    runs->setup.progress = progress_show;
    runs->list = mem_alloc(plan.count, sizeof *runs->list);
    int status = runs->list ? 0 : err_memory(err);
    if (status == 0)
        status =
            agree_sensitivity(setup->workload, policy, runs->release_latency, &runs->moves, err);
    if (status == 0 && plan.without) {
        struct replay free_run = runs->setup;
        free_run.policy = NULL;
        status = replay_run(&free_run, &runs->without, err);
    }
    while (status == 0 && runs->count < plan.count)
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

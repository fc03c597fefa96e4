#include "replay/agree.h"
#include "base/maths.h"
#include "gen/gen.h"
#include <stdlib.h>

enum { DRAWS = 5 };

double agree_error(const struct workload *workload, const struct outcome *predicted,
                   const struct outcome *measured, uint32_t id)
{
    double expected = predicted->apps[id].completion;
    double took = expected - workload->apps[id].facts.release;
    double off = fabs(measured->apps[id].completion - expected);
    return took > 0 ? off / took : off > 0 ? INFINITY : 0;
}

double agree_mean(const struct workload *workload, const struct outcome *predicted,
                  const struct outcome *measured)
{
    double sum = 0;
    for (uint32_t id = 0; id < workload->count; id++)
        sum += agree_error(workload, predicted, measured, id);
    return sum / workload->count;
}

/* A run, and the same without jitter. */
struct agree_trial {
    const struct workload *workload;
    const struct policy *policy;
    const struct sim_options *how;
    struct outcome *steady;
};

static struct outcome *run_jittered(const struct agree_trial *trial, uint64_t seed,
                                    struct sim_order *order, struct err *err)
{
    const struct sim_options options = {
        .plan = trial->how->plan, .release_latency = trial->how->release_latency, .posted = order};
    struct workload *late = workload_jitter(trial->workload, AGREE_JITTER, seed, err);
    struct outcome *outcome = NULL;
    if (late)
        outcome = sim_run(late, trial->policy, &options, err);
    workload_free(late);
    return outcome;
}

static struct outcome *run_steadily(const struct agree_trial *trial, const struct sim_order *order,
                                    struct err *err)
{
    const struct sim_options options = {
        .plan = trial->how->plan, .release_latency = trial->how->release_latency, .order = order};
    return sim_run(trial->workload, trial->policy, &options, err);
}

/* One draw of jitter, compared with none: in any order, and in the same order. */
static int agree_draw(const struct agree_trial *trial, uint64_t seed, struct agree_moves *moves,
                      struct err *err)
{
    struct sim_order order = {0};
    struct outcome *late = run_jittered(trial, seed, &order, err);
    struct outcome *ordered = late ? run_steadily(trial, &order, err) : NULL;
    if (ordered) {
        double freely = agree_mean(trial->workload, trial->steady, late);
        double in_order = agree_mean(trial->workload, ordered, late);
        moves->freely = maths_max(moves->freely, freely);
        moves->in_order = maths_max(moves->in_order, in_order);
    }
    int status = ordered ? 0 : -1;
    outcome_free(late);
    outcome_free(ordered);
    free(order.ids);
    return status;
}

int agree_sensitivity(const struct workload *workload, const struct policy *policy,
                      const struct sim_options *how, struct agree_moves *moves, struct err *err)
{
    struct agree_trial trial = {workload, policy, how, NULL};
    trial.steady = run_steadily(&trial, NULL, err);
    int status = trial.steady ? 0 : -1;
    *moves = (struct agree_moves){0};
    for (uint64_t seed = 1; seed <= DRAWS && status == 0; seed++)
        status = agree_draw(&trial, seed, moves, err);
    outcome_free(trial.steady);
    return status;
}

bool agree_by_order(const struct agree_moves *moves)
{
    return moves->freely > AGREE_MOVES && moves->in_order <= AGREE_MOVES;
}

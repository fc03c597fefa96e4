#include "replay/agree.h"
#include "base/maths.h"
#include "gen/gen.h"
#include "sim/sim.h"
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

static struct outcome *run_jittered(const struct workload *workload, const struct policy *policy,
                                    const struct sim_options *options, uint64_t seed,
                                    struct err *err)
{
    struct workload *late = workload_jitter(workload, AGREE_JITTER, seed, err);
    struct outcome *outcome = NULL;
    if (late && workload_set_window(late, (struct window){.kind = WINDOW_NONE}, err) == 0)
        outcome = sim_run(late, policy, options, err);
    workload_free(late);
    return outcome;
}

/* One draw: a run with jitter against the one without, and against that in the same order. */
static int draw(const struct workload *workload, const struct policy *policy, double latency,
                const struct outcome *base, uint64_t seed, struct agree_moves *moves,
                struct err *err)
{
    struct sim_order order = {0};
    const struct sim_options listen = {.release_latency = latency, .posted = &order};
    const struct sim_options follow = {.release_latency = latency, .order = &order};
    struct outcome *late = run_jittered(workload, policy, &listen, seed, err);
    struct outcome *ordered = late ? sim_run(workload, policy, &follow, err) : NULL;
    if (ordered) {
        moves->freely = maths_max(moves->freely, agree_mean(workload, base, late));
        moves->in_order = maths_max(moves->in_order, agree_mean(workload, ordered, late));
    }
    int status = ordered ? 0 : -1;
    outcome_free(late);
    outcome_free(ordered);
    free(order.ids);
    return status;
}

int agree_sensitivity(const struct workload *workload, const struct policy *policy,
                      double release_latency, struct agree_moves *moves, struct err *err)
{
    struct sim_options options = {.release_latency = release_latency};
    struct outcome *base = sim_run(workload, policy, &options, err);
    int status = base ? 0 : -1;
    *moves = (struct agree_moves){0};
    for (uint64_t seed = 1; seed <= DRAWS && status == 0; seed++)
        status = draw(workload, policy, release_latency, base, seed, moves, err);
    outcome_free(base);
    return status;
}

bool agree_by_order(const struct agree_moves *moves)
{
    return moves->freely > AGREE_MOVES && moves->in_order <= AGREE_MOVES;
}

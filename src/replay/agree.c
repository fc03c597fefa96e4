#include "replay/agree.h"
#include "base/maths.h"
#include "gen/gen.h"
#include "sim/sim.h"

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

int agree_sensitivity(const struct workload *workload, const struct policy *policy,
                      double release_latency, double *moves, struct err *err)
{
    struct sim_options options = {.release_latency = release_latency};
    struct outcome *base = sim_run(workload, policy, &options, err);
    int status = base ? 0 : -1;
    *moves = 0;
    for (uint64_t seed = 1; seed <= DRAWS && status == 0; seed++) {
        struct outcome *outcome = run_jittered(workload, policy, &options, seed, err);
        if (outcome)
            *moves = maths_max(*moves, agree_mean(workload, base, outcome));
        status = outcome ? 0 : -1;
        outcome_free(outcome);
    }
    outcome_free(base);
    return status;
}

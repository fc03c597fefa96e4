/* How well simulation and reality agree. */
#ifndef WEIR_REPLAY_AGREE_H
#define WEIR_REPLAY_AGREE_H

#include "base/err.h"
#include "model/outcome.h"
#include "model/workload.h"
#include "policy/policy.h"
#include "sim/sim.h"
#include <stdbool.h>

/* The difference of two completion times of an application, relative to the time it took by the
 * first; and its mean over all applications. */
double agree_error(const struct workload *workload, const struct outcome *predicted,
                   const struct outcome *measured, uint32_t id);
double agree_mean(const struct workload *workload, const struct outcome *predicted,
                  const struct outcome *measured);

/* A simulation that changes by more than AGREE_MOVES when every work phase takes up to AGREE_JITTER
 * seconds more or less predicts little: where ties decide, no two runs are alike. */
#define AGREE_JITTER 0.001
#define AGREE_MOVES  0.01

/* How much it changes: the mean over the applications, the worst of a few draws, */
struct agree_moves {
    double freely;   /* in any order of posts, and */
    double in_order; /* with the I/Os posted in the order of the run it is compared with */
};

/* Of simulations with the plan and the release latency of `how`. 0, or -1 with err as sim_run. */
int agree_sensitivity(const struct workload *workload, const struct policy *policy,
                      const struct sim_options *how, struct agree_moves *moves, struct err *err);

/* Whether a run may be compared with a simulation in its own order: ties change the simulation, and
 * the order of the posts decides them. */
bool agree_by_order(const struct agree_moves *moves);

#endif

/* How well prediction and reality agree. */
#ifndef WEIR_REPLAY_AGREE_H
#define WEIR_REPLAY_AGREE_H

#include "base/err.h"
#include "model/outcome.h"
#include "model/workload.h"
#include "policy/policy.h"

/* By how much two completion dates of an application differ, as a share of the time it took by the
 * first of them; and the mean over all applications. */
double agree_error(const struct workload *workload, const struct outcome *predicted,
                   const struct outcome *measured, uint32_t id);
double agree_mean(const struct workload *workload, const struct outcome *predicted,
                  const struct outcome *measured);

/* A simulation that moves by more than AGREE_MOVES when every work phase takes up to AGREE_JITTER
 * seconds more or less predicts nothing: where ties decide, no two runs are alike. */
#define AGREE_JITTER 0.001
#define AGREE_MOVES  0.01

/* By how much it moves: the mean over the applications, the worst of a few draws. 0, or -1 with err
 * as sim_run. */
int agree_sensitivity(const struct workload *workload, const struct policy *policy,
                      double release_latency, double *moves, struct err *err);

#endif

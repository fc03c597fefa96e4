/* Jobs that a mapper starts, and their I/O under a strategy: one simulator per I/O node, all driven
 * by one clock. */
#ifndef WEIR_SIM_MAPPED_H
#define WEIR_SIM_MAPPED_H

#include "base/err.h"
#include "map/mapper.h"
#include "model/mapping.h"
#include "model/workload.h"
#include "policy/policy.h"
#include <stdbool.h>

struct mapped_options {
    bool check; /* as in struct sim_options */
    /* Told from time to time how much of the run is done, 0..1; may be NULL. */
    void (*progress)(void *context, double done);
    void *context;
};

/* Runs all jobs, which have their keys, to completion. NULL with err as mapper_new and sim_run, and
 * for a strategy that follows a plan, since there can be none; mapping_free frees. `options` may
 * be NULL. */
struct mapping *sim_map(const struct map_jobs *jobs, const struct map_rules *rules,
                        const struct policy *policy, const struct mapped_options *options,
                        struct err *err);

#endif

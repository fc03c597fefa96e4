/* Patterns that are tried, side by side on several threads. */
#ifndef WEIR_PLAN_ATTEMPT_H
#define WEIR_PLAN_ATTEMPT_H

#include "plan/pattern.h"

/* A pattern to be tried, and what came of it. */
struct attempt {
    struct pattern_rules rules;
    /* Shrink the period for as long as no work is lost, if the efficiency is at least this, or the
     * dilation at most that; a zeroed attempt is not refined. */
    double refine_efficiency, refine_dilation;
    double cost_limit; /* beyond which it is not refined further */

    double work; /* T SysEfficiency; 0 = an application has no instance */
    double dilation;
    double cost; /* of trying it, in steps */
};

struct attempt_pool {
    struct pattern *patterns; /* one per thread */
    unsigned count;
    /* Asked before each pattern, from any thread: whether to leave the rest; or NULL. */
    bool (*stop)(void *context);
    void *context;
};

int attempt_pool_init(struct attempt_pool *pool, const struct tasks *tasks,
                      unsigned count); /* -1: no memory */
void attempt_pool_fini(struct attempt_pool *pool);

/* Tries all of them; the results do not depend on the number of threads, unless it is stopped: then
 * what was not tried has no work. -1 when memory is out. */
int attempt_pool_run(struct attempt_pool *pool, struct attempt *attempts, size_t count);

#endif

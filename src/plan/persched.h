/* PerSched (003): the period to repeat, and what to put into it. */
#ifndef WEIR_PLAN_PERSCHED_H
#define WEIR_PLAN_PERSCHED_H

#include "base/err.h"
#include "model/plan.h"
#include <stdbool.h>

enum plan_search {
    PLAN_SEARCH_BEST,  /* ours: contains the published search, and is never worse */
    PLAN_SEARCH_PAPER, /* the published program, digit by digit */
};

/* What the published program prints for its plan. It has the shorter period, and the instances that
 * it found before it shortened it: up to 2e-5 more SysEfficiency than the plan has. */
struct persched_claim {
    double sys_efficiency, dilation;
};

struct persched {
    enum plan_objective objective; /* one that can be searched for */
    enum plan_search search;
    double min_period; /* 0 = the longest w + tio */
    double max_factor; /* the longest period is this many times the shortest: 10 (best: 20) */
    double epsilon;    /* each period of the sweep is this much longer than the one before: 0.01 */
    double effort;     /* the part of the usual work after which the best search ends: 1 */
    unsigned jobs;     /* threads; the result does not depend on it */
    /* Asked between two steps of the best search, which then ends with what it has; or NULL. */
    bool (*stop)(void *context);
    void *context;
    struct persched_claim *claim; /* set by the published search if not NULL */
};
extern const struct persched persched_defaults;

/* The best plan found; plan_free frees. NULL with err when memory is out, when no period tried has
 * room for an instance of every application, or when periods would be too short or hold too many
 * instances to be planned. A plan of the published search may be invalid (its program accepts some
 * first instances that leave no room for their work): plan_validate tells. */
struct plan *persched_plan(const struct tasks *tasks, const struct persched *options,
                           struct err *err);

#endif

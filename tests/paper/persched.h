/* What the comparisons with the published PerSched share: scenarios, ready to plan. */
#ifndef WEIR_TESTS_PAPER_PERSCHED_H
#define WEIR_TESTS_PAPER_PERSCHED_H

#include "common.h"
#include "model/plan.h"
#include "paper/jupiter.h"
#include "plan/bound.h"
#include "plan/persched.h"

/* What the published program prints for each set, with its start period. */
struct published {
    double sys_efficiency, dilation, period;
};
extern const struct published published[JUPITER_SETS];

struct planning {
    struct scenario *scenario;
    struct workload *workload;
    struct tasks tasks;
    struct persched options;
};

/* All of them fail the test on error. A planning owns its scenario. */
struct scenario *make_jupiter(int set); /* from 1 */
struct planning planning_open(struct scenario *scenario);
void planning_close(struct planning *planning);
/* `min_period` 0 = not given; plan_free frees the plan. */
struct plan *planning_run(const struct planning *planning, enum plan_search search,
                          double min_period);

void planning_validate(const struct planning *planning, const struct plan *plan);

#endif

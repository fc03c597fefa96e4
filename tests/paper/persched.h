/* What the comparisons with the published PerSched share: scenarios, ready to plan. */
#ifndef WEIR_TESTS_PAPER_PERSCHED_H
#define WEIR_TESTS_PAPER_PERSCHED_H

#include "common.h"
#include "gen/family.h"
#include "model/plan.h"
#include "plan/bound.h"
#include "plan/persched.h"

enum { SETS = 10 };

/* The start period of the published program for each set, and what it then prints. */
struct published {
    double start, sys_efficiency, dilation, period;
};
extern const struct published published[SETS];

struct planning {
    struct scenario *scenario;
    struct workload *workload;
    struct tasks tasks;
    struct persched options;
};

/* All of them fail the test on error. A planning owns its scenario. */
struct scenario *make_jupiter(int set); /* from 1 */
struct scenario *make_random(const struct family *family, uint64_t seed);
struct planning planning_open(struct scenario *scenario);
void planning_close(struct planning *planning);
/* `min_period` 0 = not given; plan_free frees the plan. */
struct plan *planning_run(const struct planning *planning, enum plan_search search,
                          double min_period);

/* The best SysEfficiency and the best Dilation over a list of strategies that ends with NULL, each
 * by the one that is best in it. The paper compares with those of the slides. */
struct online {
    double sys_efficiency, dilation;
};
extern const char *const slides_strategies[];
struct online planning_online(const struct planning *planning, const char *const *strategies);

void planning_validate(const struct planning *planning, const struct plan *plan);

#endif

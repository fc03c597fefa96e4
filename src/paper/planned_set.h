/* Sets of periodic applications, plans for them, and online strategies beside: what the experiments
 * of Aupy et al. (2017) and Zha and Shen (2022) have in common. */
#ifndef WEIR_PAPER_PLANNED_SET_H
#define WEIR_PAPER_PLANNED_SET_H

#include "model/plan.h"
#include "paper/run.h"
#include "plan/bound.h"
#include "plan/persched.h"

struct planned_set {
    struct subject_workload subject;
    struct tasks tasks;
    struct plan_bounds bounds;
};

/* Draws a set, or takes over a scenario; NULL, of a failed call, gives -1. 0, or -1 with err;
 * planned_set_fini frees in both cases. */
int planned_set_draw(struct planned_set *set, const struct subject_source *source, struct err *err);
int planned_set_take(struct planned_set *set, struct scenario *scenario, struct err *err);
void planned_set_fini(struct planned_set *set);

/* A plan by one of the searches. `min_period` 0 = not given. NULL with err; plan_free frees. */
struct planned_search {
    enum plan_search search;
    enum plan_objective objective;
    double min_period;
};
struct plan *planned_set_search(const struct planned_set *set, const struct planned_search *search,
                                struct err *err);

/* The best SysEfficiency and the best Dilation over a list of strategies that ends with NULL, each
 * by the one that is best in it, as the paper does. 0, or -1 with err. */
struct planned_online {
    double sys_efficiency, dilation;
};
int planned_set_online(const struct planned_set *set, const char *const *strategies,
                       struct planned_online *best, struct err *err);

/* The same of a plan, in its period. */
struct planned_online planned_set_measure(const struct planned_set *set, const struct plan *plan);

#endif

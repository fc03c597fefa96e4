/* Sets of periodic applications, plans for them, and online strategies beside: what the experiments
 * of Aupy et al. (2017) and Zha and Shen (2022) have in common. */
#ifndef WEIR_PAPER_PLANNED_SET_H
#define WEIR_PAPER_PLANNED_SET_H

#include "model/plan.h"
#include "paper/run.h"
#include "plan/persched.h"

struct planned_set {
    struct subject_workload subject;
    struct tasks tasks;
};

/* Takes over a subject that was drawn, also when it fails; 0, or -1 with err. planned_set_fini
 * frees in both cases. */
int planned_set_init(struct planned_set *set, struct subject_workload subject, struct err *err);
void planned_set_fini(struct planned_set *set);

/* The plan of the published search. `min_period` 0 = not given. NULL with err; plan_free frees. */
struct plan *planned_set_search(const struct planned_set *set, enum plan_objective objective,
                                double min_period, struct err *err);

/* The best SysEfficiency and the best Dilation over a list of strategies that ends with NULL, each
 * by the one that is best in it, as the paper does. 0, or -1 with err. */
struct planned_online {
    double sys_efficiency, dilation;
};
int planned_set_online(const struct planned_set *set, const char *const *strategies,
                       struct planned_online *best, struct err *err);

#endif

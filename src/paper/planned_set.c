#include "paper/planned_set.h"
#include <math.h>

int planned_set_init(struct planned_set *set, struct subject_workload subject, struct err *err)
{
    *set = (struct planned_set){.subject = subject};
    return tasks_init(&set->tasks, subject.workload, err);
}

void planned_set_fini(struct planned_set *set)
{
    tasks_fini(&set->tasks);
    subject_fini(&set->subject);
}

struct plan *planned_set_search(const struct planned_set *set, enum plan_objective objective,
                                double min_period, struct err *err)
{
    struct persched options = persched_defaults;
    options.search = PLAN_SEARCH_PAPER;
    options.objective = objective;
    options.min_period = min_period;
    return persched_plan(&set->tasks, &options, err);
}

int planned_set_online(const struct planned_set *set, const char *const *strategies,
                       struct planned_online *best, struct err *err)
{
    *best = (struct planned_online){0, INFINITY};
    for (; *strategies; strategies++) {
        struct weir_metrics metrics;
        if (paper_measure(set->subject.workload, *strategies, NULL, &metrics, err) < 0)
            return -1;
        best->sys_efficiency = fmax(best->sys_efficiency, metrics.sys_efficiency);
        best->dilation = fmin(best->dilation, metrics.dilation);
    }
    return 0;
}

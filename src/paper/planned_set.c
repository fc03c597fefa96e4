#include "paper/planned_set.h"
#include <math.h>

static int planned_set_prepare(struct planned_set *set, struct err *err)
{
    if (tasks_init(&set->tasks, set->subject.workload, err) < 0)
        return -1;
    return bounds_compute(&set->tasks, &set->bounds) < 0 ? err_memory(err) : 0;
}

int planned_set_draw(struct planned_set *set, const struct subject_source *source, struct err *err)
{
    *set = (struct planned_set){0};
    if (subject_draw(&set->subject, source->family, source->seed, source->params, err) < 0)
        return -1;
    return planned_set_prepare(set, err);
}

int planned_set_take(struct planned_set *set, struct scenario *scenario, struct err *err)
{
    *set = (struct planned_set){0};
    return subject_take(&set->subject, scenario, err) < 0 ? -1 : planned_set_prepare(set, err);
}

void planned_set_fini(struct planned_set *set)
{
    tasks_fini(&set->tasks);
    subject_fini(&set->subject);
}

struct plan *planned_set_search(const struct planned_set *set, const struct planned_search *search,
                                struct err *err)
{
    struct persched options = persched_defaults;
    options.search = search->search;
    options.objective = search->objective;
    options.min_period = search->min_period;
    return persched_plan(&set->tasks, &options, err);
}

struct planned_online planned_set_measure(const struct planned_set *set, const struct plan *plan)
{
    return (struct planned_online){plan_sys_efficiency(plan, &set->tasks),
                                   plan_max_dilation(plan, &set->tasks)};
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

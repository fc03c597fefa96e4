#include "gen/gen.h"
#include "persched.h"
#include <math.h>

const struct published published[JUPITER_SETS] = {
    {.0973471, 1.89597, 8441.55}, {.289837, 1.42833, 15898.6}, {.479800, 1.08724, 15974.7},
    {.647361, 1.01402, 111375},   {.815203, 1.02352, 494902},  {.814200, 1.00541, 157571},
    {.823546, 1.00726, 36326},    {.976078, 1.00547, 3959919}, {.978893, 1.00003, 141221},
    {.986171, 1.00919, 126680},
};

struct scenario *make_jupiter(int set)
{
    struct err err = {""};
    struct scenario *scenario = gen_jupiter(set, &err);
    if (!scenario)
        fail_msg("%s", err.text);
    return scenario;
}

struct planning planning_open(struct scenario *scenario)
{
    struct err err = {""};
    struct planning planning = {.scenario = scenario, .options = persched_defaults};
    planning.workload = realise(scenario, WINDOW_NONE);
    if (tasks_init(&planning.tasks, planning.workload, &err) < 0)
        fail_msg("%s", err.text);
    return planning;
}

void planning_close(struct planning *planning)
{
    tasks_fini(&planning->tasks);
    workload_free(planning->workload);
    scenario_free(planning->scenario);
}

struct plan *planning_run(const struct planning *planning, enum plan_search search,
                          double min_period)
{
    struct err err = {""};
    struct persched options = planning->options;
    options.search = search;
    options.min_period = min_period;
    struct plan *plan = persched_plan(&planning->tasks, &options, &err);
    if (!plan)
        fail_msg("%s", err.text);
    return plan;
}

void planning_validate(const struct planning *planning, const struct plan *plan)
{
    struct err err = {""};
    if (plan_validate(plan, &planning->tasks, &err) != 0)
        fail_msg("%s: %s", planning->scenario->name, err.text);
}

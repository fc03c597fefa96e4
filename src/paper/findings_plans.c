/* Plans of the ten Jupiter sets: how near they are to what is possible, what runs under them get,
 * and what it gains to make them while applications run. */
#include "gen/gen.h"
#include "paper/experiment.h"
#include "paper/jupiter.h"
#include "policy/policy.h"
#include <math.h>
#include <string.h>

enum { PUBLISHED, OURS, FOLLOWED, ADJUSTED, EVEN, PLANNED, REPLAN, REACTING, BOUND };
static const char *const plans_series[] = {
    [PUBLISHED] = "PerSched", [OURS] = "our search",
    [FOLLOWED] = "plan",      [ADJUSTED] = "apio",
    [EVEN] = "best-effort",   [PLANNED] = "replan:online=best-effort",
    [REPLAN] = "replan",      [REACTING] = "best of --policy all",
    [BOUND] = "bound",        NULL,
};
enum { SYSEFF, SLOWEST, GAP, OFF_SYSEFF, OFF_SLOWEST };
static const char *const plans_columns[] = {
    [SYSEFF] = "SysEfficiency",
    [SLOWEST] = "Dilation",
    [GAP] = "gap to the bound, %",
    [OFF_SYSEFF] = "change of SysEfficiency from plan to run, part",
    [OFF_SLOWEST] = "change of Dilation from plan to run, part",
    NULL,
};
enum { SEARCHED, LONG, PRESENT, PLANS_GROUPS };
static const char *const plans_groups[] = {
    [SEARCHED] = "plans", [LONG] = "long runs", [PRESENT] = "while all run", NULL};

/* What one unit adds to. */
struct plans_unit {
    struct planned_set set;
    struct sample sample; /* with group and set */
    struct samples *samples;
};

static int plans_add(struct plans_unit *unit, uint16_t series, struct planned_online own,
                     const struct planned_online *promised, struct err *err)
{
    double *values = unit->sample.values;
    unit->sample.series = series;
    values[SYSEFF] = own.sys_efficiency;
    values[SLOWEST] = own.dilation;
    values[GAP] = 100 * (1 - own.sys_efficiency / unit->set.bounds.sys_efficiency_bandwidth);
    values[OFF_SYSEFF] =
        promised ? fmax(0, 1 - own.sys_efficiency / promised->sys_efficiency) : (double)NAN;
    values[OFF_SLOWEST] = promised ? fmax(0, own.dilation / promised->dilation - 1) : (double)NAN;
    return samples_add(unit->samples, &unit->sample, err);
}

static int plans_number(const struct plans_unit *unit)
{
    return (int)unit->sample.x;
}

/* Realises the set with this many times as many iterations; a window that ends when the first
 * application could, if `from` is given: where it begins, as a part of that. */
static int plans_lengthen(const struct plans_unit *unit, uint32_t times, double from,
                          struct subject_workload *subject, struct err *err)
{
    const struct workload *workload = unit->set.subject.workload;
    struct scenario *scenario = gen_jupiter(plans_number(unit), err);
    double shortest = INFINITY;
    *subject = (struct subject_workload){0};
    for (uint32_t i = 0; i < workload->count; i++)
        shortest = fmin(shortest, times * app_ideal(&workload->apps[i]));
    for (uint32_t i = 0; scenario && i < scenario->count; i++)
        scenario->apps[i].iterations *= times;
    if (scenario && from > 0)
        scenario->window =
            (struct window){.kind = WINDOW_FIXED, .start = from * shortest, .end = shortest};
    return subject_take(subject, scenario, err);
}

/* --- plans, and what our search for them adds ------------------------------------------------ */

/* Our search takes a hundred times as long as the rest: a quick run leaves it out. */
static int plans_search(struct plans_unit *unit, bool quick, struct err *err)
{
    static const struct planned_search ours = {PLAN_SEARCH_BEST, PLAN_SYS_EFFICIENCY, 0};
    struct plan *plan = jupiter_search(&unit->set, plans_number(unit), PLAN_SYS_EFFICIENCY, err);
    int status =
        plan ? plans_add(unit, PUBLISHED, planned_set_measure(&unit->set, plan), NULL, err) : -1;
    plan_free(plan);
    const struct plan_bounds *bounds = &unit->set.bounds;
    if (status == 0)
        status = plans_add(
            unit, BOUND,
            (struct planned_online){bounds->sys_efficiency_bandwidth, bounds->dilation_bandwidth},
            NULL, err);
    if (status < 0 || quick)
        return status;
    plan = planned_set_search(&unit->set, &ours, err);
    if (plan && plan_validate(plan, &unit->set.tasks, err) == 0)
        status = plans_add(unit, OURS, planned_set_measure(&unit->set, plan), NULL, err);
    else
        status = -1;
    plan_free(plan);
    return status;
}

/* --- long runs under the published plan ------------------------------------------------------ */

/* The initial phase costs an application up to one distance between its instances, and the last
 * iterations of some run beside less company than planned; both become small in a long run. */
enum { PLANS_LONG = 20 };

static int plans_follow(struct plans_unit *unit, bool quick, struct err *err)
{
    (void)quick;
    struct subject_workload subject;
    struct plan *plan = jupiter_search(&unit->set, plans_number(unit), PLAN_SYS_EFFICIENCY, err);
    if (!plan)
        return -1;
    struct planned_online promised = planned_set_measure(&unit->set, plan);
    int status = plans_lengthen(unit, PLANS_LONG, 0, &subject, err);
    for (uint16_t i = FOLLOWED; i <= ADJUSTED && status == 0; i++) {
        const struct trial trial = {.workload = subject.workload,
                                    .options = {.plan = plan, .check = true}};
        struct weir_metrics metrics;
        status = paper_measure_trial(&trial, plans_series[i], &metrics, err);
        if (status == 0)
            status = plans_add(unit, i,
                               (struct planned_online){metrics.sys_efficiency, metrics.dilation},
                               &promised, err);
    }
    subject_fini(&subject);
    plan_free(plan);
    return status;
}

/* --- plans that are made while all applications run ------------------------------------------ */

/* All applications run all the time, in a window after they were learnt: a strategy gains nothing
 * by letting some of them end first. */
enum { PLANS_PRESENT = 5 };
#define PLANS_LEARNT 0.2

/* How much of all nodes works, and how much slower than alone the slowest is. */
static int plans_try(const struct workload *workload, const char *strategy,
                     struct planned_online *found, struct err *err)
{
    const struct trial trial = {.workload = workload, .options = {.check = true}};
    struct weir_metrics metrics;
    double nodes = 0;
    if (paper_measure_trial(&trial, strategy, &metrics, err) < 0)
        return -1;
    for (uint32_t i = 0; i < workload->count; i++)
        nodes += workload->apps[i].facts.nodes;
    *found = (struct planned_online){
        metrics.utilization * nodes / fmax(nodes, workload->platform.nodes), 1 / metrics.min_yield};
    return 0;
}

/* The most efficient of the strategies that only react, with the slowdown under it. */
static int plans_try_reacting(const struct workload *workload, struct planned_online *best,
                              struct err *err)
{
    *best = (struct planned_online){0};
    for (int i = 0; policy_all[i]; i++) {
        struct planned_online found;
        if (strncmp(policy_all[i], "replan", strlen("replan")) == 0)
            continue;
        if (plans_try(workload, policy_all[i], &found, err) < 0)
            return -1;
        if (found.sys_efficiency > best->sys_efficiency)
            *best = found;
    }
    return 0;
}

static int plans_replan(struct plans_unit *unit, bool quick, struct err *err)
{
    (void)quick;
    struct subject_workload subject;
    struct planned_online found;
    int status = plans_lengthen(unit, PLANS_PRESENT, PLANS_LEARNT, &subject, err);
    for (uint16_t i = EVEN; i <= REPLAN && status == 0; i++) {
        status = plans_try(subject.workload, plans_series[i], &found, err);
        if (status == 0)
            status = plans_add(unit, i, found, NULL, err);
    }
    if (status == 0)
        status = plans_try_reacting(subject.workload, &found, err);
    if (status == 0)
        status = plans_add(unit, REACTING, found, NULL, err);
    subject_fini(&subject);
    return status;
}

/* --- the experiment --------------------------------------------------------------------------- */

static uint32_t plans_units(bool quick)
{
    (void)quick;
    return PLANS_GROUPS * JUPITER_SETS;
}

static int plans_run(uint32_t number, bool quick, struct samples *samples, struct err *err)
{
    static int (*const parts[PLANS_GROUPS])(struct plans_unit *, bool, struct err *) = {
        [SEARCHED] = plans_search, [LONG] = plans_follow, [PRESENT] = plans_replan};
    uint32_t group = number / JUPITER_SETS, set = number % JUPITER_SETS + 1;
    struct plans_unit unit = {.sample = {.group = (uint16_t)group, .x = set}, .samples = samples};
    int status = jupiter_take(&unit.set, (int)set, err);
    if (status == 0)
        status = parts[group](&unit, quick, err);
    planned_set_fini(&unit.set);
    return status;
}

const struct experiment experiment_plans = {
    .workloads = "the ten sets of Jupiter; long runs have 400 of the longest iterations; while all "
                 "run: 100 of them, from a fifth of the run on until the first application ends. "
                 "Our search for plans only in the full run",
    .series = plans_series,
    .columns = plans_columns,
    .groups = plans_groups,
    .x = "set",
    .quick_time = 2,
    .full_time = 7,
    .units = plans_units,
    .run = plans_run,
};

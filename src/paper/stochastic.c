/* APIO against online strategies (Zha and Shen 2022, section 5): ten sets of applications with
 * random work, as published and with so little bandwidth that the file system is loaded. */
#include "paper/experiment.h"
#include "paper/planned_set.h"
#include <stdio.h>

enum { APIO, BIOS, LOOK_AHEAD, FLOOR, BARRIER, PLAN };
static const char *const stochastic_series[] = {
    [APIO] = "apio",
    [BIOS] = "min-max:gamma=0.5",
    [LOOK_AHEAD] = "look-ahead-greedy-yield",
    [FLOOR] = "floor",
    [BARRIER] = "apio:barrier",
    [PLAN] = "plan",
    NULL,
};
enum { DILATION, SYSEFF, DILATION_RATIO, SYSEFF_RATIO };
static const char *const stochastic_columns[] = {"Dilation", "SysEfficiency",
                                                 "Dilation / min-max's in the same run",
                                                 "SysEfficiency / min-max's in the same run", NULL};

enum {
    UNIFORM,
    NORMAL,
    LOGNORMAL,
    UNIFORM_LOADED,
    NORMAL_LOADED,
    LOGNORMAL_LOADED,
    UNIFORM_MINUTES,
    NORMAL_MINUTES,
    LOGNORMAL_MINUTES,
    STOCHASTIC_GROUPS
};
static const char *const stochastic_groups[] = {
    "uniform, 100 GB/s",        "truncated normal, 100 GB/s",
    "lognormal, 100 GB/s",      "uniform, load 1",
    "truncated normal, load 1", "lognormal, load 1",
    "uniform, minutes",         "truncated normal, minutes",
    "lognormal, minutes",       NULL};
static const char *const stochastic_params[] = {"distribution=uniform load=0",
                                                "distribution=normal load=0",
                                                "distribution=lognormal load=0",
                                                "distribution=uniform load=1",
                                                "distribution=normal load=1",
                                                "distribution=lognormal load=1",
                                                "distribution=uniform unit=minutes iterations=0",
                                                "distribution=normal unit=minutes iterations=0",
                                                "distribution=lognormal unit=minutes iterations=0"};
enum { SETS = 10 };

/* The paper repeats five times. */
static uint32_t stochastic_seeds(bool quick)
{
    return quick ? 3 : 30;
}

static uint32_t stochastic_units(bool quick)
{
    return STOCHASTIC_GROUPS * SETS * stochastic_seeds(quick);
}

/* All strategies on one set; those that follow a plan have the published search's. */
static int stochastic_compare(const struct planned_set *set, struct sample sample,
                              struct samples *samples, struct err *err)
{
    static const struct planned_search search = {PLAN_SEARCH_PAPER, PLAN_SYS_EFFICIENCY, 0};
    struct plan *plan = planned_set_search(set, &search, err);
    struct weir_metrics online;
    int status = plan ? 0 : -1;
    if (status == 0)
        status = paper_measure(set->subject.workload, stochastic_series[BIOS], plan, &online, err);
    for (uint16_t i = 0; stochastic_series[i] && status == 0; i++) {
        struct weir_metrics metrics;
        status = paper_measure(set->subject.workload, stochastic_series[i], plan, &metrics, err);
        sample.series = i;
        sample.values[DILATION] = metrics.dilation;
        sample.values[SYSEFF] = metrics.sys_efficiency;
        sample.values[DILATION_RATIO] = metrics.dilation / online.dilation;
        sample.values[SYSEFF_RATIO] = metrics.sys_efficiency / online.sys_efficiency;
        if (status == 0)
            status = samples_add(samples, &sample, err);
    }
    plan_free(plan);
    return status;
}

static int stochastic_run(uint32_t unit, bool quick, struct samples *samples, struct err *err)
{
    uint32_t seeds = stochastic_seeds(quick), group = unit / seeds / SETS;
    uint32_t number = unit / seeds % SETS + 1;
    char params[64];
    struct planned_set set;
    snprintf(params, sizeof params, "set=%u %s", (unsigned)number, stochastic_params[group]);
    const struct subject_source source = {&family_apio, params, unit % seeds + 1};
    int status = planned_set_draw(&set, &source, err);
    if (status == 0)
        status = stochastic_compare(&set, (struct sample){.group = (uint16_t)group, .x = number},
                                    samples, err);
    planned_set_fini(&set);
    return status;
}

const struct experiment experiment_stochastic = {
    .workloads = "the ten sets of the paper (family apio) with work of three distributions: scaled "
                 "to the periods of Table 2, with the published 100 GB/s and with a load of 1, and "
                 "read as minutes, with the published bandwidth and numbers of instances; 3 seeds "
                 "in the quick run, 30 in the "
                 "full one",
    .series = stochastic_series,
    .columns = stochastic_columns,
    .groups = stochastic_groups,
    .x = "set",
    .quick_time = 0.1,
    .full_time = 1.3,
    .units = stochastic_units,
    .run = stochastic_run,
};

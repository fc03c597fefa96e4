/* Where our strategies are not best: hundreds of applications, and a set of Jupiter. */
#include "gen/gen.h"
#include "paper/experiment.h"
#include "paper/findings.h"
#include "paper/run.h"
#include <math.h>
#include <stdio.h>

enum { MIN_YIELD, EFFICIENCY, SYSEFF, DILATION };
static const char *const limits_columns[] = {"MinYield", "Efficiency", "SysEfficiency", "Dilation",
                                             NULL};
enum { MANY, JUPITER };
static const char *const limits_groups[] = {"applications", "Jupiter, set", NULL};

static const int limits_counts[] = {600, 300, 60}; /* the longest first */
enum { COUNTS = sizeof limits_counts / sizeof *limits_counts, SETS = 10 };

static uint32_t limits_seeds(bool quick)
{
    return quick ? 1 : 20;
}

static uint32_t limits_units(bool quick)
{
    return COUNTS * limits_seeds(quick) + SETS;
}

struct limits_unit {
    struct sample sample; /* with group and x */
    struct samples *samples;
};

static int limits_compare(const struct workload *workload, void *context, struct err *err)
{
    struct limits_unit *unit = context;
    for (uint16_t i = 0; i <= OURS_THRIFT; i++) {
        struct weir_metrics metrics;
        if (i == OURS_BOUND)
            continue;
        if (paper_measure(workload, findings_series[i], NULL, &metrics, err) < 0)
            return -1;
        unit->sample.series = i;
        unit->sample.values[MIN_YIELD] = metrics.min_yield;
        unit->sample.values[EFFICIENCY] = metrics.efficiency;
        unit->sample.values[SYSEFF] = metrics.sys_efficiency;
        unit->sample.values[DILATION] = metrics.dilation;
        if (samples_add(unit->samples, &unit->sample, err) < 0)
            return -1;
    }
    return 0;
}

static int limits_run(uint32_t number, bool quick, struct samples *samples, struct err *err)
{
    uint32_t seeds = limits_seeds(quick), place = number / seeds;
    if (number >= COUNTS * seeds) {
        int set = (int)(number - COUNTS * seeds) + 1;
        struct limits_unit unit = {{.group = JUPITER, .x = set}, samples};
        char params[16];
        snprintf(params, sizeof params, "set=%d", set);
        const struct subject_source source = {&family_jupiter, params, 1};
        return subject_each_draw(&source, limits_compare, &unit, err);
    }
    int count = limits_counts[place];
    struct limits_unit unit = {{.group = MANY, .x = count}, samples};
    char params[64];
    snprintf(params, sizeof params, "applications=%d small=%d pressure=1 horizon=2e5", count,
             count / 3);
    const struct subject_source source = {&family_synthetic, params,
                                          FINDINGS_SEED + number % seeds};
    return subject_each_draw(&source, limits_compare, &unit, err);
}

const struct experiment experiment_limits = {
    .workloads = "the family synthetic with W = 1, horizon=2e5 and 60, 300 or 600 applications, a "
                 "third of them small: 20 windows each in the full run, one in the quick one, "
                 "seeds from 1001 on; and the ten sets of Jupiter, to completion",
    .series = findings_series,
    .columns = limits_columns,
    .groups = limits_groups,
    .x = "applications",
    .quick_time = 0.2,
    .full_time = 4,
    .units = limits_units,
    .run = limits_run,
};

/* Where our strategies are not best: hundreds of applications, and a set of Jupiter. */
#include "gen/gen.h"
#include "paper/findings.h"
#include "paper/result.h"
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

#define STRATEGIES (SERIES(OURS_STRATEGIES) - 1)
#define VARIANTS   (STRATEGIES | SERIES(OURS_THRIFT))
#define OF_MANY(column, series_)                                                                   \
    {                                                                                              \
        column, MANY, SERIES(series_)                                                              \
    }
#define WITH(count) .from = (count)-0.5, .to = (count) + 0.5

static const struct claim limits_claims[] = {
    {.text = "with 300 applications critical-yield still has a higher MinYield than greedy-yield",
     .measured = "its MinYield - greedy-yield's",
     .ours = OF_MANY(MIN_YIELD, OURS_CRITICAL),
     .against = OF_MANY(MIN_YIELD, OURS_GREEDY_YIELD),
     .operation = CLAIM_DIFFERENCE,
     WITH(300),
     .relation = CLAIM_AT_LEAST,
     .full = true},
    {.text = "with 600 applications too",
     .measured = "its MinYield - greedy-yield's",
     .ours = OF_MANY(MIN_YIELD, OURS_CRITICAL),
     .against = OF_MANY(MIN_YIELD, OURS_GREEDY_YIELD),
     .operation = CLAIM_DIFFERENCE,
     WITH(600),
     .relation = CLAIM_AT_LEAST,
     .full = true},
    {.text = "not best: in windows this short surplus has less MinYield than greedy-yield",
     .measured = "its MinYield - greedy-yield's, the largest over the numbers of applications",
     .ours = OF_MANY(MIN_YIELD, OURS_SURPLUS),
     .against = OF_MANY(MIN_YIELD, OURS_GREEDY_YIELD),
     DIFFERENCE_OVER(LARGEST),
     .relation = CLAIM_AT_MOST,
     .full = true},
    {.text = "not best: with 300 applications look-ahead is more efficient than critical-yield",
     .measured = "its Efficiency - critical-yield's",
     .ours = OF_MANY(EFFICIENCY, OURS_LOOK_AHEAD),
     .against = OF_MANY(EFFICIENCY, OURS_CRITICAL),
     .operation = CLAIM_DIFFERENCE,
     WITH(300),
     .relation = CLAIM_AT_LEAST,
     .full = true},
    {.text = "not best: with 600 applications look-ahead is more efficient than surplus",
     .measured = "its Efficiency - surplus'",
     .ours = OF_MANY(EFFICIENCY, OURS_LOOK_AHEAD),
     .against = OF_MANY(EFFICIENCY, OURS_SURPLUS),
     .operation = CLAIM_DIFFERENCE,
     WITH(600),
     .relation = CLAIM_AT_LEAST,
     .full = true},
    {.text = "not best: on set 2 of Jupiter the SysEfficiency of surplus is below look-ahead's",
     .measured = "its SysEfficiency - look-ahead's",
     .ours = {SYSEFF, JUPITER, SERIES(OURS_SURPLUS)},
     .against = {SYSEFF, JUPITER, SERIES(OURS_LOOK_AHEAD)},
     .operation = CLAIM_DIFFERENCE,
     WITH(2),
     AT_MOST(-0.03)},
    {.text = "in return critical-yield has the smallest Dilation there",
     .measured = "its Dilation - the smallest other's",
     .ours = {DILATION, JUPITER, SERIES(OURS_CRITICAL)},
     .against = {DILATION, JUPITER, STRATEGIES & ~(SERIES(OURS_CRITICAL) | SERIES(OURS_SURPLUS)),
                 CLAIM_MEAN, CLAIM_SMALLEST},
     .operation = CLAIM_DIFFERENCE,
     WITH(2),
     .relation = CLAIM_AT_MOST,
     .tolerance = 1e-4},
    {.text = "with thrift=0.03 surplus has the Dilation of critical-yield there",
     .measured = "its Dilation - critical-yield's",
     .ours = {DILATION, JUPITER, SERIES(OURS_THRIFT)},
     .against = {DILATION, JUPITER, SERIES(OURS_CRITICAL)},
     .operation = CLAIM_DIFFERENCE,
     WITH(2),
     .relation = CLAIM_AT_MOST,
     .tolerance = 1e-3},
    {.text = "and more SysEfficiency than look-ahead",
     .measured = "its SysEfficiency - look-ahead's",
     .ours = {SYSEFF, JUPITER, SERIES(OURS_THRIFT)},
     .against = {SYSEFF, JUPITER, SERIES(OURS_LOOK_AHEAD)},
     .operation = CLAIM_DIFFERENCE,
     WITH(2),
     .relation = CLAIM_AT_LEAST},
    {.text = "thrift costs MinYield",
     .measured = "its MinYield - that without, the largest over the numbers of applications",
     .ours = OF_MANY(MIN_YIELD, OURS_THRIFT),
     .against = OF_MANY(MIN_YIELD, OURS_SURPLUS),
     DIFFERENCE_OVER(LARGEST),
     .relation = CLAIM_AT_MOST,
     .full = true},
    {.text = "and brings Efficiency",
     .measured = "its Efficiency - that without, the smallest over the numbers of applications",
     .ours = OF_MANY(EFFICIENCY, OURS_THRIFT),
     .against = OF_MANY(EFFICIENCY, OURS_SURPLUS),
     DIFFERENCE_OVER(SMALLEST),
     .relation = CLAIM_AT_LEAST,
     .full = true},
    {.text = NULL},
};

const struct result result_findings_limits = {
    .name = "findings-limits",
    .title = "where critical-yield and surplus are not best",
    .experiment = EXPERIMENT_limits,
    .note = "With hundreds of applications all strategies do better, since the I/Os of many "
            "even out, and critical-yield leads in MinYield by a few parts in 10,000 only. "
            "The windows are a tenth as long as those of findings-strategies; there surplus "
            "pays for its Efficiency with up to 0.7 % of MinYield. It is more efficient than "
            "floor, but with 600 applications look-ahead is a little ahead of it, at the "
            "price of 5 % of MinYield. The figure begins at 0.8; fcfs, set-10 and greedy-com "
            "have less MinYield. On set 2 of Jupiter, where a few applications of unlike "
            "lengths run to completion, both of our strategies give the bandwidth to those "
            "that are behind, which are not those that fill the machine: fcfs and floor have "
            "more than 20 % more SysEfficiency. The parameter thrift of surplus mends that: it "
            "favours applications that work long for their I/O, whose few bytes hardly delay the "
            "others.",
    .charts = (const struct chart[]){{.title = "MinYield, W = 1",
                                      .y = "MinYield",
                                      .kind = CHART_BARS,
                                      .column = MIN_YIELD,
                                      .group = MANY,
                                      .series = STRATEGIES,
                                      .intervals = true,
                                      .low = 0.8,
                                      .high = 1},
                                     {.title = "Efficiency, W = 1",
                                      .y = "Efficiency",
                                      .kind = CHART_BARS,
                                      .column = EFFICIENCY,
                                      .group = MANY,
                                      .series = STRATEGIES,
                                      .intervals = true,
                                      .low = 0.8,
                                      .high = 1},
                                     {.title = NULL}},
    .tables = (const struct chart[]){{.title = "Jupiter: SysEfficiency",
                                      .column = SYSEFF,
                                      .group = JUPITER,
                                      .series = VARIANTS,
                                      .x = "set"},
                                     {.title = "Jupiter: Dilation",
                                      .column = DILATION,
                                      .group = JUPITER,
                                      .series = VARIANTS,
                                      .x = "set"},
                                     {.title = NULL}},
    .claims = limits_claims,
};

/* How far strategies are from what no schedule can pass. */
#include "bound/bound.h"
#include "paper/findings.h"
#include "paper/result.h"
#include "paper/run.h"
#include <math.h>
#include <stdio.h>

enum { MIN_YIELD, EFFICIENCY, GAP };
static const char *const frontier_columns[] = {"MinYield", "Efficiency",
                                               "gap to the bound on MinYield, %", NULL};
static const double frontier_pressures[] = {0.2, 0.5, 0.8, 1.0, 1.1};
enum { PRESSURES = sizeof frontier_pressures / sizeof *frontier_pressures };

/* Strategies and the bound over the pressure; the trade-off of both measures at two pressures. */
enum { OVER_PRESSURE, TRADE_10, TRADE_11 };
static const char *const frontier_groups[] = {"gap", "trade-off, W 1.0", "trade-off, W 1.1", NULL};

/* Along the trade-off of the bound: parts of the largest MinYield. */
static const double frontier_parts[] = {0.3,  0.45, 0.6,  0.7,  0.8,   0.85, 0.9,
                                        0.93, 0.95, 0.97, 0.98, 0.985, 0.99, 1};
enum { STEPS = sizeof frontier_parts / sizeof *frontier_parts };

static uint32_t frontier_seeds(bool quick)
{
    return quick ? 1 : 20;
}

static uint32_t frontier_units(bool quick)
{
    return PRESSURES * frontier_seeds(quick);
}

struct frontier_unit {
    double pressure;
    struct samples *samples;
};

/* Adds it, and in the trade-off of its pressure. */
static int frontier_add(const struct frontier_unit *unit, struct sample sample, struct err *err)
{
    sample.group = OVER_PRESSURE;
    sample.x = unit->pressure;
    if (samples_add(unit->samples, &sample, err) < 0)
        return -1;
    if (unit->pressure < 1 || sample.series == OURS_BOUND)
        return 0;
    sample.group = unit->pressure > 1.05 ? TRADE_11 : TRADE_10;
    sample.x = STEPS;
    return samples_add(unit->samples, &sample, err);
}

/* How efficient a schedule can be whose MinYield is at least a part of the largest. */
static int frontier_trade(const struct workload *workload, const struct bounds *bounds,
                          const struct frontier_unit *unit, struct err *err)
{
    for (int step = 0; step < STEPS; step++) {
        double yield = bounds->min_yield * frontier_parts[step] * (1 - 1e-9), efficiency;
        if (bounds_efficiency(workload, yield, &efficiency, err) < 0)
            return -1;
        const struct sample sample = {.group = unit->pressure > 1.05 ? TRADE_11 : TRADE_10,
                                      .series = OURS_BOUND,
                                      .x = step,
                                      .values = {yield, efficiency, NAN}};
        if (samples_add(unit->samples, &sample, err) < 0)
            return -1;
    }
    return 0;
}

static int frontier_window(const struct workload *workload, void *context, struct err *err)
{
    const struct frontier_unit *unit = context;
    struct bounds bounds;
    if (bounds_find(workload, &bounds, err) < 0)
        return -1;
    struct sample sample = {.series = OURS_BOUND,
                            .values = {bounds.min_yield, bounds.efficiency, 0}};
    if (frontier_add(unit, sample, err) < 0)
        return -1;
    for (uint16_t i = 0; i < OURS_STRATEGIES; i++) {
        struct weir_metrics metrics;
        if (paper_measure(workload, findings_series[i], NULL, &metrics, err) < 0)
            return -1;
        sample.series = i;
        sample.values[MIN_YIELD] = metrics.min_yield;
        sample.values[EFFICIENCY] = metrics.efficiency;
        sample.values[GAP] = 100 * (1 - metrics.min_yield / bounds.min_yield);
        if (frontier_add(unit, sample, err) < 0)
            return -1;
    }
    return unit->pressure < 1 ? 0 : frontier_trade(workload, &bounds, unit, err);
}

static int frontier_run(uint32_t number, bool quick, struct samples *samples, struct err *err)
{
    uint32_t seeds = frontier_seeds(quick);
    struct frontier_unit unit = {frontier_pressures[PRESSURES - 1 - number / seeds], samples};
    char params[32];
    snprintf(params, sizeof params, "pressure=%g", unit.pressure);
    const struct subject_source source = {&family_synthetic, params,
                                          FINDINGS_SEED + number % seeds};
    return subject_each_draw(&source, frontier_window, &unit, err);
}

const struct experiment experiment_frontier = {
    .workloads = "the family synthetic, 20 windows for each I/O pressure in the full run, one in "
                 "the quick one, seeds from 1001 on; the bounds of `weir bound`",
    .series = findings_series,
    .columns = frontier_columns,
    .groups = frontier_groups,
    .x = "I/O pressure W",
    .quick_time = 1.3,
    .full_time = 26,
    .units = frontier_units,
    .run = frontier_run,
};

#define AT(w) .from = (w)-0.01, .to = (w) + 0.01
/* The mean over 12 windows when the strategy was found. */
#define GAP_IS(w, gap, tolerance_)                                                                 \
    {                                                                                              \
        .text = "at W = " #w " critical-yield is " #gap " % below the bound",                      \
        .measured = "mean gap, %", .ours = {GAP, OVER_PRESSURE, SERIES(OURS_CRITICAL)}, AT(w),     \
        IS_WITHIN(gap, tolerance_), .full = true                                                   \
    }
#define STRATEGIES (SERIES(OURS_STRATEGIES) - 1)

static const struct claim frontier_claims[] = {
    {.text = "no strategy passes the bound on MinYield",
     .measured = "the smallest gap of any window and strategy, %",
     .ours = {GAP, OVER_PRESSURE, STRATEGIES, CLAIM_LEAST, CLAIM_SMALLEST},
     .relation = CLAIM_AT_LEAST},
    GAP_IS(0.2, 0.07, 0.05),
    GAP_IS(0.5, 0.65, 0.3),
    GAP_IS(0.8, 2.8, 0.6),
    GAP_IS(1.0, 6.4, 0.8),
    GAP_IS(1.1, 2.2, 0.8),
    {.text = NULL},
};

const struct result result_findings_bound = {
    .name = "findings-bound",
    .title = "MinYield and Efficiency of strategies, and what no schedule can pass",
    .experiment = EXPERIMENT_frontier,
    .note = "Up to W = 0.5 critical-yield is within 1 % of what no schedule can pass: there is "
            "nothing left to gain. The gap is largest where the file system is just saturated: "
            "there the bound is loose, since it does not see that a delayed application posts its "
            "next I/O later. In the trade-off no strategy has both more MinYield and more "
            "Efficiency than surplus; greedy-com, set-10 and, at W = 1.1, floor pay for their "
            "Efficiency with MinYield. The points of the bound are "
            "the Efficiency that no schedule with this MinYield passes.",
    .charts = (const struct chart[]){{.title = "W = 1.0",
                                      .y = "Efficiency",
                                      .kind = CHART_MEANS,
                                      .column = EFFICIENCY,
                                      .across = MIN_YIELD,
                                      .group = TRADE_10,
                                      .intervals = true},
                                     {.title = "W = 1.1",
                                      .y = "Efficiency",
                                      .kind = CHART_MEANS,
                                      .column = EFFICIENCY,
                                      .across = MIN_YIELD,
                                      .group = TRADE_11,
                                      .intervals = true},
                                     {.title = "W = 1.1, the upper right corner",
                                      .y = "Efficiency",
                                      .kind = CHART_MEANS,
                                      .column = EFFICIENCY,
                                      .across = MIN_YIELD,
                                      .group = TRADE_11,
                                      .low = 0.875,
                                      .high = 0.955,
                                      .left = 0.84,
                                      .right = 0.91},
                                     {.title = "gap to the bound",
                                      .y = "gap on MinYield, %",
                                      .kind = CHART_LINES,
                                      .column = GAP,
                                      .group = OVER_PRESSURE,
                                      .series = SERIES(OURS_GREEDY_YIELD) |
                                                SERIES(OURS_LOOK_AHEAD) | SERIES(OURS_FLOOR) |
                                                SERIES(OURS_CRITICAL) | SERIES(OURS_SURPLUS),
                                      .intervals = true},
                                     {.title = NULL}},
    .claims = frontier_claims,
};

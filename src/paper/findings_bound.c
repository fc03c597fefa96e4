/* How far strategies are from limits that no schedule can beat. */
#include "bound/bound.h"
#include "paper/experiment.h"
#include "paper/findings.h"
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

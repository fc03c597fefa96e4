/* How far critical-yield is from the best schedule, in windows small enough to find that. */
#include "bound/bound.h"
#include "bound/optimum.h"
#include "paper/experiment.h"
#include "paper/findings.h"
#include "paper/run.h"
#include <math.h>
#include <stdio.h>

enum { MIN_YIELD, GAP, PROVED };
static const char *const optimum_columns[] = {"MinYield", "gap to the best schedule, %",
                                              "windows with a proof", NULL};
static const double optimum_pressures[] = {0.6, 0.8, 1.0, 1.2};
enum { PRESSURES = sizeof optimum_pressures / sizeof *optimum_pressures };

enum {
    SMALL_GREEDY_YIELD,
    SMALL_LOOK_AHEAD,
    SMALL_CRITICAL,
    SMALL_SURPLUS,
    SMALL_FCFS,
    SMALL_STRATEGIES,
    SMALL_BOUND = SMALL_STRATEGIES,
    SMALL_BEST
};
static const char *const optimum_series[] = {"greedy-yield",   "look-ahead-greedy-yield",
                                             "critical-yield", "surplus",
                                             "fcfs",           "bound",
                                             "best schedule",  NULL};
static const char *const optimum_groups[] = {"small windows", NULL};

/* Decisions that the search may look at in each window. */
enum { QUICK_EFFORT = 30000, FULL_EFFORT = 2000000 };

static uint32_t optimum_seeds(bool quick)
{
    return quick ? 3 : 40;
}

static uint32_t optimum_units(bool quick)
{
    return PRESSURES * optimum_seeds(quick);
}

struct optimum_unit {
    double pressure;
    struct optimum_effort effort;
    struct samples *samples;
};

/* Adds what a series reaches, beside what no schedule passes. */
static int optimum_add(const struct optimum_unit *unit, uint16_t series, double reached,
                       const struct optimum *best, struct err *err)
{
    const struct sample sample = {
        .series = series,
        .x = unit->pressure,
        .values = {reached, 100 * (1 - reached / best->bound), best->proved}};
    return samples_add(unit->samples, &sample, err);
}

static int optimum_window(const struct workload *workload, void *context, struct err *err)
{
    const struct optimum_unit *unit = context;
    struct bounds bounds;
    struct optimum best;
    if (bounds_find(workload, &bounds, err) < 0 ||
        optimum_find(workload, &unit->effort, &best, err) < 0 ||
        optimum_add(unit, SMALL_BOUND, bounds.min_yield, &best, err) < 0 ||
        optimum_add(unit, SMALL_BEST, best.reached, &best, err) < 0)
        return -1;
    for (uint16_t i = 0; i < SMALL_STRATEGIES; i++) {
        struct weir_metrics metrics;
        if (paper_measure(workload, optimum_series[i], NULL, &metrics, err) < 0 ||
            optimum_add(unit, i, metrics.min_yield, &best, err) < 0)
            return -1;
    }
    return 0;
}

static int optimum_run(uint32_t number, bool quick, struct samples *samples, struct err *err)
{
    uint32_t seeds = optimum_seeds(quick);
    struct optimum_unit unit = {.pressure = optimum_pressures[PRESSURES - 1 - number / seeds],
                                .effort = {.most = quick ? QUICK_EFFORT : FULL_EFFORT},
                                .samples = samples};
    char params[96];
    snprintf(params, sizeof params, "applications=6 small=2 horizon=20000 pressure=%g",
             unit.pressure);
    const struct subject_source source = {&family_synthetic, params,
                                          FINDINGS_SEED + number % seeds};
    return subject_each_draw(&source, optimum_window, &unit, err);
}

const struct experiment experiment_optimum = {
    .workloads = "the family synthetic with 6 applications for 20,000 s, which do some 60 I/Os, 40 "
                 "windows for each I/O pressure in the full run, 3 in the quick one, seeds from "
                 "1001 on; the best schedule by `weir bound --search 2000000`",
    .series = optimum_series,
    .columns = optimum_columns,
    .groups = optimum_groups,
    .x = "I/O pressure W",
    .quick_time = 0.5,
    .full_time = 20,
    .units = optimum_units,
    .run = optimum_run,
};

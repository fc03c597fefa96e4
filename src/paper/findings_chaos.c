/* What 1e-9 in the input does to a window. */
#include "gen/gen.h"
#include "paper/experiment.h"
#include "paper/findings.h"
#include "paper/run.h"
#include "stat/summary.h"
#include <math.h>
#include <stdio.h>

enum { SPREAD, DEVIATION, SPREAD_EFFICIENCY };
static const char *const chaos_columns[] = {
    [SPREAD] = "spread of MinYield, %",
    [DEVIATION] = "standard deviation of MinYield, %",
    [SPREAD_EFFICIENCY] = "spread of Efficiency, %",
    NULL,
};
static const char *const chaos_groups[] = {"synthetic", NULL};
static const double chaos_pressures[] = {0.2, 0.5, 0.8, 1.0, 1.1};
enum { PRESSURES = sizeof chaos_pressures / sizeof *chaos_pressures };

static uint32_t chaos_windows(bool quick)
{
    return quick ? 1 : 10;
}

static uint32_t chaos_members(bool quick)
{
    return quick ? 3 : 10;
}

static uint32_t chaos_units(bool quick)
{
    return PRESSURES * chaos_windows(quick);
}

/* One measure of the members of an ensemble. */
struct chaos_range {
    double least, most;
    struct summary summary;
};

static void chaos_add(struct chaos_range *range, double value)
{
    range->least = range->summary.count > 0 ? fmin(range->least, value) : value;
    range->most = range->summary.count > 0 ? fmax(range->most, value) : value;
    summary_add(&range->summary, value);
}

static double chaos_percent(const struct chaos_range *range)
{
    return 100 * (range->most - range->least) / summary_mean(&range->summary);
}

struct chaos_unit {
    double pressure;
    uint32_t members;
    struct chaos_range yields[OURS_STRATEGIES], efficiencies[OURS_STRATEGIES];
};

static int chaos_member(struct chaos_unit *unit, const struct workload *workload, struct err *err)
{
    for (int i = 0; i < OURS_STRATEGIES; i++) {
        struct weir_metrics metrics;
        if (paper_measure(workload, findings_series[i], NULL, &metrics, err) < 0)
            return -1;
        chaos_add(&unit->yields[i], metrics.min_yield);
        chaos_add(&unit->efficiencies[i], metrics.efficiency);
    }
    return 0;
}

static int chaos_window(const struct workload *workload, void *context, struct err *err)
{
    struct chaos_unit *unit = context;
    int status = 0;
    for (uint32_t k = 0; k < unit->members && status == 0; k++) {
        struct workload *member = workload_perturb(workload, GEN_ENSEMBLE, k + 1, err);
        status = member ? chaos_member(unit, member, err) : -1;
        workload_free(member);
    }
    return status;
}

static int chaos_run(uint32_t number, bool quick, struct samples *samples, struct err *err)
{
    uint32_t windows = chaos_windows(quick);
    struct chaos_unit unit = {.pressure = chaos_pressures[PRESSURES - 1 - number / windows],
                              .members = chaos_members(quick)};
    char params[32];
    snprintf(params, sizeof params, "pressure=%g", unit.pressure);
    const struct subject_source source = {&family_synthetic, params,
                                          FINDINGS_SEED + number % windows};
    int status = subject_each_draw(&source, chaos_window, &unit, err);
    for (uint16_t i = 0; i < OURS_STRATEGIES && status == 0; i++) {
        const struct chaos_range *yields = &unit.yields[i];
        const struct sample sample = {
            .series = i,
            .x = unit.pressure,
            .values = {[SPREAD] = chaos_percent(yields),
                       [DEVIATION] = 100 * summary_deviation(&yields->summary) /
                                     summary_mean(&yields->summary),
                       [SPREAD_EFFICIENCY] = chaos_percent(&unit.efficiencies[i])}};
        status = samples_add(samples, &sample, err);
    }
    return status;
}

const struct experiment experiment_chaos = {
    .workloads = "the family synthetic, 10 windows for each I/O pressure, each ten times with "
                 "lengths and volumes that differ by up to 1e-9 of themselves; one window three "
                 "times in the quick run; seeds from 1001 on. The spread is (largest - smallest) / "
                 "mean of those",
    .series = findings_series,
    .columns = chaos_columns,
    .groups = chaos_groups,
    .x = "I/O pressure W",
    .quick_time = 0.7,
    .full_time = 24,
    .units = chaos_units,
    .run = chaos_run,
};

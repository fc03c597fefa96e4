/* The league: every strategy on every family of workloads, and how far it is from the best of each
 * row. A row is a workload with what is known there; its numbers are means over its seeds, which
 * were not used to find a strategy.
 *
 * The regret of a strategy is the part by which it misses the best of its row, in percent: in
 * fairness, which is MinYield in a window and max stretch to the end, in Efficiency, in
 * SysEfficiency, and in mean stretch. */
#include "gen/gen.h"
#include "paper/experiment.h"
#include "paper/league_rows.h"
#include "paper/run.h"
#include <math.h>

/* Seeds of the league begin here; strategies were tuned on smaller ones. */
enum { LEAGUE_SEED = 20001 };

/* A row with more regret than this, in percent, is a bad one. */
#define LEAGUE_BAD 0.5

/* All that decide without a plan; and one that the user brings. */
static const char *const league_series[] = {
    "clearing",
    "critical-yield",
    "surplus",
    "floor",
    "pace",
    "pace:patience=4,limit=1.1",
    "fair-share",
    "best-effort",
    "fcfs",
    "greedy-yield",
    "greedy-com",
    "look-ahead-greedy-yield",
    "periodic-greedy-yield",
    "set-10",
    "best-next-event",
    "min-dilation",
    "max-syseff",
    "min-max",
    "list",
    "groups",
    "replan",
    "yours",
    NULL,
};
enum { LEAGUE_SERIES = sizeof league_series / sizeof *league_series - 1 };
enum { LEAGUE_YOURS = LEAGUE_SERIES - 1 };

enum { FAIRNESS, EFFICIENCY, SYSEFF, STRETCH, LEAGUE_MEASURES, REACHED = LEAGUE_MEASURES };
static const char *const league_columns[] = {
    [FAIRNESS] = "regret in MinYield or max stretch, %",
    [EFFICIENCY] = "regret in Efficiency, %",
    [SYSEFF] = "regret in SysEfficiency, %",
    [STRETCH] = "regret in mean stretch, %",
    [REACHED] = "MinYield or 1 / max stretch",
    NULL,
};

/* --- a row ------------------------------------------------------------------------------------ */

/* Sums over the workloads of a row. Measures of which less is better are turned over in the end. */
struct league_sums {
    double sums[LEAGUE_SERIES][LEAGUE_MEASURES];
    double workloads;
};

struct league_unit {
    const char *const *strategies; /* by series; NULL = it does not take part */
    struct knowledge knowledge;
    uint64_t seed;
    bool windowed;
    struct league_sums sums;
};

static int league_try(struct league_unit *unit, const struct workload *workload, struct err *err)
{
    const struct trial trial = {.workload = workload, .knowledge = unit->knowledge};
    unit->windowed = workload->window.kind == WINDOW_FIXED;
    for (uint32_t i = 0; i < LEAGUE_SERIES; i++) {
        struct weir_metrics metrics;
        double *sums = unit->sums.sums[i];
        if (!unit->strategies[i])
            continue;
        if (paper_measure_trial(&trial, unit->strategies[i], &metrics, err) < 0)
            return -1;
        sums[FAIRNESS] += unit->windowed ? metrics.min_yield : metrics.max_stretch;
        sums[EFFICIENCY] += metrics.efficiency;
        sums[SYSEFF] += metrics.sys_efficiency;
        sums[STRETCH] += unit->windowed ? (double)NAN : metrics.mean_stretch;
    }
    unit->sums.workloads++;
    return 0;
}

/* Every workload is moved a little, since some families are the same for every seed and congested
 * sharing is chaotic: one run of them says little. */
static int league_each(const struct workload *workload, void *context, struct err *err)
{
    struct league_unit *unit = context;
    struct workload *moved = workload_perturb(workload, GEN_ENSEMBLE, unit->seed, err);
    int status = moved ? league_try(unit, moved, err) : -1;
    workload_free(moved);
    return status;
}

/* The mean of a measure, such that more is better. */
static double league_value(const struct league_unit *unit, uint32_t series, int measure)
{
    bool stretch = measure == STRETCH || (measure == FAIRNESS && !unit->windowed);
    double mean = unit->sums.sums[series][measure] / unit->sums.workloads;
    return stretch ? 1 / mean : mean;
}

static double league_best(const struct league_unit *unit, int measure)
{
    double best = 0;
    for (uint32_t i = 0; i < LEAGUE_SERIES; i++)
        if (unit->strategies[i])
            best = fmax(best, league_value(unit, i, measure));
    return best;
}

static int league_add(const struct league_unit *unit, struct sample sample, struct samples *samples,
                      struct err *err)
{
    for (uint16_t i = 0; i < LEAGUE_SERIES; i++) {
        if (!unit->strategies[i])
            continue;
        sample.series = i;
        for (int measure = 0; measure < LEAGUE_MEASURES; measure++) {
            double value = league_value(unit, i, measure), best = league_best(unit, measure);
            /* Of a stretch, the part by which it is more; of the others, by which they are less. */
            bool stretch = measure == STRETCH || (measure == FAIRNESS && !unit->windowed);
            sample.values[measure] = 100 * (stretch ? best / value - 1 : 1 - value / best);
        }
        sample.values[REACHED] = league_value(unit, i, FAIRNESS);
        if (samples_add(samples, &sample, err) < 0)
            return -1;
    }
    return 0;
}

static int league_judge(uint32_t number, bool quick, const char *yours, struct samples *samples,
                        struct err *err)
{
    const struct league_row row = league_row(number);
    const char *strategies[LEAGUE_SERIES];
    struct league_unit unit = {.strategies = strategies, .knowledge = row.knowledge};
    int status = 0;
    for (uint32_t i = 0; i < LEAGUE_SERIES; i++)
        strategies[i] = i == LEAGUE_YOURS ? yours : league_series[i];
    for (uint32_t k = 0; k < (quick ? row.quick_seeds : row.seeds) && status == 0; k++) {
        const struct subject_source source = {row.family, row.params, LEAGUE_SEED + k};
        unit.seed = source.seed;
        status = row.family->schedule ? subject_each_window(&source, league_each, &unit, err)
                                      : subject_each_draw(&source, league_each, &unit, err);
    }
    if (status < 0 || unit.sums.workloads == 0) /* a quick run leaves rows out */
        return status;
    const struct sample sample = {.group = (uint16_t)row.group, .x = number};
    return league_add(&unit, sample, samples, err);
}

static int league_run(uint32_t number, bool quick, struct samples *samples, struct err *err)
{
    return league_judge(number, quick, NULL, samples, err);
}

/* --- all rows --------------------------------------------------------------------------------- */

/* One measure of one strategy over the rows. */
struct league_total {
    double sum, worst;
    uint32_t rows, bad;
};

/* Of the first `count` samples, which are those of the rows. */
static struct league_total league_total(const struct samples *samples, size_t count,
                                        uint16_t series, int measure)
{
    struct league_total total = {0};
    for (size_t i = 0; i < count; i++) {
        double regret = samples->list[i].values[measure];
        if (samples->list[i].series != series || isnan(regret))
            continue;
        total.sum += regret;
        total.worst = fmax(total.worst, regret);
        total.bad += regret > LEAGUE_BAD;
        total.rows++;
    }
    return total;
}

static int league_summarise(struct samples *samples, size_t count, uint16_t series, struct err *err)
{
    struct sample mean = {.group = LEAGUE_SUMMARY, .series = series, .x = LEAGUE_PLACE_MEAN};
    struct sample worst = mean, bad = mean;
    worst.x = LEAGUE_PLACE_WORST;
    bad.x = LEAGUE_PLACE_BAD;
    mean.values[REACHED] = worst.values[REACHED] = bad.values[REACHED] = NAN;
    for (int measure = 0; measure < LEAGUE_MEASURES; measure++) {
        struct league_total total = league_total(samples, count, series, measure);
        if (total.rows == 0) /* nobody brought one */
            return 0;
        mean.values[measure] = total.sum / total.rows;
        worst.values[measure] = total.worst;
        bad.values[measure] = total.bad;
    }
    return samples_add(samples, &mean, err) < 0 || samples_add(samples, &worst, err) < 0
               ? -1
               : samples_add(samples, &bad, err);
}

static int league_conclude(struct samples *samples, struct err *err)
{
    size_t count = samples->count;
    for (size_t i = 0; i < count; i++) {
        struct sample each = samples->list[i];
        each.group = LEAGUE_EACH;
        each.x = LEAGUE_PLACE_EACH;
        if (samples_add(samples, &each, err) < 0)
            return -1;
    }
    for (uint16_t i = 0; i < LEAGUE_SERIES; i++)
        if (league_summarise(samples, count, i, err) < 0)
            return -1;
    return 0;
}

static uint32_t league_units(bool quick)
{
    (void)quick;
    return LEAGUE_ROWS;
}

const struct experiment experiment_league = {
    .workloads = "107 rows: 20 families or settings of them in windows, 18 sets of applications "
                 "that start together and 11 mixes of jobs that end early or come and go, each "
                 "with volumes known exactly and as the mean of earlier ones, and 9 of the mixes "
                 "with known lengths; seeds from 20001 on, none of which was used to find a "
                 "strategy. m0 to m10 are machines of APEX, r with the data of the report, else of "
                 "the paper. The quick run has few seeds",
    .series = league_series,
    .columns = league_columns,
    .groups = league_groups,
    .x = "row",
    .places = league_places,
    .quick_time = 10,
    .full_time = 300,
    .units = league_units,
    .run = league_run,
    .judge = league_judge,
    .conclude = league_conclude,
};

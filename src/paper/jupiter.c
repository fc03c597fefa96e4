/* The ten Jupiter sets of Aupy et al. (2017): Tables 3 and 4, Figure 6. */
#include "paper/jupiter.h"
#include "gen/gen.h"
#include "paper/experiment.h"
#include "paper/planned_set.h"
#include "paper/slides.h"
#include <math.h>
#include <string.h>

enum { PERSCHED, MIN_DILATION, ONLINE, FAIR_SHARE, KEY_APIO, KEY_SLIDES, IMPLIED };
static const char *const jupiter_series[] = {
    [PERSCHED] = "PerSched",
    [MIN_DILATION] = "PerSched for Dilation",
    [ONLINE] = "best online",
    [FAIR_SHARE] = "fair-share",
    [KEY_APIO] = "max-syseff",
    [KEY_SLIDES] = "max-syseff:key=slides",
    [IMPLIED] = "implied by the slowdowns",
    NULL,
};
enum { DILATION, SYSEFF, NORMALISED, LIMIT, PERIOD, SLOW_TURBULENCE, SLOW_ASTRO, ERROR };
static const char *const jupiter_columns[] = {
    [DILATION] = "Dilation",
    [SYSEFF] = "SysEfficiency",
    [NORMALISED] = "SysEfficiency / upper bound",
    [LIMIT] = "upper bound of SysEfficiency",
    [PERIOD] = "period, s",
    [SLOW_TURBULENCE] = "bandwidth slowdown of turbulence",
    [SLOW_ASTRO] = "bandwidth slowdown of astrophysics",
    [ERROR] = "change of SysEfficiency by overheads, part",
    NULL,
};
enum { SIMULATED, REAL };
static const char *const jupiter_groups[] = {"simulated", "with overheads", NULL};

const double jupiter_starts[JUPITER_SETS] = {900,   16000, 16000,  16000, 495000,
                                             16000, 4544,  495000, 16000, 16000};

int jupiter_take(struct planned_set *set, int number, struct err *err)
{
    return planned_set_take(set, gen_jupiter(number, err), err);
}

struct plan *jupiter_search(const struct planned_set *set, int number,
                            enum plan_objective objective, struct err *err)
{
    const struct planned_search search = {PLAN_SEARCH_PAPER, objective, jupiter_starts[number - 1]};
    return planned_set_search(set, &search, err);
}

/* Table 3: measured on Jupiter without a scheduler. */
enum { TABLE_3_ROWS = 6 };
static const struct table_3_row {
    int set;
    double sys_efficiency, turbulence, astro; /* 0 = there is none */
    const char *turbulent;
} table_3[TABLE_3_ROWS] = {
    {1, .064561, .6572, 0, "turbulence2"},     {2, .250105, .6393, .3812, "turbulence2"},
    {3, .439038, .5692, .3021, "turbulence2"}, {4, .610826, .3490, .2492, "turbulence2"},
    {6, .621977, .3467, .5206, "turbulence2"}, {10, .985470, .1179, .2108, "turbulence1"},
};

static const struct table_3_row *jupiter_row(int set)
{
    for (int i = 0; i < TABLE_3_ROWS; i++)
        if (table_3[i].set == set)
            return &table_3[i];
    return NULL;
}

static bool jupiter_is(const char *name, const char *kind)
{
    return strncmp(name, kind, strlen(kind)) == 0;
}

/* Mean over the applications of a kind: 1 - (I/O alone) / (I/O and waiting for it). */
static double jupiter_slowdown(const struct workload *workload, const struct row *row,
                               const char *kind)
{
    double sum = 0;
    int count = 0;
    for (uint32_t i = 0; i < workload->count; i++) {
        const struct app *app = &workload->apps[i];
        if (!jupiter_is(app->name, kind))
            continue;
        double lost = (row->apps[i].stretch - 1) * app_ideal(app);
        sum += lost / (app->facts.total_io + lost);
        count++;
    }
    return count > 0 ? sum / count : NAN;
}

/* The SysEfficiency that follows from the printed slowdowns s: (1/N) sum p w / (w + tio / (1 - s)).
 */
static double jupiter_implied(const struct planned_set *set, const struct table_3_row *row)
{
    double sum = 0;
    for (uint32_t i = 0; i < set->tasks.count; i++) {
        const struct task *task = &set->tasks.list[i];
        double slow = jupiter_is(task->name, row->turbulent) ? row->turbulence : row->astro;
        sum += task->nodes * task->work / (task->work + task->io / (1 - slow));
    }
    return sum / set->tasks.nodes;
}

/* What one unit adds to. */
struct jupiter_unit {
    struct planned_set set;
    struct sample sample; /* with set and bounds */
    struct samples *samples;
    struct planned_online own; /* of the published search for SysEfficiency */
};

static int jupiter_add(struct jupiter_unit *unit, uint16_t series, double dilation,
                       double efficiency, struct err *err)
{
    struct sample *sample = &unit->sample;
    sample->series = series;
    sample->values[DILATION] = dilation;
    sample->values[SYSEFF] = efficiency;
    sample->values[NORMALISED] = efficiency / sample->values[LIMIT];
    return samples_add(unit->samples, sample, err);
}

static int jupiter_plan(struct jupiter_unit *unit, enum plan_objective objective, struct err *err)
{
    struct plan *plan = jupiter_search(&unit->set, (int)unit->sample.x, objective, err);
    if (!plan)
        return -1;
    struct planned_online found = planned_set_measure(&unit->set, plan);
    unit->sample.values[PERIOD] = plan->period;
    /* The shrink of the search for SysEfficiency can end with less Dilation than any pattern of the
     * sweep has (sets 6 and 9): then that is the least. */
    if (objective == PLAN_SYS_EFFICIENCY)
        unit->own = found;
    else if (unit->own.dilation < found.dilation)
        found = unit->own;
    int status = jupiter_add(unit, objective == PLAN_DILATION ? MIN_DILATION : PERSCHED,
                             found.dilation, found.sys_efficiency, err);
    unit->sample.values[PERIOD] = NAN;
    plan_free(plan);
    return status;
}

/* A strategy, and the slowdowns under it. */
static int jupiter_try(struct jupiter_unit *unit, uint16_t series, struct err *err)
{
    const struct workload *workload = unit->set.subject.workload;
    const struct table_3_row *table = jupiter_row((int)unit->sample.x);
    struct row row;
    int status = paper_try(workload, jupiter_series[series], NULL, &row, err);
    if (status == 0) {
        double *values = unit->sample.values;
        values[SLOW_TURBULENCE] = table ? jupiter_slowdown(workload, &row, table->turbulent) : NAN;
        values[SLOW_ASTRO] = table ? jupiter_slowdown(workload, &row, "astrophysics") : NAN;
        status = jupiter_add(unit, series, row.metrics.dilation, row.metrics.sys_efficiency, err);
        values[SLOW_TURBULENCE] = values[SLOW_ASTRO] = NAN;
    }
    row_fini(&row);
    return status;
}

/* What a machine adds to the model: works and volumes differ by up to a percent from iteration to
 * iteration, and the controller sees the end of an I/O only after a moment of quiet. */
#define REAL_PART    0.01
#define REAL_LATENCY 0.05
enum { REAL_SEEDS = 5 };

/* The mean over some seeds of how far SysEfficiency is from that without all this. */
static int jupiter_try_real(struct jupiter_unit *unit, uint16_t series, const char *strategy,
                            const struct plan *plan, struct err *err)
{
    const struct workload *workload = unit->set.subject.workload;
    struct weir_metrics ideal, real;
    int status = paper_measure(workload, strategy, plan, &ideal, err);
    double sum = 0;
    for (uint64_t seed = 1; seed <= REAL_SEEDS && status == 0; seed++) {
        struct workload *varied = workload_perturb(workload, REAL_PART, seed, err);
        const struct trial trial = {.workload = varied,
                                    .options = {.plan = plan, .release_latency = REAL_LATENCY}};
        status = varied ? paper_measure_trial(&trial, strategy, &real, err) : -1;
        sum += status == 0 ? fabs(real.sys_efficiency / ideal.sys_efficiency - 1) : 0;
        workload_free(varied);
    }
    if (status < 0)
        return -1;
    struct sample sample = unit->sample;
    sample.group = REAL;
    sample.series = series;
    sample.values[SYSEFF] = ideal.sys_efficiency;
    sample.values[ERROR] = sum / REAL_SEEDS;
    return samples_add(unit->samples, &sample, err);
}

static int jupiter_compare_real(struct jupiter_unit *unit, struct err *err)
{
    struct plan *plan = jupiter_search(&unit->set, (int)unit->sample.x, PLAN_SYS_EFFICIENCY, err);
    if (!plan)
        return -1;
    int status = jupiter_try_real(unit, PERSCHED, "plan", plan, err);
    plan_free(plan);
    return status == 0 ? jupiter_try_real(unit, ONLINE, "min-max", NULL, err) : -1;
}

static int jupiter_compare(struct jupiter_unit *unit, struct err *err)
{
    struct planned_online online;
    const struct table_3_row *row = jupiter_row((int)unit->sample.x);
    if (jupiter_plan(unit, PLAN_SYS_EFFICIENCY, err) < 0 ||
        jupiter_plan(unit, PLAN_DILATION, err) < 0)
        return -1;
    if (planned_set_online(&unit->set, slides_strategies, &online, err) < 0 ||
        jupiter_add(unit, ONLINE, online.dilation, online.sys_efficiency, err) < 0)
        return -1;
    for (uint16_t series = FAIR_SHARE; series <= KEY_SLIDES; series++)
        if (jupiter_try(unit, series, err) < 0)
            return -1;
    if (row && jupiter_add(unit, IMPLIED, NAN, jupiter_implied(&unit->set, row), err) < 0)
        return -1;
    return jupiter_compare_real(unit, err);
}

static uint32_t jupiter_units(bool quick)
{
    (void)quick;
    return JUPITER_SETS;
}

static int jupiter_run(uint32_t number, bool quick, struct samples *samples, struct err *err)
{
    (void)quick;
    struct jupiter_unit unit = {.sample = {.group = SIMULATED, .x = number + 1},
                                .samples = samples};
    for (int i = 0; i < SAMPLE_COLUMNS; i++)
        unit.sample.values[i] = NAN;
    int status = jupiter_take(&unit.set, (int)number + 1, err);
    if (status == 0) {
        unit.sample.values[LIMIT] = unit.set.bounds.sys_efficiency;
        status = jupiter_compare(&unit, err);
    }
    planned_set_fini(&unit.set);
    return status;
}

const struct experiment experiment_jupiter = {
    .workloads =
        "the ten sets of the paper's Table 2 on Jupiter (family jupiter), round(20 Tmax / T) "
        "iterations of each application",
    .series = jupiter_series,
    .columns = jupiter_columns,
    .groups = jupiter_groups,
    .x = "set",
    .quick_time = 0.2,
    .full_time = 0.2,
    .units = jupiter_units,
    .run = jupiter_run,
};

/* The ten Jupiter sets of Aupy et al. (2017): Tables 3 and 4, Figure 6. */
#include "paper/jupiter.h"
#include "gen/gen.h"
#include "paper/experiment.h"
#include "paper/planned_set.h"
#include "paper/slides.h"
#include <math.h>
#include <string.h>

enum {
    PERSCHED,
    MIN_DILATION,
    ONLINE,
    ONLINE_WHOLE,
    FAIR_SHARE,
    KEY_APIO,
    KEY_SLIDES,
    KEY_APIO_WHOLE,
    IMPLIED,
    MEASURED_PERSCHED,
    MEASURED_ONLINE,
    MEASURED_NONE
};
static const char *const jupiter_series[] = {
    [PERSCHED] = "PerSched",
    [MIN_DILATION] = "PerSched for Dilation",
    [ONLINE] = "best online",
    [ONLINE_WHOLE] = "best online, whole grants",
    [FAIR_SHARE] = "fair-share",
    [KEY_APIO] = "max-syseff",
    [KEY_SLIDES] = "max-syseff:key=slides",
    [KEY_APIO_WHOLE] = "max-syseff:grants=whole",
    [IMPLIED] = "implied by the slowdowns",
    [MEASURED_PERSCHED] = "PerSched, measured",
    [MEASURED_ONLINE] = "online, measured",
    [MEASURED_NONE] = "no scheduler, measured",
    NULL,
};
enum {
    DILATION,
    SYSEFF,
    NORMALISED,
    LIMIT,
    PERIOD,
    SLOW_TURBULENCE,
    SLOW_ASTRO,
    THEIR_ERROR,
    OUR_ERROR
};
static const char *const jupiter_columns[] = {
    [DILATION] = "Dilation",
    [SYSEFF] = "SysEfficiency",
    [NORMALISED] = "SysEfficiency / upper bound",
    [LIMIT] = "upper bound of SysEfficiency",
    [PERIOD] = "period, s",
    [SLOW_TURBULENCE] = "bandwidth slowdown of turbulence",
    [SLOW_ASTRO] = "bandwidth slowdown of astrophysics",
    [THEIR_ERROR] = "measured against their simulation, part",
    [OUR_ERROR] = "measured against our simulation, part",
    NULL,
};
enum { SIMULATED, MEASURED };
static const char *const jupiter_groups[] = {"simulated", "measured by the authors", NULL};

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

/* Dilation and SysEfficiency measured on Jupiter, and as the paper simulates them:
 * analysis/expes_dil and analysis/expes_syseff beside the published program (MIT licence), the data
 * of Figure 6. */
struct jupiter_pair {
    double dilation, sys_efficiency;
};
static const struct jupiter_published {
    struct jupiter_pair online, persched;               /* measured */
    struct jupiter_pair theirs_online, theirs_persched; /* simulated */
    double no_scheduler;                                /* SysEfficiency, measured */
} jupiter_published[JUPITER_SETS] = {
    {{2.0914, .08105}, {1.905, .0955}, {2.091, .0825}, {1.896, .0973}, .064561},
    {{1.650988, .26988}, {1.476, .286}, {1.658, .271}, {1.429, .290}, .2501},
    {{1.29565, .44003}, {1.129, .471}, {1.291, .442}, {1.087, .480}, .439038},
    {{1.02815, .63979}, {1.015, .639}, {1.029, .640}, {1.014, .647}, .610826},
    {{1.0456, .7913}, {1.028, .814}, {1.039, .810}, {1.024, .815}, .6091},
    {{1.04744, .7512}, {1.010, .804}, {1.035, .761}, {1.005, .814}, .6219},
    {{1.0119, .8177}, {1.0119, .820}, {1.012, .818}, {1.007, .824}, .8116},
    {{1.00581, .97549}, {1.005, .976}, {1.005, .976}, {1.005, .976}, .97502},
    {{1.0048, .97644}, {1.0019, .978}, {1.004, .978}, {1.000, .979}, .97438},
    {{1.01817, .98601}, {1.012, .9865}, {1.015, .985}, {1.009, .986}, .98547},
};

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
    struct planned_online own;   /* of the published search for SysEfficiency */
    struct planned_online whole; /* of the best online strategies with whole grants */
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

/* How far a measurement is from a simulation, in the measure in which they differ more. */
static double jupiter_error(const struct jupiter_pair *measured,
                            const struct planned_online *simulated)
{
    return fmax(fabs(measured->dilation / simulated->dilation - 1),
                fabs(measured->sys_efficiency / simulated->sys_efficiency - 1));
}

static int jupiter_add_measured(struct jupiter_unit *unit, struct err *err)
{
    const struct jupiter_published *published = &jupiter_published[(int)unit->sample.x - 1];
    const struct {
        uint16_t series;
        struct jupiter_pair measured, theirs;
        const struct planned_online *ours;
    } list[] = {
        {MEASURED_PERSCHED, published->persched, published->theirs_persched, &unit->own},
        {MEASURED_ONLINE, published->online, published->theirs_online, &unit->whole},
    };
    double *values = unit->sample.values;
    unit->sample.group = MEASURED;
    int status = jupiter_add(unit, MEASURED_NONE, NAN, published->no_scheduler, err);
    for (int i = 0; i < 2 && status == 0; i++) {
        const struct planned_online theirs = {list[i].theirs.sys_efficiency,
                                              list[i].theirs.dilation};
        values[THEIR_ERROR] = jupiter_error(&list[i].measured, &theirs);
        values[OUR_ERROR] = jupiter_error(&list[i].measured, list[i].ours);
        status = jupiter_add(unit, list[i].series, list[i].measured.dilation,
                             list[i].measured.sys_efficiency, err);
    }
    return status;
}

static int jupiter_compare(struct jupiter_unit *unit, struct err *err)
{
    struct planned_online part;
    const struct table_3_row *row = jupiter_row((int)unit->sample.x);
    if (jupiter_plan(unit, PLAN_SYS_EFFICIENCY, err) < 0 ||
        jupiter_plan(unit, PLAN_DILATION, err) < 0)
        return -1;
    if (planned_set_online(&unit->set, slides_strategies, &part, err) < 0 ||
        planned_set_online(&unit->set, slides_strategies_whole, &unit->whole, err) < 0 ||
        jupiter_add(unit, ONLINE, part.dilation, part.sys_efficiency, err) < 0 ||
        jupiter_add(unit, ONLINE_WHOLE, unit->whole.dilation, unit->whole.sys_efficiency, err) < 0)
        return -1;
    for (uint16_t series = FAIR_SHARE; series <= KEY_APIO_WHOLE; series++)
        if (jupiter_try(unit, series, err) < 0)
            return -1;
    if (row && jupiter_add(unit, IMPLIED, NAN, jupiter_implied(&unit->set, row), err) < 0)
        return -1;
    return jupiter_add_measured(unit, err);
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

/* The ten Jupiter sets of Aupy et al. (2017): Tables 3 and 4, Figure 6. */
#include "paper/jupiter.h"
#include "gen/gen.h"
#include "paper/planned_set.h"
#include "paper/result.h"
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

/* --- Table 3
 * -------------------------------------------------------------------------------------- */

#define OF_SET(series, set, value)                                                                 \
    {                                                                                              \
        SIMULATED, series, set, value                                                              \
    }
#define OF_SETS(series, a, b, c, d, e, f, g, h, i, j)                                              \
    OF_SET(series, 1, a), OF_SET(series, 2, b), OF_SET(series, 3, c), OF_SET(series, 4, d),        \
        OF_SET(series, 5, e), OF_SET(series, 6, f), OF_SET(series, 7, g), OF_SET(series, 8, h),    \
        OF_SET(series, 9, i), OF_SET(series, 10, j)
#define LIST_OF(name) .list = name, .count = sizeof name / sizeof *name

static const struct printed_number table_3_fair[] = {
    OF_SET(FAIR_SHARE, 1, .064561), OF_SET(FAIR_SHARE, 2, .250105),
    OF_SET(FAIR_SHARE, 3, .439038), OF_SET(FAIR_SHARE, 4, .610826),
    OF_SET(FAIR_SHARE, 6, .621977), OF_SET(FAIR_SHARE, 10, .985470)};
static const struct printed_number table_3_implied[] = {
    OF_SET(IMPLIED, 1, .064561), OF_SET(IMPLIED, 2, .250105), OF_SET(IMPLIED, 3, .439038),
    OF_SET(IMPLIED, 4, .610826), OF_SET(IMPLIED, 10, .985470)};
static const struct printed_number table_3_contradiction[] = {OF_SET(IMPLIED, 6, .621977)};
static const struct printed_number table_3_turbulence[] = {
    OF_SET(FAIR_SHARE, 1, .6572), OF_SET(FAIR_SHARE, 2, .6393), OF_SET(FAIR_SHARE, 3, .5692),
    OF_SET(FAIR_SHARE, 4, .3490), OF_SET(FAIR_SHARE, 6, .3467), OF_SET(FAIR_SHARE, 10, .1179)};
static const struct printed_number table_3_astro[] = {
    OF_SET(FAIR_SHARE, 2, .3812), OF_SET(FAIR_SHARE, 3, .3021), OF_SET(FAIR_SHARE, 4, .2492),
    OF_SET(FAIR_SHARE, 6, .5206), OF_SET(FAIR_SHARE, 10, .2108)};

#define MEASURED                                                                                   \
    .differs =                                                                                     \
        "theirs was measured on a real machine, ours is fair sharing: there long I/Os lose "       \
        "more than on the machine, and short ones less."

const struct result result_aupy_table_3 = {
    .name = "aupy-table-3",
    .source = "Aupy et al. 2017, Table 3",
    .title = "Jupiter without a scheduler",
    .experiment = EXPERIMENT_jupiter,
    .note = "Fair sharing stands for the machine without a scheduler. The SysEfficiency that is "
            "implied follows from the printed slowdowns.",
    .charts = (const struct chart[]){{"SysEfficiency", "SysEfficiency", CHART_LINES, SYSEFF,
                                      SIMULATED, .series = SERIES(FAIR_SHARE) | SERIES(IMPLIED)},
                                     {"bandwidth slowdown of turbulence", "slowdown", CHART_LINES,
                                      SLOW_TURBULENCE, SIMULATED, .series = SERIES(FAIR_SHARE)},
                                     {"bandwidth slowdown of astrophysics", "slowdown", CHART_LINES,
                                      SLOW_ASTRO, SIMULATED, .series = SERIES(FAIR_SHARE)},
                                     {.title = NULL}},
    .printed =
        (const struct printed[]){
            {.text = "SysEfficiency, measured, against fair sharing",
             .column = SYSEFF,
             LIST_OF(table_3_fair),
             .tolerance = 0.005,
             MEASURED},
            {.text = "SysEfficiency, at most that of fair sharing",
             .column = SYSEFF,
             LIST_OF(table_3_fair),
             .relation = CLAIM_AT_LEAST},
            {.text = "SysEfficiency, all sets but 6, against what the printed slowdowns imply",
             .column = SYSEFF,
             LIST_OF(table_3_implied),
             .tolerance = 0.025},
            {.text = "SysEfficiency of set 6, against what the printed slowdowns imply",
             .column = SYSEFF,
             LIST_OF(table_3_contradiction),
             .tolerance = 0.025,
             .differs = "the columns of the table contradict each other here: the slowdowns imply "
                        "0.79."},
            {.text = "bandwidth slowdown of turbulence",
             .column = SLOW_TURBULENCE,
             LIST_OF(table_3_turbulence),
             .tolerance = 0.02,
             MEASURED},
            {.text = "bandwidth slowdown of astrophysics",
             .column = SLOW_ASTRO,
             LIST_OF(table_3_astro),
             .tolerance = 0.02,
             MEASURED},
            {.text = NULL}},
};

/* --- Table 4
 * -------------------------------------------------------------------------------------- */

static const struct printed_number table_4_persched_dilation[] = {
    OF_SETS(PERSCHED, 1.896, 1.429, 1.087, 1.014, 1.024, 1.005, 1.007, 1.005, 1.000, 1.009)};
static const struct printed_number table_4_persched_first[] = {OF_SET(PERSCHED, 1, .0973)};
static const struct printed_number table_4_persched[] = {
    OF_SETS(PERSCHED, .0973, .290, .480, .647, .815, .814, .824, .976, .979, .986)};
static const struct printed_number table_4_limit[] = {
    OF_SETS(PERSCHED, .172, .334, .495, .656, .816, .818, .827, .977, .979, .988)};
static const struct printed_number table_4_min_dilation[] = {
    OF_SETS(MIN_DILATION, 1.777, 1.422, 1.079, 1.014, 1.010, 1.005, 1.007, 1.005, 1.000, 1.009)};
static const struct printed_number table_4_online_dilation[] = {
    OF_SETS(ONLINE, 2.091, 1.658, 1.291, 1.029, 1.039, 1.035, 1.012, 1.005, 1.004, 1.015)};
static const struct printed_number table_4_online[] = {
    OF_SETS(ONLINE, .0825, .271, .442, .640, .810, .761, .818, .976, .978, .985)};
/* What the published program prints. */
static const struct printed_number program_dilation[] = {
    OF_SETS(PERSCHED, 1.89597, 1.42833, 1.08724, 1.01402, 1.02352, 1.00541, 1.00726, 1.00547,
            1.00003, 1.00919)};
static const struct printed_number program_syseff[] = {OF_SETS(PERSCHED, .0973471, .289837, .479800,
                                                               .647361, .815203, .814200, .823546,
                                                               .976078, .978893, .986171)};
static const struct printed_number program_period[] = {OF_SETS(
    PERSCHED, 8441.55, 15898.6, 15974.7, 111375, 494902, 157571, 36326, 3959919, 141221, 126680)};
/* What two independent implementations of the same rules agree on. */
static const struct printed_number known_online_dilation[] = {OF_SETS(
    ONLINE, 1.7905, 1.4220, 1.0799, 1.0087, 1.0099, 1.0032, 1.0045, 1.0009, 1.0021, 1.0001)};
static const struct printed_number known_online[] = {
    OF_SETS(ONLINE, .0985, .2419, .4771, .6548, .8152, .8165, .8266, .9770, .9781, .9881)};

#define CONTRADICTION                                                                              \
    .differs = "the printed columns cannot come from the definitions: on set 6 SysEfficiency is "  \
               "at least its bound / Dilation = 0.790, but 0.761 is printed; on set 1 the "        \
               "printed Dilation is worse than that of fair sharing; sets 1 to 3 come close only " \
               "if an application is granted bmax or nothing."

#define ONLINE_IS_BETTER                                                                           \
    .differs = "the published online strategies reach less than the definitions give, see the "    \
               "online columns; against what they give there is no gain on set 1."

const struct result result_aupy_table_4 = {
    .name = "aupy-table-4",
    .source = "Aupy et al. 2017, Table 4",
    .title = "PerSched and online strategies on the ten Jupiter sets",
    .experiment = EXPERIMENT_jupiter,
    .note =
        "PerSched is 'weir plan --search paper' with the start periods of the published "
        "program. A unit of the last printed digit is allowed, since the paper rounds up now and "
        "then. Online is the best of the slides' ten strategies in each measure, with the key "
        "that the slides print.",
    .charts =
        (const struct chart[]){{"Dilation", "Dilation", CHART_LINES, DILATION, SIMULATED,
                                .series = SERIES(PERSCHED) | SERIES(MIN_DILATION) | SERIES(ONLINE) |
                                          SERIES(FAIR_SHARE)},
                               {"SysEfficiency", "SysEfficiency", CHART_LINES, SYSEFF, SIMULATED,
                                .series = SERIES(PERSCHED) | SERIES(MIN_DILATION) | SERIES(ONLINE) |
                                          SERIES(FAIR_SHARE)},
                               {.title = NULL}},
    .printed =
        (const struct printed[]){
            {.text = "PerSched, Dilation",
             .column = DILATION,
             LIST_OF(table_4_persched_dilation),
             .tolerance = 0.001},
            {.text = "PerSched, SysEfficiency",
             .column = SYSEFF,
             LIST_OF(table_4_persched),
             .tolerance = 0.001},
            {.text = "PerSched, SysEfficiency of set 1, which has a digit more",
             .column = SYSEFF,
             LIST_OF(table_4_persched_first),
             .tolerance = 1e-4},
            {.text = "PerSched, Dilation, as the published program prints it",
             .column = DILATION,
             LIST_OF(program_dilation),
             .digits = 6},
            {.text = "PerSched, SysEfficiency, as the published program prints it",
             .column = SYSEFF,
             LIST_OF(program_syseff),
             .digits = 6},
            {.text = "PerSched, period, as the published program prints it",
             .column = PERIOD,
             LIST_OF(program_period),
             .digits = 6},
            {.text = "upper bound of SysEfficiency",
             .column = LIMIT,
             LIST_OF(table_4_limit),
             .tolerance = 0.001},
            {.text = "minimal Dilation",
             .column = DILATION,
             LIST_OF(table_4_min_dilation),
             .tolerance = 0.001,
             .differs =
                 "the paper does not say how it was found; ours is what the same search finds "
                 "for Dilation."},
            {.text = "online, Dilation",
             .column = DILATION,
             LIST_OF(table_4_online_dilation),
             .tolerance = 0.001,
             CONTRADICTION},
            {.text = "online, SysEfficiency",
             .column = SYSEFF,
             LIST_OF(table_4_online),
             .tolerance = 0.001,
             CONTRADICTION},
            {.text = "online, Dilation, by two independent implementations",
             .column = DILATION,
             LIST_OF(known_online_dilation),
             .tolerance = 2e-4},
            {.text = "online, SysEfficiency, by two independent implementations",
             .column = SYSEFF,
             LIST_OF(known_online),
             .tolerance = 2e-4},
            {.text = NULL}},
    .claims =
        (const struct claim[]){
            {.text = "PerSched outperforms or matches the online Dilation on every set",
             .measured = "PerSched's Dilation - the best online one, the largest over the sets",
             .ours = {DILATION, SIMULATED, SERIES(PERSCHED)},
             .against = {DILATION, SIMULATED, SERIES(ONLINE)},
             DIFFERENCE_OVER(LARGEST),
             .relation = CLAIM_AT_MOST,
             .tolerance = 0.01,
             .differs =
                 "on set 1 the best online Dilation is 1.790, PerSched's 1.896: the published "
                 "search looks for SysEfficiency, and takes the Dilation that comes with it."},
            {.text = "PerSched outperforms or matches the online SysEfficiency",
             .measured = "PerSched's - the best online one, the smallest over the sets",
             .ours = {SYSEFF, SIMULATED, SERIES(PERSCHED)},
             .against = {SYSEFF, SIMULATED, SERIES(ONLINE)},
             DIFFERENCE_OVER(SMALLEST),
             .relation = CLAIM_AT_LEAST,
             .tolerance = 0.002,
             .differs =
                 "on several sets the best online strategy has up to 0.007 more: it decides at "
                 "every event, while a plan holds whole instances in a fixed period."},
            {.text = "where congestion occurs (sets 1 to 3) it gains 7 to 18 % of SysEfficiency",
             .measured = "PerSched's / the best online one, the smallest of these sets",
             .ours = {SYSEFF, SIMULATED, SERIES(PERSCHED)},
             .against = {SYSEFF, SIMULATED, SERIES(ONLINE)},
             RATIO_OVER(SMALLEST),
             BETWEEN(1, 3),
             AT_LEAST(1.07),
             .tolerance = 0.005,
             ONLINE_IS_BETTER},
            {.text = "and 9 to 16 % of Dilation",
             .measured = "PerSched's / the best online one, the largest of these sets",
             .ours = {DILATION, SIMULATED, SERIES(PERSCHED)},
             .against = {DILATION, SIMULATED, SERIES(ONLINE)},
             RATIO_OVER(LARGEST),
             BETWEEN(1, 3),
             AT_MOST(0.91),
             .tolerance = 0.005,
             ONLINE_IS_BETTER},
            {.text = "elsewhere (sets 4 to 10) it gains at most 3 % of SysEfficiency, 7 % on set 6",
             .measured = "PerSched's / the best online one, the largest of these sets",
             .ours = {SYSEFF, SIMULATED, SERIES(PERSCHED)},
             .against = {SYSEFF, SIMULATED, SERIES(ONLINE)},
             RATIO_OVER(LARGEST),
             BETWEEN(4, 10),
             AT_MOST(1.07)},
            {.text = "MaxSysEff maximises SysEfficiency: with the key of Zha and Shen",
             .measured = "max-syseff - fair-share, set 2",
             .ours = {SYSEFF, SIMULATED, SERIES(KEY_APIO)},
             .against = {SYSEFF, SIMULATED, SERIES(FAIR_SHARE)},
             .operation = CLAIM_DIFFERENCE,
             BETWEEN(2, 2),
             .relation = CLAIM_AT_LEAST},
            {.text = "MaxSysEff maximises SysEfficiency: with the key that the slides print",
             .measured = "max-syseff:key=slides - fair-share, set 2",
             .ours = {SYSEFF, SIMULATED, SERIES(KEY_SLIDES)},
             .against = {SYSEFF, SIMULATED, SERIES(FAIR_SHARE)},
             .operation = CLAIM_DIFFERENCE,
             BETWEEN(2, 2),
             .relation = CLAIM_AT_LEAST,
             .differs =
                 "this key serves the large applications, which bring most of the SysEfficiency, "
                 "last: it is a third below that of fair sharing."},
            {.text = NULL}},
};

/* --- Figure 6
 * ------------------------------------------------------------------------------------- */

const struct result result_aupy_6 = {
    .name = "aupy-6",
    .source = "Aupy et al. 2017, Figure 6",
    .title = "performance of plans, online strategies and no scheduler on Jupiter, simulated",
    .experiment = EXPERIMENT_jupiter,
    .note =
        "The machine is simulated: lengths and volumes vary by up to 1 %, and the end of an I/O "
        "is seen 50 ms late; the plan is followed by the strategy plan, the online strategy is "
        "min-max. A live run of a set has the same errors, 0.2 to 2.2 % of the completion "
        "times (docs/plans.md): 'weir generate jupiter --set 1 -o jupiter1.yaml', then 'weir "
        "replay jupiter1.yaml --policy plan'.",
    .charts =
        (const struct chart[]){{"SysEfficiency / upper bound", "SysEfficiency / bound", CHART_LINES,
                                NORMALISED, SIMULATED,
                                .series = SERIES(PERSCHED) | SERIES(ONLINE) | SERIES(FAIR_SHARE)},
                               {"Dilation", "Dilation", CHART_LINES, DILATION, SIMULATED,
                                .series = SERIES(PERSCHED) | SERIES(ONLINE) | SERIES(FAIR_SHARE)},
                               {"change by overheads", "part of SysEfficiency", CHART_LINES, ERROR,
                                REAL, .series = SERIES(PERSCHED) | SERIES(ONLINE)},
                               {.title = NULL}},
    .claims =
        (const struct claim[]){
            {.text = "the periodic scheduler increases the system performance by 18 % in some "
                     "cases: set 1, where Table 4 has it",
             .measured = "SysEfficiency of PerSched / the best online one, set 1",
             .ours = {SYSEFF, SIMULATED, SERIES(PERSCHED)},
             .against = {SYSEFF, SIMULATED, SERIES(ONLINE)},
             .operation = CLAIM_RATIO,
             BETWEEN(1, 1),
             IS_WITHIN(1.18, 0.03),
             .differs = "the published online strategy reaches .0825 there, ours .0985 "
                        "(aupy-table-4)."},
            {.text = "the same on any set, online by the key of the slides or of Zha and Shen",
             .measured = "SysEfficiency of PerSched / the best online one, the largest over the "
                         "sets",
             .ours = {SYSEFF, SIMULATED, SERIES(PERSCHED)},
             .against = {SYSEFF, SIMULATED, SERIES(ONLINE) | SERIES(KEY_APIO)},
             RATIO_OVER(LARGEST),
             IS_WITHIN(1.18, 0.03),
             .differs =
                 "the key of the slides alone is 20 % behind on set 2, but there it is below "
                 "fair sharing; with the key of Zha and Shen max-syseff reaches as much as "
                 "the plan."},
            {.text = "and the Dilation by 13 %",
             .measured = "Dilation of PerSched / the best online one, the smallest over the sets",
             .ours = {DILATION, SIMULATED, SERIES(PERSCHED)},
             .against = {DILATION, SIMULATED, SERIES(ONLINE)},
             RATIO_OVER(SMALLEST),
             IS_WITHIN(0.87, 0.03),
             .differs = "the published online Dilation of set 2 is 1.658, ours 1.422 "
                        "(aupy-table-4)."},
            {.text = "compared to the strategy of Jupiter, the gain in SysEfficiency reaches 48 %",
             .measured = "SysEfficiency of PerSched / fair-share's, the largest over the sets",
             .ours = {SYSEFF, SIMULATED, SERIES(PERSCHED)},
             .against = {SYSEFF, SIMULATED, SERIES(FAIR_SHARE)},
             RATIO_OVER(LARGEST),
             IS_WITHIN(1.48, 0.03),
             .differs = "the machine is simulated as fair sharing, but the real one lost more than "
                        "that (aupy-table-3)."},
            {.text = "the model is accurate within 3.8 % for periodic schedules",
             .measured = "change of SysEfficiency by overheads, the largest over the sets",
             .ours = {ERROR, REAL, SERIES(PERSCHED)},
             .over = CLAIM_OVER_LARGEST,
             AT_MOST(0.038)},
            {.text = "the model is accurate within 2.3 % for online schedules",
             .measured = "change of SysEfficiency by overheads, the largest over the sets",
             .ours = {ERROR, REAL, SERIES(ONLINE)},
             .over = CLAIM_OVER_LARGEST,
             AT_MOST(0.023)},
            {.text = NULL}},
};

/* Windows of machine schedules drawn from the APEX report (Benoit et al. 2024, section 6.3), with
 * the data that the paper used. */
#include "paper/benoit.h"
#include "paper/result.h"
#include "paper/run.h"
#include <math.h>
#include <stdio.h>
#include <time.h>

enum { MIN_YIELD, RELATIVE, BELOW, EFFICIENCY, UTILIZATION, SECONDS, HOURS, SCALE, PRESSURE };
static const char *const apex_columns[] = {
    [MIN_YIELD] = "MinYield",
    [RELATIVE] = "MinYield / fair-share's",
    [BELOW] = "part of the windows below fair-share",
    [EFFICIENCY] = "Efficiency",
    [UTILIZATION] = "Utilization",
    [SECONDS] = "processor time of a simulation, s",
    [HOURS] = "length of the window, h",
    [SCALE] = "machine",
    [PRESSURE] = "I/O pressure W",
    NULL,
};
/* Over the I/O pressure, and the pressure itself over the machines. */
enum { TRILAB, NERSC, TRILAB_MACHINES, NERSC_MACHINES };
static const char *const apex_groups[] = {"TRILAB", "NERSC", "TRILAB, machines", "NERSC, machines",
                                          NULL};
static const struct family *const apex_families[] = {&family_apex_trilab, &family_apex_nersc};

/* The paper has 100 schedules for each machine. */
static const int apex_quick_machines[] = {0, 3, 5, 7, 10};
enum { APEX_QUICK_MACHINES = 5, APEX_MACHINES = 11, APEX_QUICK = 3, APEX_FULL = 30 };

static uint32_t apex_units(bool quick)
{
    return 2 * (quick ? APEX_QUICK_MACHINES * APEX_QUICK : APEX_MACHINES * APEX_FULL);
}

/* Of this thread alone, so that it does not depend on what else runs. */
static double apex_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* What the windows of a schedule are added to. */
struct apex_unit {
    struct sample sample; /* with group and machine */
    struct samples *samples;
};

static int apex_window(const struct workload *workload, void *context, struct err *err)
{
    const struct apex_unit *unit = context;
    struct sample sample = unit->sample;
    double fair = 0;
    sample.x = workload->io_pressure;
    sample.values[HOURS] = workload->window.end / 3600;
    sample.values[PRESSURE] = workload->io_pressure;
    for (uint16_t i = 0; benoit_series[i]; i++) {
        struct weir_metrics metrics;
        double before = apex_clock();
        if (paper_measure(workload, benoit_series[i], NULL, &metrics, err) < 0)
            return -1;
        fair = i == FAIR_SHARE ? metrics.min_yield : fair;
        sample.series = i;
        sample.values[SECONDS] = apex_clock() - before;
        sample.values[MIN_YIELD] = metrics.min_yield;
        sample.values[RELATIVE] = metrics.min_yield / fair;
        sample.values[BELOW] = metrics.min_yield < fair - 1e-6;
        sample.values[EFFICIENCY] = metrics.efficiency;
        sample.values[UTILIZATION] = metrics.utilization;
        if (samples_add(unit->samples, &sample, err) < 0)
            return -1;
    }
    sample.group += TRILAB_MACHINES;
    sample.series = FAIR_SHARE;
    sample.x = sample.values[SCALE];
    return samples_add(unit->samples, &sample, err);
}

/* The windows of one schedule. */
static int apex_run(uint32_t number, bool quick, struct samples *samples, struct err *err)
{
    uint32_t schedules = quick ? APEX_QUICK : APEX_FULL;
    uint32_t machines = quick ? APEX_QUICK_MACHINES : APEX_MACHINES;
    uint32_t place = number / schedules % machines, group = number / schedules / machines;
    int machine = quick ? apex_quick_machines[place] : (int)place;
    char params[32];
    snprintf(params, sizeof params, "machine=%d data=paper", machine);
    struct apex_unit unit = {{.group = (uint16_t)group, .values = {[SCALE] = machine}}, samples};
    const struct subject_source source = {apex_families[group], params, number % schedules + 1};
    return subject_each_window(&source, apex_window, &unit, err);
}

const struct experiment experiment_apex = {
    .workloads = "the families apex-trilab and apex-nersc with data=paper: the 20 longest windows "
                 "of each schedule; 3 schedules for each of five machines in the quick run, 30 "
                 "for each of eleven in the full one (the paper has 100)",
    .series = benoit_series,
    .columns = apex_columns,
    .groups = apex_groups,
    .x = "I/O pressure W",
    .bin = 0.1,
    .enough = 1,
    .quick_time = 1.4,
    .full_time = 36,
    .units = apex_units,
    .run = apex_run,
};

/* Windows with an I/O pressure below 0.5, from there to 1, and above. */
#define LOW    .to = 0.49999
#define MIDDLE BETWEEN(0.5, 1)
#define HIGH   BETWEEN(1.00001, 100)
#define APEX_MEAN(column, group, series_)                                                          \
    {                                                                                              \
        column, group, SERIES(series_)                                                             \
    }

/* --- Figure 5
 * ------------------------------------------------------------------------------------- */

#define ON_CIELO(group, name)                                                                      \
    {                                                                                              \
        .text = "on Cielo the I/O pressure is about 0.15 on average: " name,                       \
        .measured = "mean I/O pressure on machine 0",                                              \
        .ours = {PRESSURE, group, SERIES(FAIR_SHARE), BETWEEN(-1, 0.5)}, IS_WITHIN(0.15, 0.06)     \
    }
#define ON_THE_LAST(group, name)                                                                   \
    {                                                                                              \
        .text = "the I/O pressures range up to 1.4: " name,                                        \
        .measured = "mean I/O pressure on machine 10",                                             \
        .ours = {PRESSURE, group, SERIES(FAIR_SHARE), BETWEEN(10, 10)}, .relation = CLAIM_IS,      \
        .bound = 1.4, .tolerance = 0.2                                                             \
    }

static const struct claim claims_5[] = {
    ON_CIELO(TRILAB_MACHINES, "TRILAB"),
    ON_CIELO(NERSC_MACHINES, "NERSC"),
    ON_THE_LAST(TRILAB_MACHINES, "TRILAB"),
    ON_THE_LAST(NERSC_MACHINES, "NERSC"),
    {.text = "TRILAB: each application has a minimum of 5 phases, about one an hour",
     .measured = "shortest window of TRILAB, h",
     .ours = {HOURS, TRILAB, SERIES(FAIR_SHARE), CLAIM_LEAST},
     AT_LEAST(5)},
    {.text = "NERSC's windows are very small",
     .measured = "longest window of NERSC, h",
     .ours = {HOURS, NERSC, SERIES(FAIR_SHARE), CLAIM_MOST},
     AT_MOST(6)},
    {.text = "NERSC: MinYield stays above 0.8 when the I/O pressure is low (0.4)",
     .measured = "the least MinYield of fair-share, W up to 0.4",
     .ours = {MIN_YIELD, NERSC, SERIES(FAIR_SHARE), CLAIM_LEAST},
     .to = 0.4,
     AT_LEAST(0.8),
     .differs = "a few windows are lower; the paper shows points and prints no least value."},
    {.text = "NERSC: some scenarios have a MinYield under 0.5 when the I/O pressure is 1",
     .measured = "the least MinYield of fair-share, W from 0.9 to 1.1",
     .ours = {MIN_YIELD, NERSC, SERIES(FAIR_SHARE), CLAIM_LEAST},
     BETWEEN(0.9, 1.1),
     AT_MOST(0.5)},
    {.text = "NERSC: a MinYield of 1 is observed for some runs with high pressures",
     .measured = "the largest MinYield of fair-share, W from 1 to 1.4",
     .ours = {MIN_YIELD, NERSC, SERIES(FAIR_SHARE), CLAIM_MOST},
     BETWEEN(1, 1.4),
     AT_LEAST(0.95),
     .differs = "at pressures above 1 fair sharing delays some application in every window; the "
                "largest MinYield is 0.92."},
    {.text = "NERSC: no scenario on Cielo reaches an I/O pressure of 0.5, so the machines of high "
             "pressure are later ones",
     .measured = "the smallest machine with W from 0.5 on",
     .ours = {SCALE, NERSC, SERIES(FAIR_SHARE), CLAIM_LEAST},
     BETWEEN(0.5, 100),
     AT_LEAST(1)},
    {.text = "TRILAB: no scenario has a MinYield under 0.4",
     .measured = "the least MinYield of fair-share, W up to 1.4, where their windows end",
     .ours = {MIN_YIELD, TRILAB, SERIES(FAIR_SHARE), CLAIM_LEAST},
     .to = 1.4,
     AT_LEAST(0.4)},
    {.text = "TRILAB: no scenario has a MinYield close to 1 when the I/O pressure is above 1",
     .measured = "the largest MinYield of fair-share, W > 1",
     .ours = {MIN_YIELD, TRILAB, SERIES(FAIR_SHARE), CLAIM_MOST},
     HIGH,
     AT_MOST(0.95)},
    {.text = NULL},
};

const struct result result_benoit_5 = {
    .name = "benoit-5",
    .source = "Benoit et al. 2024, Figure 5",
    .title = "MinYield of fair-share over the I/O pressure, APEX windows",
    .experiment = EXPERIMENT_apex,
    .charts =
        (const struct chart[]){
            {"NERSC", "MinYield", CHART_POINTS, MIN_YIELD, NERSC, .series = SERIES(FAIR_SHARE)},
            {"TRILAB", "MinYield", CHART_POINTS, MIN_YIELD, TRILAB, .series = SERIES(FAIR_SHARE)},
            {.title = NULL}},
    .claims = claims_5,
};

/* --- Figures 6 and 7
 * -------------------------------------------------------------------------------- */

#define GAIN(group, name, series, where, span, least, ...)                                         \
    {                                                                                              \
        .text = name, .measured = "MinYield / fair-share's, " where,                               \
        .ours = APEX_MEAN(RELATIVE, group, series), span, .relation = CLAIM_AT_LEAST,              \
        .bound = least, __VA_ARGS__                                                                \
    }
#define RISK(group, name, series, where, span, relation_, limit, ...)                              \
    {                                                                                              \
        .text = name, .measured = "part of the windows below fair-share, " where,                  \
        .ours = APEX_MEAN(BELOW, group, series), span, .relation = relation_, .bound = limit,      \
        __VA_ARGS__                                                                                \
    }
#define AGREES .differs = NULL

static const struct claim claims_6[] = {
    {.text = "greedy-com is on average distributed between 0.9 and 1.1",
     .measured = "MinYield / fair-share's, all",
     .ours = APEX_MEAN(RELATIVE, NERSC, GREEDY_COM),
     IS_WITHIN(1, 0.1)},
    GAIN(NERSC, "look-ahead increases MinYield", LOOK_AHEAD, "W < 0.5", LOW, 1, AGREES),
    GAIN(NERSC, "the more the higher the pressure: look-ahead", LOOK_AHEAD, "W > 1", HIGH, 1.1,
         AGREES),
    GAIN(NERSC, "periodic-greedy-yield increases MinYield", PERIODIC, "W < 0.5", LOW, 1, AGREES),
    GAIN(NERSC, "the more the higher the pressure: periodic-greedy-yield", PERIODIC, "W > 1", HIGH,
         1.3, AGREES),
    GAIN(NERSC, "best-next-event increases MinYield", BEST_NEXT, "W < 0.5", LOW, 1, AGREES),
    GAIN(NERSC, "the more the higher the pressure: best-next-event", BEST_NEXT, "W > 1", HIGH, 1.3,
         AGREES),
    RISK(NERSC, "periodic-greedy-yield has almost no scenario below fair-share: W > 0.5", PERIODIC,
         "0.5 to 1", MIDDLE, CLAIM_AT_MOST, 0.1, AGREES),
    RISK(NERSC, "periodic-greedy-yield has almost no scenario below fair-share: W < 0.5", PERIODIC,
         "W < 0.5", LOW, CLAIM_AT_MOST, 0.1,
         .differs =
             "in the mean it is higher, but lower in about half of the windows: where there is "
             "little I/O the differences are small either way."),
    RISK(NERSC, "fcfs has a non-negligible set of scenarios below fair-share", FCFS, "W < 0.5", LOW,
         CLAIM_AT_LEAST, 0.3, AGREES),
    RISK(NERSC, "set-10 has a non-negligible set of scenarios below fair-share", SET_10, "W < 0.5",
         LOW, CLAIM_AT_LEAST, 0.3, AGREES),
    RISK(NERSC, "greedy-yield has a non-negligible set of scenarios below fair-share", GREEDY_YIELD,
         "W < 0.5", LOW, CLAIM_AT_LEAST, 0.3, AGREES),
    {.text = "best-next-event has the highest risk of the three to be below fair-share",
     .measured = "its part of windows below fair-share - look-ahead's, all",
     .ours = APEX_MEAN(BELOW, NERSC, BEST_NEXT),
     .against = APEX_MEAN(BELOW, NERSC, LOOK_AHEAD),
     .operation = CLAIM_DIFFERENCE,
     .relation = CLAIM_AT_LEAST,
     .differs = "ours is exact where their program can miss the optimum of a decision; it is below "
                "in less than 1 % of the windows, look-ahead in 13 to 22 %."},
    {.text = "set-10 and fcfs behave strictly identically",
     .measured = "mean MinYield of set-10 - of fcfs",
     .ours = APEX_MEAN(MIN_YIELD, NERSC, SET_10),
     .against = APEX_MEAN(MIN_YIELD, NERSC, FCFS),
     .operation = CLAIM_DIFFERENCE,
     .relation = CLAIM_IS,
     .tolerance = 2e-3},
    {.text = "look-ahead shows the best MinYield on the most variety of scenarios (6.3.8)",
     .measured = "MinYield / fair-share's for W > 1: look-ahead - the better of periodic and "
                 "best-next-event",
     .ours = APEX_MEAN(RELATIVE, NERSC, LOOK_AHEAD),
     .against = {RELATIVE, NERSC, SERIES(PERIODIC) | SERIES(BEST_NEXT)},
     .operation = CLAIM_DIFFERENCE,
     HIGH,
     .relation = CLAIM_AT_LEAST,
     .differs =
         "it looks no further than the next completion, and at high pressure keeps giving to "
         "those that complete soon; the other two have about twice fair-share's MinYield."},
    {.text = NULL},
};

#define RATIO_CHART(group, series_, name)                                                          \
    {                                                                                              \
        name, "MinYield / fair-share's", CHART_POINTS, RELATIVE, group, .series = SERIES(series_)  \
    }
#define RATIO_CHARTS(group)                                                                        \
    RATIO_CHART(group, FCFS, "fcfs"), RATIO_CHART(group, SET_10, "set-10"),                        \
        RATIO_CHART(group, GREEDY_YIELD, "greedy-yield"),                                          \
        RATIO_CHART(group, GREEDY_COM, "greedy-com"),                                              \
        RATIO_CHART(group, LOOK_AHEAD, "look-ahead-greedy-yield"),                                 \
        RATIO_CHART(group, PERIODIC, "periodic-greedy-yield"),                                     \
        RATIO_CHART(group, BEST_NEXT, "best-next-event"),                                          \
        RATIO_CHART(group, FLOOR, "floor (ours)")

const struct result result_benoit_6 = {
    .name = "benoit-6",
    .source = "Benoit et al. 2024, Figure 6",
    .title = "MinYield relative to fair-share, NERSC windows",
    .experiment = EXPERIMENT_apex,
    .charts = (const struct chart[]){RATIO_CHARTS(NERSC), {.title = NULL}},
    .claims = claims_6,
};

static const struct claim claims_7[] = {
    GAIN(TRILAB, "greedy-com is better than over NERSC until W = 1", GREEDY_COM, "0.5 to 1", MIDDLE,
         1, AGREES),
    {.text = "then the performance of greedy-com drops dramatically",
     .measured = "MinYield / fair-share's, W > 1",
     .ours = APEX_MEAN(RELATIVE, TRILAB, GREEDY_COM),
     HIGH,
     AT_MOST(0.8)},
    RISK(TRILAB, "under greedy-com only a few scenarios underperform until W = 1", GREEDY_COM,
         "0.5 to 1", MIDDLE, CLAIM_AT_MOST, 0.1,
         .differs = "it is better in the mean, but what completes soon comes first, so that those "
                    "with long I/Os, which have the least yield, lose in many windows."),
    GAIN(TRILAB, "fcfs has consistent gains at saturation", FCFS, "W > 1", HIGH, 1.05,
         .differs = "MinYield is that of fair-share in the mean, and lower in about half of the "
                    "windows."),
    GAIN(TRILAB, "set-10 has consistent gains at saturation", SET_10, "W > 1", HIGH, 1.05,
         .differs =
             "it behaves as fcfs here: MinYield is that of fair-share in the mean, and lower in "
             "about half of the windows."),
    GAIN(TRILAB, "greedy-yield has significant gains", GREEDY_YIELD, "W > 1", HIGH, 1.1, AGREES),
    {.text = "fcfs and set-10 behave identically",
     .measured = "mean MinYield of set-10 - of fcfs",
     .ours = APEX_MEAN(MIN_YIELD, TRILAB, SET_10),
     .against = APEX_MEAN(MIN_YIELD, TRILAB, FCFS),
     .operation = CLAIM_DIFFERENCE,
     .relation = CLAIM_IS,
     .tolerance = 1e-6},
    RISK(TRILAB, "look-ahead improves MinYield in almost all scenarios until W = 1", LOOK_AHEAD,
         "0.5 to 1", MIDDLE, CLAIM_AT_MOST, 0.05, AGREES),
    RISK(TRILAB, "the same below W = 0.5", LOOK_AHEAD, "W < 0.5", LOW, CLAIM_AT_MOST, 0.05, AGREES),
    GAIN(TRILAB, "look-ahead improves MinYield, the more the higher the pressure", LOOK_AHEAD,
         "W > 1", HIGH, 1.1, AGREES),
    GAIN(TRILAB, "so does periodic-greedy-yield", PERIODIC, "W > 1", HIGH, 1.1, AGREES),
    GAIN(TRILAB, "so does best-next-event", BEST_NEXT, "W > 1", HIGH, 1.1, AGREES),
    {.text = NULL},
};

const struct result result_benoit_7 = {
    .name = "benoit-7",
    .source = "Benoit et al. 2024, Figure 7",
    .title = "MinYield relative to fair-share, TRILAB windows",
    .experiment = EXPERIMENT_apex,
    .charts = (const struct chart[]){RATIO_CHARTS(TRILAB), {.title = NULL}},
    .claims = claims_7,
};

/* --- Figures 8 and 9
 * -------------------------------------------------------------------------------- */

#define SECOND_GROUP (SERIES(FAIR_SHARE) | SERIES(LOOK_AHEAD) | SERIES(BEST_NEXT))
#define THIRD_GROUP  (SERIES(SET_10) | SERIES(FCFS) | SERIES(GREEDY_YIELD) | SERIES(PERIODIC))
#define CHECKPOINTS                                                                                \
    .differs =                                                                                     \
        "TRILAB's windows reach pressures up to 2.6, and all its applications checkpoint "         \
        "every hour, so that I/Os meet; NERSC's are short, in which most jobs have one phase."

static const struct claim claims_8[] = {
    {.text = "TRILAB at high pressure: greedy-com is the most efficient",
     .measured = "greedy-com - the best of fair-share, look-ahead, best-next-event, W > 1",
     .ours = APEX_MEAN(EFFICIENCY, TRILAB, GREEDY_COM),
     .against = {EFFICIENCY, TRILAB, SECOND_GROUP},
     .operation = CLAIM_DIFFERENCE,
     HIGH,
     .relation = CLAIM_AT_LEAST},
    {.text = "these are the second group, above set-10, fcfs, greedy-yield and "
             "periodic-greedy-yield",
     .measured = "the worst of the second - the best of the third group, W > 1",
     .ours = {EFFICIENCY, TRILAB, SECOND_GROUP, CLAIM_MEAN, CLAIM_SMALLEST},
     .against = {EFFICIENCY, TRILAB, THIRD_GROUP},
     .operation = CLAIM_DIFFERENCE,
     HIGH,
     .relation = CLAIM_AT_LEAST},
    {.text = "the drop above W = 1 is more pronounced for NERSC than for TRILAB",
     .measured = "fair-share: TRILAB - NERSC, W > 1",
     .ours = APEX_MEAN(EFFICIENCY, TRILAB, FAIR_SHARE),
     .against = APEX_MEAN(EFFICIENCY, NERSC, FAIR_SHARE),
     .operation = CLAIM_DIFFERENCE,
     HIGH,
     .relation = CLAIM_AT_LEAST,
     CHECKPOINTS},
    {.text = "TRILAB holds its Efficiency until saturation while NERSC's drops quickly",
     .measured = "fair-share: TRILAB - NERSC, 0.5 to 1",
     .ours = APEX_MEAN(EFFICIENCY, TRILAB, FAIR_SHARE),
     .against = APEX_MEAN(EFFICIENCY, NERSC, FAIR_SHARE),
     .operation = CLAIM_DIFFERENCE,
     MIDDLE,
     .relation = CLAIM_AT_LEAST,
     CHECKPOINTS},
    {.text = "NERSC: greedy-com remains the strategy with the highest Efficiency: up to W = 1",
     .measured = "greedy-com - the best other of the paper, 0.5 to 1",
     .ours = APEX_MEAN(EFFICIENCY, NERSC, GREEDY_COM),
     .against = {EFFICIENCY, NERSC, SECOND_GROUP | THIRD_GROUP},
     .operation = CLAIM_DIFFERENCE,
     MIDDLE,
     .relation = CLAIM_AT_LEAST},
    {.text = NULL},
};

const struct result result_benoit_8 = {
    .name = "benoit-8",
    .source = "Benoit et al. 2024, Figure 8",
    .title = "Efficiency over the I/O pressure, APEX windows",
    .experiment = EXPERIMENT_apex,
    .charts =
        (const struct chart[]){{"NERSC", "Efficiency", CHART_LINES, EFFICIENCY, .group = NERSC},
                               {"TRILAB", "Efficiency", CHART_LINES, EFFICIENCY, .group = TRILAB},
                               {.title = NULL}},
    .claims = claims_8,
};

static const struct claim claims_9[] = {
    {.text = "Utilization is overall lower in the NERSC workload than in the TRILAB workload",
     .measured = "fair-share: NERSC - TRILAB, 0.5 to 1",
     .ours = APEX_MEAN(UTILIZATION, NERSC, FAIR_SHARE),
     .against = APEX_MEAN(UTILIZATION, TRILAB, FAIR_SHARE),
     .operation = CLAIM_DIFFERENCE,
     MIDDLE,
     .relation = CLAIM_AT_MOST,
     CHECKPOINTS},
    {.text = "greedy-com shines with this metric as well: TRILAB",
     .measured = "greedy-com - the best other of the paper, W > 1",
     .ours = APEX_MEAN(UTILIZATION, TRILAB, GREEDY_COM),
     .against = {UTILIZATION, TRILAB, SECOND_GROUP | THIRD_GROUP},
     .operation = CLAIM_DIFFERENCE,
     HIGH,
     .relation = CLAIM_AT_LEAST},
    {.text = "the same: NERSC",
     .measured = "greedy-com - the best other of the paper, W > 1",
     .ours = APEX_MEAN(UTILIZATION, NERSC, GREEDY_COM),
     .against = {UTILIZATION, NERSC, SECOND_GROUP | THIRD_GROUP},
     .operation = CLAIM_DIFFERENCE,
     HIGH,
     .relation = CLAIM_AT_LEAST},
    {.text = "Utilization decreases as the pressure increases, for all strategies",
     .measured = "the best strategy for W > 1 - the worst for W < 0.5, TRILAB",
     .ours = {UTILIZATION, TRILAB, BETWEEN(1, 100)},
     .against = {UTILIZATION, TRILAB, 0, CLAIM_MEAN, CLAIM_SMALLEST, 0, 0.5},
     .operation = CLAIM_DIFFERENCE,
     .relation = CLAIM_AT_MOST},
    {.text = NULL},
};

const struct result result_benoit_9 = {
    .name = "benoit-9",
    .source = "Benoit et al. 2024, Figure 9",
    .title = "Utilization over the I/O pressure, APEX windows",
    .experiment = EXPERIMENT_apex,
    .charts =
        (const struct chart[]){{"NERSC", "Utilization", CHART_LINES, UTILIZATION, .group = NERSC},
                               {"TRILAB", "Utilization", CHART_LINES, UTILIZATION, .group = TRILAB},
                               {.title = NULL}},
    .claims = claims_9,
};

/* --- Figure 10
 * -------------------------------------------------------------------------------------- */

#define CHEAP                                                                                      \
    (SERIES(FAIR_SHARE) | SERIES(FCFS) | SERIES(SET_10) | SERIES(GREEDY_YIELD) | SERIES(GREEDY_COM))

static const struct claim claims_10[] = {
    {.text = "best-next-event is the only strategy that requires significant computation time",
     .measured = "its time / the largest other's",
     .ours = APEX_MEAN(SECONDS, NERSC, BEST_NEXT),
     .against = {SECONDS, NERSC, CHEAP | SERIES(LOOK_AHEAD) | SERIES(PERIODIC)},
     .operation = CLAIM_RATIO,
     AT_LEAST(1),
     .noise = 0.5},
    {.text = "a few seconds, never more than 60, are needed to simulate a window with it",
     .measured = "the largest, s",
     .ours = {SECONDS, NERSC, SERIES(BEST_NEXT), CLAIM_MOST},
     AT_MOST(60),
     .noise = 30},
    {.text = "look-ahead is the second most demanding",
     .measured = "its time / the largest of fair-share, fcfs, set-10, greedy-yield and greedy-com",
     .ours = APEX_MEAN(SECONDS, NERSC, LOOK_AHEAD),
     .against = {SECONDS, NERSC, CHEAP},
     .operation = CLAIM_RATIO,
     AT_LEAST(1),
     .full = true,
     .noise = 0.1},
    {.text = NULL},
};

const struct result result_benoit_10 = {
    .name = "benoit-10",
    .source = "Benoit et al. 2024, Figure 10",
    .title = "time to simulate an APEX window",
    .experiment = EXPERIMENT_apex,
    .note = "Processor time of one thread; it differs from machine to machine.",
    .charts = (const struct chart[]){{"NERSC", "seconds", CHART_LINES, SECONDS, .group = NERSC},
                                     {"TRILAB", "seconds", CHART_LINES, SECONDS, .group = TRILAB},
                                     {.title = NULL}},
    .claims = claims_10,
};

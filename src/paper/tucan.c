/* Orders of exclusive access on the Tucan applications (Vidal 2022, section III.D.1). */
#include "gen/gen.h"
#include "paper/result.h"
#include "paper/run.h"

/* The order of series in all three figures. */
enum { FIFO, LONGEST, SHORTEST_LEFT, LOWEST, BANDWIDTH, STRETCH, SHORTEST, MOST_LEFT };
static const char *const tucan_series[] = {
    [FIFO] = "list:order=fifo",
    [LONGEST] = "list:order=longest-io",
    [SHORTEST_LEFT] = "list:order=shortest-remaining",
    [LOWEST] = "list:order=lowest-id",
    [BANDWIDTH] = "list:order=bandwidth",
    [STRETCH] = "list:order=stretch",
    [SHORTEST] = "list:order=shortest-io",
    [MOST_LEFT] = "list:order=most-remaining",
    NULL,
};
#define STARVING (SERIES(LONGEST) | SERIES(SHORTEST_LEFT))
#define BALANCED (SERIES(STRETCH) | SERIES(SHORTEST) | SERIES(MOST_LEFT))

enum {
    TUCAN_STRETCH,
    TUCAN_MAKESPAN,
    TUCAN_APP,
    TUCAN_APPS = 5,
    TUCAN_LEAST = TUCAN_APP + TUCAN_APPS
};
static const char *const tucan_columns[] = {
    "max stretch",      "makespan / fifo's", "stretch of app 1",
    "stretch of app 2", "stretch of app 3",  "stretch of app 4",
    "stretch of app 5", "smallest stretch",  NULL,
};

/* What is exact in the model is not on a machine: there is noise. */
enum { EXACT, NOISY };
static const char *const tucan_groups[] = {"no noise", "20 % of noise", NULL};

static const int tucan_batches[] = {1, 2, 4, 8, 16, 32, 64};
enum { TUCAN_SIZES = sizeof tucan_batches / sizeof *tucan_batches };

static uint32_t tucan_seeds(bool quick)
{
    return quick ? 3 : 10;
}

static uint32_t tucan_units(bool quick)
{
    return TUCAN_SIZES * (1 + tucan_seeds(quick));
}

static struct scenario *tucan_scenario(int batches, uint64_t seed, struct err *err)
{
    struct scenario *scenario = gen_tucan(batches, err);
    if (!scenario)
        return NULL;
    scenario->seed = seed;
    for (uint32_t i = 0; i < scenario->count; i++)
        scenario->apps[i].noise_work = scenario->apps[i].noise_io = seed > 0 ? 0.2 : 0;
    return scenario;
}

static int tucan_compare(const struct workload *workload, struct sample sample,
                         struct samples *samples, struct err *err)
{
    double fifo = 0;
    for (uint16_t i = 0; tucan_series[i]; i++) {
        struct row row;
        int status = paper_try(workload, tucan_series[i], NULL, &row, err);
        if (status == 0) {
            fifo = i == FIFO ? row.metrics.makespan : fifo;
            sample.series = i;
            sample.values[TUCAN_STRETCH] = row.metrics.max_stretch;
            sample.values[TUCAN_MAKESPAN] = row.metrics.makespan / fifo;
            sample.values[TUCAN_LEAST] = row.metrics.max_stretch;
            for (uint32_t k = 0; k < TUCAN_APPS && k < row.count; k++) {
                sample.values[TUCAN_APP + k] = row.apps[k].stretch;
                if (row.apps[k].stretch < sample.values[TUCAN_LEAST])
                    sample.values[TUCAN_LEAST] = row.apps[k].stretch;
            }
            status = samples_add(samples, &sample, err);
        }
        row_fini(&row);
        if (status < 0)
            return -1;
    }
    return 0;
}

/* Unit 0 of each size is exact, the others are seeds of noise. */
static int tucan_run(uint32_t unit, bool quick, struct samples *samples, struct err *err)
{
    uint32_t per_size = 1 + tucan_seeds(quick), seed = unit % per_size;
    int batches = tucan_batches[unit / per_size];
    struct subject_workload subject = {0};
    int status = subject_take(&subject, tucan_scenario(batches, seed, err), err);
    if (status == 0)
        status = tucan_compare(subject.workload,
                               (struct sample){.group = seed > 0 ? NOISY : EXACT, .x = batches},
                               samples, err);
    subject_fini(&subject);
    return status;
}

const struct experiment experiment_tucan = {
    .workloads = "the five applications of Table III.1, 1 to 64 batches, exact and with 20 % of "
                 "uniform noise on work and I/O (3 seeds in the quick run, 10 in the full one), as "
                 "on a real machine nothing is exact",
    .series = tucan_series,
    .columns = tucan_columns,
    .groups = tucan_groups,
    .x = "batches",
    .quick_time = 0.8,
    .full_time = 2.3,
    .units = tucan_units,
    .run = tucan_run,
};

#define TUCAN_MEAN(column, group, series, extreme)                                                 \
    {                                                                                              \
        column, group, series, CLAIM_MEAN, extreme                                                 \
    }
#define AT_64 BETWEEN(64, 64)

static const struct claim claims_iii_4[] = {
    {.text = "after some iterations the performance converges to a steady state: exact",
     .measured = "largest stretch of all orders with 64 batches - with 32",
     .ours = {TUCAN_STRETCH, EXACT, 0, CLAIM_MEAN, CLAIM_LARGEST, 64, 64},
     .against = {TUCAN_STRETCH, EXACT, 0, CLAIM_MEAN, CLAIM_LARGEST, 32, 32},
     .operation = CLAIM_DIFFERENCE,
     .relation = CLAIM_IS,
     .tolerance = 0.005},
    {.text = "some policies have a stretch of up to 1.8",
     .measured = "max stretch of longest-io and shortest-remaining, 64 batches",
     .ours = TUCAN_MEAN(TUCAN_STRETCH, EXACT, STARVING, CLAIM_LARGEST),
     AT_64,
     IS_WITHIN(1.8, 0.05)},
    {.text = "under these, others have a stretch close to one",
     .measured = "smallest stretch under longest-io and shortest-remaining, 64 batches",
     .ours = TUCAN_MEAN(TUCAN_LEAST, EXACT, STARVING, CLAIM_LARGEST),
     AT_64,
     AT_MOST(1.1)},
    {.text = "applications 3 and 4 have the largest stretch in general",
     .measured = "stretch of application 4 - of application 1 under fifo, with noise, 64 batches",
     .ours = TUCAN_MEAN(TUCAN_APP + 3, NOISY, SERIES(FIFO), CLAIM_LARGEST),
     .against = TUCAN_MEAN(TUCAN_APP, NOISY, SERIES(FIFO), CLAIM_LARGEST),
     .operation = CLAIM_DIFFERENCE,
     AT_64,
     .relation = CLAIM_AT_LEAST},
    {.text = NULL},
};

static const struct chart charts_iii_4[] = {
    {"application 1", "stretch", CHART_LINES, TUCAN_APP, .group = NOISY},
    {"application 2", "stretch", CHART_LINES, TUCAN_APP + 1, .group = NOISY},
    {"application 3", "stretch", CHART_LINES, TUCAN_APP + 2, .group = NOISY},
    {"application 4", "stretch", CHART_LINES, TUCAN_APP + 3, .group = NOISY},
    {"application 5", "stretch", CHART_LINES, TUCAN_APP + 4, .group = NOISY},
    {.title = NULL},
};

const struct result result_vidal_iii_4 = {
    .name = "vidal-III.4",
    .source = "Vidal 2022, Figure III.4",
    .title = "stretch of each Tucan application under eight orders",
    .experiment = EXPERIMENT_tucan,
    .note = "The thesis measured on a machine; ours is simulated.",
    .charts = charts_iii_4,
    .claims = claims_iii_4,
};

/* The same is said of both measures, each relative to fifo. */
#define WORSE_THAN_FIFO(column, what, series)                                                      \
    {                                                                                              \
        .text = what " is worse than fifo",                                                        \
        .measured = "its mean - fifo's, with noise, 64 batches",                                   \
        .ours = TUCAN_MEAN(column, NOISY, SERIES(series), CLAIM_LARGEST),                          \
        .against = TUCAN_MEAN(column, NOISY, SERIES(FIFO), CLAIM_LARGEST),                         \
        .operation = CLAIM_DIFFERENCE, AT_64, .relation = CLAIM_AT_LEAST                           \
    }
#define BETTER_THAN_FIFO(column, what, series, ...)                                                \
    {                                                                                              \
        .text = what " is better than fifo",                                                       \
        .measured = "its mean - fifo's, with noise, 64 batches",                                   \
        .ours = TUCAN_MEAN(column, NOISY, SERIES(series), CLAIM_LARGEST),                          \
        .against = TUCAN_MEAN(column, NOISY, SERIES(FIFO), CLAIM_LARGEST),                         \
        .operation = CLAIM_DIFFERENCE, AT_64, .relation = CLAIM_AT_MOST, __VA_ARGS__               \
    }
#define EQUAL_SHARES                                                                               \
    .differs = "all five applications have the same share of I/O, so that rounding decides their " \
               "order, and the last one in it starves."
#define AS_THE_MACHINE(column)                                                                     \
    WORSE_THAN_FIFO(column, "longest-io", LONGEST),                                                \
        WORSE_THAN_FIFO(column, "shortest-remaining", SHORTEST_LEFT),                              \
        BETTER_THAN_FIFO(column, "stretch", STRETCH, .differs = NULL),                             \
        BETTER_THAN_FIFO(column, "shortest-io", SHORTEST, .differs = NULL),                        \
        BETTER_THAN_FIFO(column, "most-remaining", MOST_LEFT, .differs = NULL),                    \
        BETTER_THAN_FIFO(column, "bandwidth, the lowest ratio of I/O first,", BANDWIDTH,           \
                         EQUAL_SHARES)

static const struct claim claims_iii_5[] = {
    AS_THE_MACHINE(TUCAN_STRETCH),
    {.text = "longest-io and shortest-remaining behave the worst",
     .measured = "their smaller max stretch - the largest of stretch, shortest-io and "
                 "most-remaining, 64 batches, exact",
     .ours = TUCAN_MEAN(TUCAN_STRETCH, EXACT, STARVING, CLAIM_SMALLEST),
     .against = TUCAN_MEAN(TUCAN_STRETCH, EXACT, BALANCED, CLAIM_LARGEST),
     .operation = CLAIM_DIFFERENCE,
     AT_64,
     .relation = CLAIM_AT_LEAST},
    {.text = NULL},
};

/* An independent implementation of the same rules, to three digits. */
static const struct printed_number tucan_stretches[] = {
    {EXACT, LONGEST, 64, 1.833},  {EXACT, SHORTEST_LEFT, 64, 1.833}, {EXACT, FIFO, 64, 1.452},
    {EXACT, LOWEST, 64, 1.345},   {EXACT, BANDWIDTH, 64, 1.345},     {EXACT, STRETCH, 64, 1.321},
    {EXACT, SHORTEST, 64, 1.321}, {EXACT, MOST_LEFT, 64, 1.321}};
static const struct printed_number tucan_makespans[] = {
    {EXACT, LONGEST, 64, 1.262}, {EXACT, SHORTEST_LEFT, 64, 1.262}, {EXACT, FIFO, 64, 1},
    {EXACT, LOWEST, 64, .926},   {EXACT, BANDWIDTH, 64, .926},      {EXACT, STRETCH, 64, .910},
    {EXACT, SHORTEST, 64, .910}, {EXACT, MOST_LEFT, 64, .910}};

const struct result result_vidal_iii_5 = {
    .name = "vidal-III.5",
    .source = "Vidal 2022, Figure III.5",
    .title = "largest stretch of the Tucan applications under eight orders",
    .experiment = EXPERIMENT_tucan,
    .charts =
        (const struct chart[]){
            {"exact", "max stretch", CHART_LINES, TUCAN_STRETCH, .group = EXACT},
            {"20 % of noise", "max stretch", CHART_LINES, TUCAN_STRETCH, .group = NOISY},
            {.title = NULL},
        },
    .printed =
        (const struct printed[]){
            {.text = "max stretch with 64 batches, by an independent implementation (the thesis "
                     "prints none)",
             .column = TUCAN_STRETCH,
             .list = tucan_stretches,
             .count = sizeof tucan_stretches / sizeof *tucan_stretches,
             .tolerance = 2e-3},
            {.text = NULL},
        },
    .claims = claims_iii_5,
};

static const struct claim claims_iii_6[] = {AS_THE_MACHINE(TUCAN_MAKESPAN), {.text = NULL}};

const struct result result_vidal_iii_6 = {
    .name = "vidal-III.6",
    .source = "Vidal 2022, Figure III.6",
    .title = "makespan of the Tucan applications relative to fifo",
    .experiment = EXPERIMENT_tucan,
    .charts =
        (const struct chart[]){
            {"exact", "makespan / fifo's", CHART_LINES, TUCAN_MAKESPAN, .group = EXACT},
            {"20 % of noise", "makespan / fifo's", CHART_LINES, TUCAN_MAKESPAN, .group = NOISY},
            {.title = NULL},
        },
    .printed =
        (const struct printed[]){
            {.text = "makespan / fifo's with 64 batches, by an independent implementation (the "
                     "thesis prints none)",
             .column = TUCAN_MAKESPAN,
             .list = tucan_makespans,
             .count = sizeof tucan_makespans / sizeof *tucan_makespans,
             .tolerance = 2e-3},
            {.text = NULL},
        },
    .claims = claims_iii_6,
};

/* Orders of exclusive access on the Tucan applications (Vidal 2022, section III.D.1). */
#include "gen/gen.h"
#include "paper/experiment.h"
#include "paper/run.h"
#include <math.h>

/* The order of series in all three figures. */
enum { FIFO, LONGEST, SHORTEST_LEFT, LOWEST, BANDWIDTH, STRETCH, SHORTEST, MOST_LEFT, TOTAL };
static const char *const tucan_series[] = {
    [FIFO] = "list:order=fifo",
    [LONGEST] = "list:order=longest-io",
    [SHORTEST_LEFT] = "list:order=shortest-remaining",
    [LOWEST] = "list:order=lowest-id",
    [BANDWIDTH] = "list:order=bandwidth",
    [STRETCH] = "list:order=stretch",
    [SHORTEST] = "list:order=shortest-io",
    [MOST_LEFT] = "list:order=most-remaining",
    [TOTAL] = "list:order=bandwidth-total",
    NULL,
};

enum {
    TUCAN_STRETCH,
    TUCAN_MAKESPAN,
    TUCAN_APP,
    TUCAN_APPS = 5,
    TUCAN_LEAST = TUCAN_APP + TUCAN_APPS,
    TUCAN_SHORT /* applications 3 and 4 have the shortest iterations */
};
static const char *const tucan_columns[] = {
    "max stretch",
    "makespan / fifo's",
    "stretch of app 1",
    "stretch of app 2",
    "stretch of app 3",
    "stretch of app 4",
    "stretch of app 5",
    "smallest stretch",
    "smaller stretch of 3 and 4 - the largest other",
    NULL,
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

static void tucan_measure(const struct row *row, double *values)
{
    double least = INFINITY, shorter = INFINITY, other = 0;
    for (uint32_t k = 0; k < TUCAN_APPS && k < row->count; k++) {
        double stretch = row->apps[k].stretch;
        values[TUCAN_APP + k] = stretch;
        least = fmin(least, stretch);
        if (k == 2 || k == 3)
            shorter = fmin(shorter, stretch);
        else
            other = fmax(other, stretch);
    }
    values[TUCAN_LEAST] = least;
    values[TUCAN_SHORT] = shorter - other;
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
            tucan_measure(&row, sample.values);
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

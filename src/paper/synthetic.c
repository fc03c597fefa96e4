/* The synthetic windows of Benoit et al. (2024), section 6.2: 60 applications that each can
 * saturate the file system. */
#include "paper/synthetic.h"
#include "base/mem.h"
#include "gen/gen.h"
#include "paper/benoit.h"
#include "paper/experiment.h"
#include "paper/run.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *const benoit_series[] = {
    [FAIR_SHARE] = "fair-share",
    [FCFS] = "fcfs",
    [SET_10] = "set-10",
    [GREEDY_YIELD] = "greedy-yield",
    [GREEDY_COM] = "greedy-com",
    [LOOK_AHEAD] = "look-ahead-greedy-yield",
    [PERIODIC] = "periodic-greedy-yield",
    [BEST_NEXT] = "best-next-event",
    [FLOOR] = "floor",
    NULL,
};

const char *const synthetic_columns[] = {"MinYield", "Efficiency", "Utilization", "yield", NULL};

static int synthetic_rank(const struct synthetic_ranks *ranks, const struct row *row,
                          uint16_t series, struct samples *samples, struct err *err);

int synthetic_compare(const struct workload *workload, struct sample sample,
                      const struct synthetic_ranks *ranks, struct samples *samples, struct err *err)
{
    for (uint16_t i = 0; benoit_series[i]; i++) {
        struct row row;
        int status = paper_try(workload, benoit_series[i], NULL, &row, err);
        sample.series = i;
        sample.values[MIN_YIELD] = row.metrics.min_yield;
        sample.values[EFFICIENCY] = row.metrics.efficiency;
        sample.values[UTILIZATION] = row.metrics.utilization;
        sample.values[YIELD] = NAN;
        if (status == 0)
            status = samples_add(samples, &sample, err);
        if (status == 0 && ranks)
            status = synthetic_rank(ranks, &row, i, samples, err);
        row_fini(&row);
        if (status < 0)
            return -1;
    }
    return 0;
}

/* --- over the pressure, and by application -------------------------------------------------- */

static const double pressures[] = {0.2, 0.5, 0.8, 0.9, 1.0, 1.1};
enum { PRESSURES = sizeof pressures / sizeof *pressures };

/* Runs; then the yields of applications sorted by their iteration length or share of I/O. */
enum { RUNS, LENGTH_05, LENGTH_08, LENGTH_11, SHARE_05, SHARE_08, SHARE_11 };
static const char *const pressure_groups[] = {"runs",
                                              "by length, W 0.5",
                                              "by length, W 0.8",
                                              "by length, W 1.1",
                                              "by share, W 0.5",
                                              "by share, W 0.8",
                                              "by share, W 1.1",
                                              NULL};

/* The group of the yields at this pressure, 0 = none. */
static uint16_t pressure_length_group(double pressure)
{
    return pressure == 0.5   ? LENGTH_05
           : pressure == 0.8 ? LENGTH_08
           : pressure == 1.1 ? LENGTH_11
                             : 0;
}

/* Which place each application has among the others. */
struct synthetic_ranks {
    uint32_t *by_length, *by_share, count;
    uint16_t length_group;
};

/* How many others have a smaller key, equal ones by index: 60 applications need no sorting. */
static void synthetic_sort(const double *keys, uint32_t count, uint32_t *places)
{
    for (uint32_t i = 0; i < count; i++) {
        places[i] = 0;
        for (uint32_t k = 0; k < count; k++)
            places[i] += keys[k] < keys[i] || (keys[k] == keys[i] && k < i);
    }
}

/* omega and phi of an application are known by their means. */
static int synthetic_ranks_init(struct synthetic_ranks *ranks, const struct workload *workload,
                                struct err *err)
{
    uint32_t count = workload->count;
    double *lengths = mem_alloc(count, sizeof *lengths), *shares = mem_alloc(count, sizeof *shares);
    ranks->count = count;
    ranks->by_length = mem_alloc(count, sizeof *ranks->by_length);
    ranks->by_share = mem_alloc(count, sizeof *ranks->by_share);
    bool enough = lengths && shares && ranks->by_length && ranks->by_share;
    for (uint32_t i = 0; enough && i < count; i++) {
        const struct weir_app *facts = &workload->apps[i].facts;
        double whole = facts->total_work + facts->total_io;
        lengths[i] = whole / facts->iterations;
        shares[i] = facts->total_io / whole;
    }
    if (enough) {
        synthetic_sort(lengths, count, ranks->by_length);
        synthetic_sort(shares, count, ranks->by_share);
    }
    free(lengths);
    free(shares);
    return enough ? 0 : err_memory(err);
}

static int synthetic_rank(const struct synthetic_ranks *ranks, const struct row *row,
                          uint16_t series, struct samples *samples, struct err *err)
{
    for (uint32_t i = 0; i < ranks->count; i++) {
        struct sample sample = {
            ranks->length_group, series, 1 + ranks->by_length[i], {NAN, NAN, NAN}};
        sample.values[YIELD] = row->apps[i].yield;
        if (samples_add(samples, &sample, err) < 0)
            return -1;
        sample.group += SHARE_05 - LENGTH_05;
        sample.x = 1 + ranks->by_share[i];
        if (samples_add(samples, &sample, err) < 0)
            return -1;
    }
    return 0;
}

static uint32_t pressure_instances(bool quick)
{
    return quick ? 3 : 100;
}

static uint32_t pressure_units(bool quick)
{
    return PRESSURES * pressure_instances(quick);
}

static int pressure_run(uint32_t unit, bool quick, struct samples *samples, struct err *err)
{
    uint32_t instances = pressure_instances(quick);
    double pressure = pressures[PRESSURES - 1 - unit / instances]; /* the longest first */
    struct synthetic_ranks ranks = {.length_group = pressure_length_group(pressure)};
    char params[32];
    struct subject_workload subject;
    snprintf(params, sizeof params, "pressure=%g", pressure);
    int status = subject_draw(&subject, &family_synthetic, unit % instances + 1, params, err);
    if (status == 0 && ranks.length_group > 0)
        status = synthetic_ranks_init(&ranks, subject.workload, err);
    if (status == 0)
        status = synthetic_compare(subject.workload, (struct sample){.group = RUNS, .x = pressure},
                                   ranks.length_group > 0 ? &ranks : NULL, samples, err);
    free(ranks.by_length);
    free(ranks.by_share);
    subject_fini(&subject);
    return status;
}

const struct experiment experiment_pressure = {
    .workloads = "the family synthetic, sigma = nu = 0.5, n_small = 20: 100 windows for each I/O "
                 "pressure in the full run (the paper has 200), 3 in the quick one",
    .series = benoit_series,
    .columns = synthetic_columns,
    .groups = pressure_groups,
    .x = "I/O pressure W",
    .quick_time = 1.6,
    .full_time = 71,
    .units = pressure_units,
    .run = pressure_run,
};

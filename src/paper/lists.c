/* List scheduling against packs (Vidal 2022, chapter IV): batches of jobs of four families, with
 * I/O loads from 0.2 to 0.8. */
#include "base/mem.h"
#include "gen/gen.h"
#include "paper/experiment.h"
#include "paper/mapped.h"
#include "paper/run.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Series. */
enum { LIST, LONGEST, CHARACTERISTIC, RANDOM, LISTS_WAYS };

/* Columns. */
enum { BUSY, LARGEST_STRETCH, MEAN_STRETCH, UNUSED, TAKEN, MOVED, RUNNING, REALISED };

/* Groups. Whole runs over the load, then runs over their time for each load: `group` + 4 (1 +
 * load). */
enum { MN, MB, NU, BU, LISTS_FAMILIES, LISTS_LOADS = 4, SPANS = 20 };
#define OVER_TIME(family, load) (LISTS_FAMILIES * (1 + (load)) + (family))

/* Where the thesis prints the spread of the share of I/O, it is a variance of 0.1. */
#define LISTS_SD "0.31622776601683794"

static const char *const lists_series[] = {
    [LIST] = "list",
    [LONGEST] = "packs max",
    [CHARACTERISTIC] = "packs char",
    [RANDOM] = "packs random",
    NULL,
};
static const struct {
    enum map_method method;
    enum map_order order;
} lists_ways[LISTS_WAYS] = {{MAP_METHOD_LIST, MAP_ORDER_ARRIVAL},
                            {MAP_METHOD_PACKS, MAP_ORDER_MAX},
                            {MAP_METHOD_PACKS, MAP_ORDER_CHAR},
                            {MAP_METHOD_PACKS, MAP_ORDER_RANDOM}};

static const char *const lists_columns[] = {
    [BUSY] = "share of the node time in work or I/O",
    [LARGEST_STRETCH] = "max stretch",
    [MEAN_STRETCH] = "mean stretch",
    [UNUSED] = "idle share of the node time",
    [TAKEN] = "share of the nodes that are used",
    [MOVED] = "share of the bandwidth that is used",
    [RUNNING] = "applications running",
    [REALISED] = "realised I/O load",
    NULL,
};

static const char *const lists_groups[] = {
    [MN] = "mira-normal",
    [MB] = "mira-binormal",
    [NU] = "uniform-normal",
    [BU] = "uniform-binormal",
    [OVER_TIME(MN, 0)] = "mira-normal, load 0.2",
    [OVER_TIME(MB, 0)] = "mira-binormal, load 0.2",
    [OVER_TIME(NU, 0)] = "uniform-normal, load 0.2",
    [OVER_TIME(BU, 0)] = "uniform-binormal, load 0.2",
    [OVER_TIME(MN, 1)] = "mira-normal, load 0.4",
    [OVER_TIME(MB, 1)] = "mira-binormal, load 0.4",
    [OVER_TIME(NU, 1)] = "uniform-normal, load 0.4",
    [OVER_TIME(BU, 1)] = "uniform-binormal, load 0.4",
    [OVER_TIME(MN, 2)] = "mira-normal, load 0.6",
    [OVER_TIME(MB, 2)] = "mira-binormal, load 0.6",
    [OVER_TIME(NU, 2)] = "uniform-normal, load 0.6",
    [OVER_TIME(BU, 2)] = "uniform-binormal, load 0.6",
    [OVER_TIME(MN, 3)] = "mira-normal, load 0.8",
    [OVER_TIME(MB, 3)] = "mira-binormal, load 0.8",
    [OVER_TIME(NU, 3)] = "uniform-normal, load 0.8",
    [OVER_TIME(BU, 3)] = "uniform-binormal, load 0.8",
    NULL,
};
static const struct family *const lists_families[] = {
    [MN] = &family_mira_normal,
    [MB] = &family_mira_binormal,
    [NU] = &family_uniform_normal,
    [BU] = &family_uniform_binormal,
};

/* The uniform families take ten times as long to simulate as Mira's: a quick run leaves them out.
 */
static uint32_t lists_instances(bool quick, uint32_t family)
{
    if (quick)
        return family == NU || family == BU ? 0 : 3;
    return 10;
}

static uint32_t lists_units(bool quick)
{
    uint32_t units = 0;
    for (uint32_t family = 0; family < LISTS_FAMILIES; family++)
        units += LISTS_LOADS * lists_instances(quick, family);
    return units;
}

/* What the jobs of a part of the run have, if each moves its bytes evenly while it runs. */
static void lists_span(const struct workload *workload, const struct mapping *mapping,
                       const double span[2], double *values)
{
    double shares[USAGE_KINDS], length = span[1] - span[0];
    map_usage(workload, mapping, span, shares);
    values[BUSY] = shares[USAGE_WORK] + shares[USAGE_IO];
    values[TAKEN] = values[BUSY] + shares[USAGE_DELAYED];
    values[MOVED] = values[RUNNING] = 0;
    for (uint32_t i = 0; i < mapping->count; i++) {
        const struct placed_job *job = &mapping->jobs[i];
        const struct weir_app *facts = &workload->apps[i].facts;
        double there = fmax(0, fmin(job->end, span[1]) - fmax(job->start, span[0])) / length;
        double rate = facts->total_io * facts->bmax / (job->end - job->start);
        values[RUNNING] += there;
        values[MOVED] += there * rate / workload->platform.bandwidth;
    }
}

static int lists_add(const struct workload *workload, const struct mapped_result *result,
                     struct sample sample, int load, struct samples *samples, struct err *err)
{
    const struct mapping *mapping = result->mapping;
    uint16_t family = sample.group;
    sample.values[BUSY] = result->metrics.efficiency;
    sample.values[LARGEST_STRETCH] = result->metrics.max_stretch;
    sample.values[MEAN_STRETCH] = result->metrics.mean_stretch;
    sample.values[UNUSED] = result->metrics.idle / result->metrics.makespan;
    sample.values[TAKEN] = sample.values[MOVED] = sample.values[RUNNING] = NAN;
    sample.values[REALISED] = workload_io_load(workload);
    if (samples_add(samples, &sample, err) < 0)
        return -1;
    sample.group = (uint16_t)OVER_TIME(family, load);
    sample.values[LARGEST_STRETCH] = sample.values[MEAN_STRETCH] = sample.values[UNUSED] = NAN;
    for (int i = 0; i < SPANS; i++) {
        const double span[] = {mapping->makespan * i / SPANS, mapping->makespan * (i + 1) / SPANS};
        sample.x = (i + 0.5) / SPANS;
        lists_span(workload, mapping, span, sample.values);
        if (samples_add(samples, &sample, err) < 0)
            return -1;
    }
    return 0;
}

static int lists_compare(const struct workload *workload, struct sample sample, int load,
                         struct samples *samples, struct err *err)
{
    double *random = mem_alloc(workload->count, sizeof *random);
    int status = random ? 0 : err_memory(err);
    if (random)
        gen_shuffle(workload->seed, random, workload->count);
    for (uint16_t way = 0; way < LISTS_WAYS && status == 0; way++) {
        const struct mapped_way rules = {.rules = {.method = lists_ways[way].method,
                                                   .sensitivity = 1,
                                                   .backfill = true,
                                                   .io_nodes = 1},
                                         .order = lists_ways[way].order,
                                         .random = random,
                                         .strategy = "list:order=fifo"};
        struct mapped_result result;
        status = mapped_measure(workload, &rules, &result, err);
        if (status < 0)
            break;
        sample.series = way;
        status = lists_add(workload, &result, sample, load, samples, err);
        mapping_free(result.mapping);
    }
    free(random);
    return status;
}

static int lists_run(uint32_t unit, bool quick, struct samples *samples, struct err *err)
{
    uint32_t family = 0;
    for (; unit >= LISTS_LOADS * lists_instances(quick, family); family++)
        unit -= LISTS_LOADS * lists_instances(quick, family);
    uint32_t load = unit % LISTS_LOADS, instance = unit / LISTS_LOADS;
    double x = 0.2 * (load + 1);
    char params[48];
    struct subject_workload subject;
    snprintf(params, sizeof params, "load=%g%s", x, family <= MB ? " sd=" LISTS_SD : "");
    int status =
        subject_draw(&subject, lists_families[family], 1000 * (load + 1) + instance, params, err);
    if (status == 0)
        status = lists_compare(subject.workload, (struct sample){.group = (uint16_t)family, .x = x},
                               (int)load, samples, err);
    subject_fini(&subject);
    return status;
}

const struct experiment experiment_lists = {
    .workloads = "the families mira-normal (MN), mira-binormal (MB), uniform-normal (NU) and "
                 "uniform-binormal (BU) of section IV.B, loads 0.2 to 0.8, shares of I/O with a "
                 "variance of 0.1, numbers of processors spread over {2^j}, backfilling on: ten "
                 "workloads each in the full run, three of MN and MB in the quick one; the I/O "
                 "runs under "
                 "list:order=fifo",
    .series = lists_series,
    .columns = lists_columns,
    .groups = lists_groups,
    .x = "I/O load",
    .quick_time = 2.3,
    .full_time = 55,
    .units = lists_units,
    .run = lists_run,
};

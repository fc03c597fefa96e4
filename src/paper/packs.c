/* Packs that respect the bandwidth against First-Fit (Vidal 2022, section III.D.2): batches of jobs
 * with I/O loads from 0.5 to 10, on 1, 3 and 5 I/O nodes. */
#include "paper/experiment.h"
#include "paper/mapped.h"
#include "paper/run.h"
#include <math.h>
#include <stdio.h>

enum { FIRST_FIT, SENSITIVE, LOADED, REMAINING, PACKS_KINDS };
static const char *const packs_series[] = {
    [FIRST_FIT] = "first-fit",
    [SENSITIVE] = "packs, S = 1",
    [LOADED] = "packs, S = I/O load",
    [REMAINING] = "packs, S = 1, most-remaining",
    NULL,
};

enum {
    PACKS_MAKESPAN,
    PACKS_STRETCH,
    PACKS_COUNT,
    PACKS_USEFUL,
    PACKS_DELAYED,
    PACKS_IDLE,
    PACKS_DRIFT,
    PACKS_PLAIN
};
static const char *const packs_columns[] = {
    [PACKS_MAKESPAN] = "makespan / first-fit's",
    [PACKS_STRETCH] = "stretch / first-fit's",
    [PACKS_COUNT] = "packs / first-fit's",
    [PACKS_USEFUL] = "useful time / first-fit's makespan",
    [PACKS_DELAYED] = "delayed time / first-fit's makespan",
    [PACKS_IDLE] = "idle time / first-fit's makespan",
    [PACKS_DRIFT] = "makespan / makespan without contention",
    [PACKS_PLAIN] = "stretch",
    NULL,
};

/* For each of two readings of the jobs' sizes. */
enum { ONE_NODE, THREE_NODES, FIVE_NODES, PACKS_NODES };
static const char *const packs_groups[] = {"1 I/O node",
                                           "3 I/O nodes",
                                           "5 I/O nodes",
                                           "1 I/O node, sizes spread",
                                           "3 I/O nodes, sizes spread",
                                           "5 I/O nodes, sizes spread",
                                           NULL};
static const char *const packs_sizes[] = {"near", "spread"};
enum { PACKS_SIZES = 2 };
static const uint32_t packs_io_nodes[] = {1, 3, 5};

/* 0.5, 0.75, ..., 10, ten workloads each; every fourth load and one workload in a quick run. */
enum { PACKS_LOADS = 39 };

static uint32_t packs_units(bool quick)
{
    return PACKS_SIZES * (quick ? (PACKS_LOADS + 3) / 4 : PACKS_LOADS * 10);
}

/* As if each pack took as long as its longest job alone: what the mapper counts with. */
static double packs_ideal(const struct workload *workload, const struct mapping *mapping)
{
    double sum = 0;
    for (uint32_t pack = 0; pack < mapping->packs; pack++) {
        double longest = 0;
        for (uint32_t i = 0; i < mapping->count; i++)
            if (mapping->jobs[i].pack == pack)
                longest = fmax(longest, app_ideal(&workload->apps[i]));
        sum += longest;
    }
    return sum;
}

static int packs_measure(const struct workload *workload, int kind, int nodes,
                         struct map_metrics *metrics, double *ideal, struct err *err)
{
    const double sensitivities[PACKS_KINDS] = {INFINITY, 1, workload_io_load(workload), 1};
    const struct mapped_way way = {
        .rules = {.method = MAP_METHOD_PACKS,
                  .sensitivity = sensitivities[kind],
                  .io_nodes = packs_io_nodes[nodes]},
        .order = MAP_ORDER_MAX,
        .strategy = kind == REMAINING ? "list:order=most-remaining" : "list:order=fifo",
    };
    struct mapped_result result;
    if (mapped_measure(workload, &way, &result, err) < 0)
        return -1;
    *metrics = result.metrics;
    *ideal = packs_ideal(workload, result.mapping);
    mapping_free(result.mapping);
    return 0;
}

static int packs_compare(const struct workload *workload, uint16_t group, struct samples *samples,
                         struct err *err)
{
    int nodes = group % PACKS_NODES;
    struct map_metrics first = {0}, own;
    double ideal;
    for (uint16_t kind = 0; kind < PACKS_KINDS; kind++) {
        if (packs_measure(workload, kind, nodes, &own, &ideal, err) < 0)
            return -1;
        first = kind == FIRST_FIT ? own : first;
        const struct sample sample = {
            group,
            kind,
            workload_io_load(workload),
            {[PACKS_MAKESPAN] = own.makespan / first.makespan,
             [PACKS_STRETCH] = own.pack_stretch / first.pack_stretch,
             [PACKS_COUNT] = own.packs / first.packs,
             [PACKS_USEFUL] = own.useful / first.makespan,
             [PACKS_DELAYED] = own.delayed / first.makespan,
             [PACKS_IDLE] = own.idle / first.makespan,
             [PACKS_DRIFT] = nodes == ONE_NODE ? own.makespan / ideal : NAN,
             [PACKS_PLAIN] = own.pack_stretch}};
        if (samples_add(samples, &sample, err) < 0)
            return -1;
    }
    return 0;
}

static int packs_run(uint32_t unit, bool quick, struct samples *samples, struct err *err)
{
    uint32_t sizes = unit % PACKS_SIZES, number = unit / PACKS_SIZES;
    uint32_t load = quick ? 4 * number : number / 10, instance = quick ? 0 : number % 10;
    char params[48];
    struct subject_workload subject;
    snprintf(params, sizeof params, "load=%g sizes=%s", 0.5 + 0.25 * load, packs_sizes[sizes]);
    int status = subject_draw(&subject, &family_packs, 1000 * load + instance, params, err);
    for (uint32_t nodes = 0; nodes < PACKS_NODES && status == 0; nodes++)
        status =
            packs_compare(subject.workload, (uint16_t)(sizes * PACKS_NODES + nodes), samples, err);
    subject_fini(&subject);
    return status;
}

const struct experiment experiment_packs = {
    .workloads = "the family packs (section III.D.2.b) with I/O loads of 0.5, 0.75, ..., 10: ten "
                 "workloads each in the full run, one of every fourth load in the quick one, for "
                 "each of two readings of the numbers of processors, of which the thesis gives the "
                 "set {2^j} and the mean: the two powers near the mean, and spread over all; the "
                 "I/O runs under list:order=fifo",
    .series = packs_series,
    .columns = packs_columns,
    .groups = packs_groups,
    .x = "I/O load",
    .bin = 1,
    .enough = 1,
    .quick_time = 2.6,
    .full_time = 92,
    .units = packs_units,
    .run = packs_run,
};

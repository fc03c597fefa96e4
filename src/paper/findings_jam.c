/* The jam: what fair sharing does to a store that loses bandwidth by the number of its users. */
#include "gen/gen.h"
#include "paper/experiment.h"
#include "paper/findings.h"
#include "paper/run.h"
#include <math.h>

enum { JAM_MIN_YIELD, JAM_MEAN_YIELD };
static const char *const jam_columns[] = {
    [JAM_MIN_YIELD] = "MinYield", [JAM_MEAN_YIELD] = "MeanYield", NULL};

/* How it starts: each with work of its own length, or all with an I/O. */
enum { JAM_EMPTY, JAM_FULL, JAM_STARTS };
static const char *const jam_groups[] = {
    [JAM_EMPTY] = "started apart", [JAM_FULL] = "all post at the start", NULL};

static const char *const jam_series[] = {"fair-share", "best-effort",    "set-10",  "fcfs",
                                         "greedy-com", "critical-yield", "surplus", NULL};

/* 60 alike: I/O of a second alone after work of 119 on average, a pressure of 0.5. The edge is at a
 * loss d of 0.1 (model/jam.h). */
enum { JAM_APPS = 60, JAM_ITERATIONS = 400 };
#define JAM_WORK   119.0
#define JAM_WINDOW 2e4
static const double jam_losses[] = {0.05, 0.08, 0.09, 0.1, 0.11, 0.12, 0.15, 0.2};
static const double jam_quick_losses[] = {0.05, 0.2};
enum {
    LOSSES = sizeof jam_losses / sizeof *jam_losses,
    QUICK_LOSSES = sizeof jam_quick_losses / sizeof *jam_quick_losses,
    JAM_SEEDS = 5
};

static uint32_t jam_units(bool quick)
{
    return JAM_STARTS * (quick ? QUICK_LOSSES : LOSSES * JAM_SEEDS);
}

static struct iteration jam_hurry(void *context, uint32_t app, uint32_t k, struct iteration it)
{
    (void)app;
    if (k == 0 && *(const int *)context == JAM_FULL)
        it.work = 0;
    return it;
}

/* The workload with this seed and start; NULL with err. */
static struct workload *jam_make(uint64_t seed, int start, struct err *err)
{
    static const struct distribution work = {
        .kind = DIST_EXPONENTIAL, .mean = JAM_WORK, .max = INFINITY};
    struct app_spec spec = app_spec_defaults;
    spec.name = "alike";
    spec.count = JAM_APPS;
    spec.nodes = 1;
    spec.iterations = JAM_ITERATIONS;
    spec.work.random = &work;
    spec.io.mean = 1;
    struct scenario scenario = {.name = "jam",
                                .platform = {.node_bandwidth = INFINITY, .bandwidth = 1},
                                .seed = seed,
                                .apps = &spec,
                                .count = 1};
    struct workload *drawn = workload_realise(&scenario, err);
    struct workload *workload = drawn ? workload_transform(drawn, jam_hurry, &start, err) : NULL;
    const struct window window = {.kind = WINDOW_FIXED, .end = JAM_WINDOW};
    workload_free(drawn);
    if (workload && workload_set_window(workload, window, err) == 0)
        return workload;
    workload_free(workload);
    return NULL;
}

static int jam_run(uint32_t number, bool quick, struct samples *samples, struct err *err)
{
    uint32_t losses = quick ? QUICK_LOSSES : LOSSES, start = number % JAM_STARTS;
    uint32_t place = number / JAM_STARTS % losses;
    uint64_t seed = FINDINGS_SEED + number / JAM_STARTS / losses;
    struct store store = {.curve.slope = quick ? jam_quick_losses[place] : jam_losses[place]};
    struct workload *workload = jam_make(seed, (int)start, err);
    int status = workload ? 0 : -1;
    if (workload)
        workload->platform.store = &store;
    for (uint16_t i = 0; jam_series[i] && status == 0; i++) {
        struct weir_metrics metrics;
        status = paper_measure(workload, jam_series[i], NULL, &metrics, err);
        const struct sample sample = {
            .series = i,
            .group = (uint16_t)start,
            .x = store.curve.slope,
            .values = {[JAM_MIN_YIELD] = metrics.min_yield, [JAM_MEAN_YIELD] = metrics.mean_yield}};
        if (status == 0)
            status = samples_add(samples, &sample, err);
    }
    workload_free(workload);
    return status;
}

const struct experiment experiment_jam = {
    .workloads = "60 applications alike, each with work of 119 s on average, exponential, and I/O "
                 "that takes 1 s alone, on a store that k of them share with 1/(1 + d(k - 1)) of "
                 "its bandwidth; 20000 s; seeds from 1001 on. They start apart, or all with an I/O",
    .series = jam_series,
    .columns = jam_columns,
    .groups = jam_groups,
    .x = "loss d",
    .quick_time = 1,
    .full_time = 10,
    .units = jam_units,
    .run = jam_run,
};

/* Our strategies against those of the papers, on seeds that were not used to find them. */
#include "paper/experiment.h"
#include "paper/findings.h"
#include "paper/run.h"
#include <math.h>

enum { MIN_YIELD, EFFICIENCY, MORE_YIELD, MORE_EFFICIENCY };
static const char *const held_out_columns[] = {"MinYield", "Efficiency",
                                               "MinYield over greedy-yield's, %",
                                               "Efficiency over greedy-yield's, %", NULL};
static const char *const held_out_groups[] = {"all", NULL};

/* Along x. */
enum { W_05, W_08, W_10, W_11, TRILAB_4, TRILAB_10, NERSC_4, NERSC_10, PLACES };
static const char *const held_out_places[] = {"W 0.5",  "W 0.8", "W 1.0", "W 1.1", "T m4",
                                              "T m10r", "N m4",  "N m10", NULL};
static const struct held_out_place {
    const struct family *family;
    const char *params;
    uint32_t quick, full; /* seeds; a seed of APEX gives 20 windows */
} held_out_list[PLACES] = {
    [W_05] = {&family_synthetic, "pressure=0.5", 2, 40},
    [W_08] = {&family_synthetic, "pressure=0.8", 2, 40},
    [W_10] = {&family_synthetic, "pressure=1", 2, 40},
    [W_11] = {&family_synthetic, "pressure=1.1", 2, 40},
    [TRILAB_4] = {&family_apex_trilab, "machine=4 data=paper", 2, 20},
    [TRILAB_10] = {&family_apex_trilab, "machine=10 data=report", 2, 20},
    [NERSC_4] = {&family_apex_nersc, "machine=4 data=paper", 2, 20},
    [NERSC_10] = {&family_apex_nersc, "machine=10 data=paper", 2, 20},
};

static uint32_t held_out_seeds(uint32_t place, bool quick)
{
    return quick ? held_out_list[place].quick : held_out_list[place].full;
}

static uint32_t held_out_units(bool quick)
{
    uint32_t units = 0;
    for (uint32_t place = 0; place < PLACES; place++)
        units += held_out_seeds(place, quick);
    return units;
}

struct held_out_unit {
    double x;
    struct samples *samples;
};

static int held_out_window(const struct workload *workload, void *context, struct err *err)
{
    const struct held_out_unit *unit = context;
    struct weir_metrics first = {0};
    for (uint16_t i = 0; i < OURS_STRATEGIES; i++) {
        struct weir_metrics metrics;
        struct sample sample = {.series = i, .x = unit->x};
        if (paper_measure(workload, findings_series[i], NULL, &metrics, err) < 0)
            return -1;
        first = i == 0 ? metrics : first;
        sample.values[MIN_YIELD] = metrics.min_yield;
        sample.values[EFFICIENCY] = metrics.efficiency;
        sample.values[MORE_YIELD] = 100 * (metrics.min_yield / first.min_yield - 1);
        sample.values[MORE_EFFICIENCY] = 100 * (metrics.efficiency / first.efficiency - 1);
        if (samples_add(unit->samples, &sample, err) < 0)
            return -1;
    }
    return 0;
}

static int held_out_run(uint32_t number, bool quick, struct samples *samples, struct err *err)
{
    uint32_t place = 0;
    for (; number >= held_out_seeds(place, quick); place++)
        number -= held_out_seeds(place, quick);
    const struct held_out_place *of = &held_out_list[place];
    const struct subject_source source = {of->family, of->params, FINDINGS_SEED + number};
    struct held_out_unit unit = {place, samples};
    if (of->family->schedule)
        return subject_each_window(&source, held_out_window, &unit, err);
    return subject_each_draw(&source, held_out_window, &unit, err);
}

const struct experiment experiment_held_out = {
    .workloads = "W: the family synthetic with this I/O pressure, 40 windows each; T and N: the "
                 "families apex-trilab and apex-nersc, machine 4 or 10, r with the data of the "
                 "report, else of the paper, the 20 longest windows of 20 schedules; seeds from "
                 "1001 on, none of which was used to find a strategy. The quick run has two seeds",
    .series = findings_series,
    .columns = held_out_columns,
    .groups = held_out_groups,
    .x = "workloads",
    .places = held_out_places,
    .quick_time = 0.7,
    .full_time = 16,
    .units = held_out_units,
    .run = held_out_run,
};

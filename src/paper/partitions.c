/* Every partition of small sets of applications (Vidal 2022, section V.B.3, Figure V.3 and
 * intuition 1): is one that is contiguous in the volumes among the best? */
#include "gen/gen.h"
#include "paper/experiment.h"
#include "policy/partition.h"
#include <math.h>

enum { CONTIGUOUS, TOGETHER, APART };
static const char *const partitions_series[] = {
    [CONTIGUOUS] = "best contiguous", [TOGETHER] = "one group", [APART] = "all apart", NULL};
enum { PARTITIONS_WORSE, PARTITIONS_BEATEN };
static const char *const partitions_columns[] = {"stretch / that of the best of all partitions",
                                                 "a better partition exists", NULL};
/* Loads that are much alike, or over three decades. */
static const char *const partitions_groups[] = {"similar loads", "loads over three decades", NULL};
enum { PARTITIONS_GROUPS = 2 };
static const double partitions_loads[] = {0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99};
enum {
    PARTITION_APPS = 6,
    PARTITIONS_LOADS = sizeof partitions_loads / sizeof *partitions_loads,
};

/* An application is in a group below `groups`, or in a new one. */
struct partitions_search {
    struct partition problem;
    double room[(PARTITION_APPS * PARTITION_ROOM + PARTITION_EXTRA) / sizeof(double) + 1];
    uint32_t group[PARTITION_APPS];
    double best;
};

/* The smallest stretch (eq. V.1) of these groups. At a stretch s a group needs the larger of its
 * load and (max v / min v) B / s: bisection over s. */
static double partitions_stretch(const struct partitions_search *search, uint32_t groups)
{
    double load[PARTITION_APPS] = {0}, low[PARTITION_APPS], high[PARTITION_APPS] = {0};
    for (uint32_t i = 0; i < PARTITION_APPS; i++) {
        const struct partition_app *app = &search->problem.apps[i];
        uint32_t g = search->group[i];
        low[g] = high[g] > 0 ? fmin(low[g], app->volume) : app->volume;
        high[g] = fmax(high[g], app->volume);
        load[g] += app->load;
    }
    double below = 1, above = 1e9;
    for (int round = 0; round < 80; round++) {
        double stretch = sqrt(below * above), needed = 0;
        for (uint32_t g = 0; g < groups; g++)
            needed += fmax(load[g], high[g] / low[g] / stretch);
        *(needed <= 1 ? &above : &below) = stretch;
    }
    return above;
}

static void partitions_enumerate(struct partitions_search *search, uint32_t app, uint32_t groups)
{
    if (app == PARTITION_APPS) {
        search->best = fmin(search->best, partitions_stretch(search, groups));
        return;
    }
    for (uint32_t g = 0; g <= groups; g++) {
        search->group[app] = g;
        partitions_enumerate(search, app + 1, g == groups ? groups + 1 : groups);
    }
}

/* Volumes over two decades and loads that are parts of `load`, of a bandwidth of 1. */
static void partitions_pose(struct partitions_search *search, uint64_t seed, double load, bool wide)
{
    double draws[2 * PARTITION_APPS], sum = 0;
    gen_shuffle(seed, draws, 2 * PARTITION_APPS);
    for (uint32_t i = PARTITION_APPS; wide && i < 2 * PARTITION_APPS; i++)
        draws[i] = pow(10, 3 * draws[i]);
    partition_place(&search->problem, search->room, PARTITION_APPS);
    search->problem.bandwidth = 1;
    search->problem.count = PARTITION_APPS;
    for (uint32_t i = 0; i < PARTITION_APPS; i++)
        sum += draws[PARTITION_APPS + i];
    for (uint32_t i = 0; i < PARTITION_APPS; i++)
        search->problem.apps[i] = (struct partition_app){pow(10, 2 * draws[i]),
                                                         load * draws[PARTITION_APPS + i] / sum, i};
}

static double partitions_try(struct partitions_search *search, bool together)
{
    for (uint32_t i = 0; i < PARTITION_APPS; i++)
        search->group[i] = together ? 0 : i;
    return partitions_stretch(search, together ? 1 : PARTITION_APPS);
}

static uint32_t partitions_seeds(bool quick)
{
    return quick ? 40 : 400;
}

static uint32_t partitions_units(bool quick)
{
    return PARTITIONS_GROUPS * PARTITIONS_LOADS * partitions_seeds(quick);
}

static int partitions_run(uint32_t unit, bool quick, struct samples *samples, struct err *err)
{
    struct partitions_search search = {.best = INFINITY};
    uint32_t kind = unit / partitions_seeds(quick), group = kind / PARTITIONS_LOADS;
    double load = partitions_loads[kind % PARTITIONS_LOADS], stretch[3];
    partitions_pose(&search, unit % partitions_seeds(quick) + 1, load, group == 1);
    partitions_enumerate(&search, 0, 0);
    stretch[TOGETHER] = partitions_try(&search, true);
    stretch[APART] = partitions_try(&search, false);
    partition_solve(&search.problem);
    stretch[CONTIGUOUS] = search.problem.stretch;
    for (uint16_t i = 0; partitions_series[i]; i++) {
        struct sample sample = {.group = (uint16_t)group, .series = i, .x = load};
        sample.values[PARTITIONS_WORSE] = stretch[i] / search.best;
        sample.values[PARTITIONS_BEATEN] = stretch[i] > search.best * (1 + 1e-9);
        if (samples_add(samples, &sample, err) < 0)
            return -1;
    }
    return 0;
}

const struct experiment experiment_partitions = {
    .workloads = "six applications with volumes over two decades, and loads that together are 1 to "
                 "99 % of the bandwidth; all 203 partitions of each set, 40 sets per load in the "
                 "quick run, 400 in the full one",
    .series = partitions_series,
    .columns = partitions_columns,
    .groups = partitions_groups,
    .x = "load",
    .quick_time = 0.2,
    .full_time = 2,
    .units = partitions_units,
    .run = partitions_run,
};

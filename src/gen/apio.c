/* The sets of APIO (004 section 5.1): four applications whose work varies from one iteration to the
 * next. */
#include "base/maths.h"
#include "gen/family.h"
#include <math.h>
#include <stdio.h>

/* 004 Tables 2 and 4. The rate in GB/s is also the number of nodes, as each moves 1 GB/s. */
static const struct apio_kind {
    const char *name;
    uint32_t instances;
    double rate, period, checkpoint;
    double mu, sigma, low, high;
} kinds[] = {
    {"eap", 13, 160, 5671, 20, 2, 0.5, 1, 3},
    {"lap", 4, 80, 12682, 25, 4, 1, 2, 6},
    {"silverton", 2, 160, 15005, 280, 5, 1, 3, 7},
    {"vpic", 1, 160, 4483, 23.4, 1, 0.5, 0, 2},
};
enum { KINDS = sizeof kinds / sizeof *kinds, SETS = 10 };

/* 004 Table 3: how many of each kind. */
static const uint32_t sets[SETS][KINDS] = {
    {0, 10, 0, 0}, {0, 8, 1, 0}, {0, 6, 2, 0}, {0, 4, 3, 0}, {0, 2, 0, 1},
    {0, 2, 4, 0},  {1, 2, 0, 0}, {0, 0, 1, 1}, {0, 0, 5, 0}, {1, 0, 1, 0},
};

/* 004 section 5.1.1. The paper assumes enough nodes; here there are exactly enough. */
static const double node_bandwidth = 1e9, published_bandwidth = 100e9;

enum param { PARAM_SET, PARAM_DISTRIBUTION, PARAM_LOAD, PARAM_ITERATIONS, PARAM_UNIT };
/* The paper does not print the unit of mu, sigma, a and b. */
enum apio_unit { UNIT_PERIOD, UNIT_MINUTES };
static const char *const units[] = {"period", "minutes", NULL};
static const char *const choices[] = {"uniform", "normal", "lognormal", NULL};
static const enum distribution_kind distributions[] = {DIST_UNIFORM, DIST_NORMAL, DIST_LOGNORMAL};

static double volume_of(const struct apio_kind *kind)
{
    return kind->rate * 1e9 * kind->checkpoint;
}

/* The mean of the work. mu is 1 to 5, and periods are thousands of seconds: either mu is in
 * minutes, or each distribution is scaled until its mean is the period. */
static double mean_of(const struct apio_kind *kind, enum apio_unit unit)
{
    return unit == UNIT_MINUTES ? 60 * kind->mu : kind->period;
}

/* Scaled until it has this mean. Uniform in
 * [a, b] and normal truncated to [a, b] both have the mean mu = (a + b) / 2. Of the lognormal, mu
 * and sigma belong to the logarithm: scaling takes mu away and leaves sd / mean. */
static struct distribution work_of(const struct apio_kind *kind, double mean,
                                   enum distribution_kind distribution)
{
    double scale = mean / kind->mu;
    struct distribution work = {.kind = distribution, .max = INFINITY};
    if (distribution == DIST_LOGNORMAL) {
        work.mean = mean;
        work.sd = mean * sqrt(maths_exp(kind->sigma * kind->sigma) - 1);
        return work;
    }
    work.min = kind->low * scale;
    work.max = kind->high * scale;
    if (distribution == DIST_NORMAL) {
        work.mean = mean;
        work.sd = kind->sigma * scale;
    }
    return work;
}

/* What the set wants on average: sum v / T, in bytes/s, T being the mean of the work. */
static double demand_of(const uint32_t *counts, enum apio_unit unit)
{
    double demand = 0;
    for (int k = 0; k < KINDS; k++)
        demand += counts[k] * volume_of(&kinds[k]) / mean_of(&kinds[k], unit);
    return demand;
}

static void name_scenario(char *name, size_t size, const double *values, uint64_t seed)
{
    char load[32] = "published";
    if (values[PARAM_LOAD] > 0)
        snprintf(load, sizeof load, "%g", values[PARAM_LOAD]);
    snprintf(name, size, "apio-%g-%s-%s-%llu", values[PARAM_SET],
             choices[(int)values[PARAM_DISTRIBUTION]], load, (unsigned long long)seed);
}

static int apio_fill(struct scenario *scenario, const uint32_t *counts, const double *values)
{
    enum distribution_kind distribution = distributions[(int)values[PARAM_DISTRIBUTION]];
    enum apio_unit unit = (enum apio_unit)values[PARAM_UNIT];
    struct app_spec *app = scenario->apps;
    struct distribution *work = arena_alloc(&scenario->arena, KINDS, sizeof *work);
    if (!work)
        return -1;
    for (int k = 0; k < KINDS; k++) {
        if (counts[k] == 0)
            continue;
        app->name = kinds[k].name;
        app->count = counts[k];
        app->nodes = kinds[k].rate * 1e9 / node_bandwidth;
        app->iterations = kinds[k].instances;
        work[k] = work_of(&kinds[k], mean_of(&kinds[k], unit), distribution);
        app->work.random = &work[k];
        app->io.mean = volume_of(&kinds[k]);
        scenario->platform.nodes += app->count * app->nodes;
        app++;
    }
    return 0;
}

static struct scenario *apio_make(const double *values, uint64_t seed, struct err *err)
{
    const uint32_t *counts = sets[(int)values[PARAM_SET] - 1];
    double load = values[PARAM_LOAD];
    uint32_t used = 0;
    for (int k = 0; k < KINDS; k++)
        used += counts[k] > 0;
    char name[96];
    name_scenario(name, sizeof name, values, seed);
    struct scenario *scenario = scenario_new(name, used);
    if (!scenario || apio_fill(scenario, counts, values) != 0) {
        scenario_free(scenario);
        err_memory(err);
        return NULL;
    }
    scenario->platform.node_bandwidth = node_bandwidth;
    scenario->platform.bandwidth =
        load > 0 ? demand_of(counts, (enum apio_unit)values[PARAM_UNIT]) / load
                 : published_bandwidth;
    scenario->seed = seed;
    if (values[PARAM_ITERATIONS] > 0)
        family_repeat(scenario, values[PARAM_ITERATIONS]);
    return scenario;
}

static const struct family_param params[] = {
    [PARAM_SET] = {"set", "which set", 1, SETS, 1, true, NULL},
    [PARAM_DISTRIBUTION] = {"distribution", "of the work, with the published period as its mean", 0,
                            2, 0, true, choices},
    [PARAM_LOAD] = {"load", "bytes wanted / bytes the file system can move; 0 = as published", 0,
                    100, 0, false, NULL},
    [PARAM_ITERATIONS] = {"iterations",
                          "how often the longest application runs, the others run as long; 0 = as "
                          "often as published, 1 to 13 times",
                          0, 100000, 20, true, NULL},
    [PARAM_UNIT] = {"unit", "of the published distributions; period: their mean is the period", 0,
                    1, UNIT_PERIOD, true, units},
    {.name = NULL},
};

const struct family family_apio = {
    .name = "apio",
    .summary = "ten published sets of 2 to 10 applications with random work",
    .paper = "Zha and Shen 2022, section 5.1",
    .params = params,
    .random = true,
    .make = apio_make,
};

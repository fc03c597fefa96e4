#include "gen/family.h"
#include "gen/gen.h"
#include <stdio.h>

/* 003 Table 1, scaled by 64 as the paper does to run on its machine of 640 cores: nodes / 64,
 * work x 64. */
static const struct jupiter_kind {
    const char *name;
    double work, volume, nodes;
} kinds[] = {
    {"turbulence1", 4480, 128.2e9, 512},
    {"turbulence2", 76.8, 235.8e9, 64},
    {"astrophysics", 15360, 423.4e9, 128},
    {"plasmaphysics", 483456, 34304e9, 512},
};
enum { KINDS = sizeof kinds / sizeof *kinds, SETS = 10 };

/* 003 Table 2: how many of each kind; every set fills the machine. */
static const uint32_t sets[SETS][KINDS] = {
    {0, 10, 0, 0}, {0, 8, 1, 0}, {0, 6, 2, 0}, {0, 4, 3, 0}, {0, 2, 0, 1},
    {0, 2, 4, 0},  {1, 2, 0, 0}, {0, 0, 1, 1}, {0, 0, 5, 0}, {1, 0, 1, 0},
};

/* 003 section 4.1. */
static const struct platform machine = {.nodes = 640, .node_bandwidth = 0.01e9, .bandwidth = 3e9};

/* How often the longest application of a set runs. */
static const double longest_iterations = 20;

static struct scenario *jupiter_make(const double *values, uint64_t seed, struct err *err)
{
    (void)seed;
    int set = (int)values[0];
    const uint32_t *counts = sets[set - 1];
    uint32_t used = 0;
    for (int k = 0; k < KINDS; k++)
        used += counts[k] > 0;
    char name[32];
    snprintf(name, sizeof name, "jupiter-%d", set);
    struct scenario *scenario = scenario_new(name, used);
    if (!scenario) {
        err_memory(err);
        return NULL;
    }
    scenario->platform = machine;
    struct app_spec *app = scenario->apps;
    for (int k = 0; k < KINDS; k++) {
        if (counts[k] == 0)
            continue;
        app->name = kinds[k].name;
        app->count = counts[k];
        app->nodes = kinds[k].nodes;
        app->work.mean = kinds[k].work;
        app->io.mean = kinds[k].volume;
        app++;
    }
    family_repeat(scenario, longest_iterations);
    return scenario;
}

static const struct family_param params[] = {
    {"set", "which set", 1, SETS, 1, true, NULL},
    {.name = NULL},
};

const struct family family_jupiter = {
    .name = "jupiter",
    .summary = "ten published sets of 2 to 10 applications on 640 nodes",
    .paper = "Aupy et al. 2017, section 4.2",
    .params = params,
    .make = jupiter_make,
};

struct scenario *gen_jupiter(int set, struct err *err)
{
    return family_make(&family_jupiter, (const double[]){set}, 0, err);
}

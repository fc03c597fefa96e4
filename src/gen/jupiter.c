#include "gen/gen.h"
#include <math.h>
#include <stdio.h>

/* 003 Table 1, scaled by 64 as the paper does to run on its machine of 640 cores: nodes / 64,
 * work x 64. */
static const struct kind {
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

/* How often the longest application of a set runs; the others run as long as that takes. */
static const double longest_iterations = 20;

static double measure_period(const struct kind *kind)
{
    return kind->work +
           kind->volume / fmin(kind->nodes * machine.node_bandwidth, machine.bandwidth);
}

struct scenario *gen_jupiter(int set, struct err *err)
{
    if (set < 1 || set > SETS) {
        err_set(err, "jupiter has no set %d, expected 1 to %d", set, SETS);
        return NULL;
    }
    const uint32_t *counts = sets[set - 1];
    double longest = 0;
    uint32_t used = 0;
    for (int k = 0; k < KINDS; k++) {
        longest = counts[k] ? fmax(longest, measure_period(&kinds[k])) : longest;
        used += counts[k] > 0;
    }
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
        app->iterations = (uint32_t)round(longest_iterations * longest / measure_period(&kinds[k]));
        app++;
    }
    return scenario;
}

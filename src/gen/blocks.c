/* Intrepid and Mira (003 section 4.4): random sets that fill a machine in blocks of nodes. */
#include "base/random.h"
#include "gen/family.h"
#include <stdio.h>

/* 003 Table 5, and the range of the work that goes with the speed of the nodes. */
struct machine {
    const char *name;
    uint32_t place; /* of its draws, so that one seed gives unrelated sets on both machines */
    struct platform platform;
    double least_work, most_work;
};

static const struct machine intrepid = {
    "intrepid", 0, {.nodes = 40960, .node_bandwidth = 0.0125e9, .bandwidth = 64e9}, 2, 7500};
static const struct machine mira = {
    "mira", 1, {.nodes = 49152, .node_bandwidth = 0.03125e9, .bandwidth = 240e9}, 0.5, 1875};

static const double least_volume = 100e9, most_volume = 35e12;

enum { BLOCK = 4096, MOST_APPS = 12 }; /* nodes; blocks of the larger machine */

/* What is drawn of an application. */
struct draw {
    uint32_t blocks;
    double work, volume;
};

/* Draws one of those that share `left` blocks; the first leaves room for a second one. */
static struct draw draw_app(const struct machine *machine, uint32_t left, struct random random)
{
    struct draw draw;
    draw.blocks = 1 + random_below(&random, left > 1 ? left - 1 : 1);
    draw.work = random_between(&random, machine->least_work, machine->most_work);
    draw.volume = random_between(&random, least_volume, most_volume);
    return draw;
}

static int blocks_fill(struct scenario *scenario, const struct draw *draws)
{
    for (uint32_t k = 0; k < scenario->count; k++) {
        struct app_spec *app = &scenario->apps[k];
        if (family_name_app(scenario, k) != 0)
            return -1;
        app->nodes = (double)draws[k].blocks * BLOCK;
        app->work.mean = draws[k].work;
        app->io.mean = draws[k].volume;
    }
    return 0;
}

static struct scenario *blocks_build(const struct machine *machine, double times, uint64_t seed,
                                     struct err *err)
{
    struct draw draws[MOST_APPS];
    uint32_t count = 0, left = (uint32_t)machine->platform.nodes / BLOCK;
    for (; left > 0; left -= draws[count++].blocks)
        draws[count] = draw_app(machine, left, random_at(seed, count, machine->place));
    char name[64];
    snprintf(name, sizeof name, "%s-%llu", machine->name, (unsigned long long)seed);
    struct scenario *scenario = scenario_new(name, count);
    if (!scenario || blocks_fill(scenario, draws) != 0) {
        scenario_free(scenario);
        err_memory(err);
        return NULL;
    }
    scenario->platform = machine->platform;
    scenario->seed = seed;
    family_repeat(scenario, times);
    return scenario;
}

static struct scenario *make_intrepid(const double *values, uint64_t seed, struct err *err)
{
    return blocks_build(&intrepid, values[0], seed, err);
}

static struct scenario *make_mira(const double *values, uint64_t seed, struct err *err)
{
    return blocks_build(&mira, values[0], seed, err);
}

static const struct family_param params[] = {
    {"iterations", "how often the longest application runs; the others run as long", 1, 10000, 20,
     true, NULL},
    {.name = NULL},
};

const struct family family_intrepid = {
    .name = "intrepid",
    .summary = "random sets that fill 40,960 nodes in blocks of 4,096",
    .paper = "Aupy et al. 2017, section 4.4",
    .params = params,
    .random = true,
    .make = make_intrepid,
};

const struct family family_mira = {
    .name = "mira",
    .summary = "random sets that fill 49,152 faster nodes in blocks of 4,096",
    .paper = "Aupy et al. 2017, section 4.4",
    .params = params,
    .random = true,
    .make = make_mira,
};

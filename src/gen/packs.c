/* Packs (thesis section III.D.2.b), uniform-normal and uniform-binormal (section IV.B.4): batches
 * of jobs for a machine of 2,048 nodes, all parameters drawn independently. */
#include "gen/draw.h"
#include "gen/family.h"
#include <math.h>
#include <stdio.h>

/* Where the three protocols differ. */
struct protocol {
    const char *name;
    bool single; /* one kind of job; else there are jobs with little and with much I/O */
    uint32_t least_apps, most_apps, least_iterations, most_iterations;
    bool truncated; /* the mean number of nodes follows from ratios as they are drawn */
};

/* Both sections say "variance 0.1"; IV.B.4 prints the bounds, [0, 1], and the means that result,
 * 0.289 and 0.711, which only a variance (not a deviation) of 0.1 gives. The mean number of nodes
 * follows from the printed means 0.1 and 0.9 in III.D.2.b, from those that result in IV.B.4, and
 * from the load itself where all jobs are of one kind. */
static const struct protocol packs = {.name = "packs",
                                      .least_apps = 25,
                                      .most_apps = 100,
                                      .least_iterations = 250,
                                      .most_iterations = 1000};
#define LONG_JOBS                                                                                  \
    .least_apps = 100, .most_apps = 500, .least_iterations = 1000, .most_iterations = 10000
static const struct protocol uniform_normal = {.name = "uniform-normal", .single = true, LONG_JOBS};
static const struct protocol uniform_binormal = {
    .name = "uniform-binormal", .truncated = true, LONG_JOBS};

enum { MOST_POWER = 11 }; /* 2^11 nodes */
static const struct platform machine = {.nodes = 2048, .node_bandwidth = 1, .bandwidth = 1};
static const double little = 0.1, much = 0.9, least_work = 10, most_work = 100;
static const double ratio_sd = 0.31622776601683794;

enum param { PARAM_LOAD, PARAM_APPLICATIONS, PARAM_SIZES };

/* The thesis gives the set of sizes, {2^j}, j = 0..11, and their mean, no distribution. */
enum sizes { SIZES_NEAR, SIZES_SPREAD };
static const char *const sizes_names[] = {"near", "spread", NULL};

/* What is drawn once for a workload. */
struct packs_mix {
    const struct protocol *protocol;
    double load;
    double few;   /* beta: the part of the jobs that have little I/O */
    double nodes; /* Q: mean of the jobs */
    bool spread;
};

static struct distribution ratio_around(double mean)
{
    return (struct distribution){.kind = DIST_NORMAL, .mean = mean, .sd = ratio_sd, .max = 1};
}

static double packs_average(const struct protocol *protocol, double mean)
{
    struct distribution ratio = ratio_around(mean);
    return protocol->truncated ? draw_mean(&ratio) : mean;
}

static double mean_ratio(const struct packs_mix *mix)
{
    if (mix->protocol->single)
        return packs_average(mix->protocol, mix->load);
    return mix->few * packs_average(mix->protocol, little) +
           (1 - mix->few) * packs_average(mix->protocol, much);
}

/* The mean number of nodes with which eq. III.5 gives the load; a job cannot have more than all. */
static double mean_nodes(const struct packs_mix *mix)
{
    double ratio = mean_ratio(mix), nodes = machine.nodes * ratio / (mix->load * (1 + ratio));
    return fmin(fmax(nodes, 1), machine.nodes);
}

static int packs_fill_app(struct scenario *scenario, uint32_t i, const struct packs_mix *mix)
{
    const struct protocol *protocol = mix->protocol;
    struct app_spec *app = &scenario->apps[i];
    struct random random = draw_at(scenario->seed, i);
    if (family_name_app(scenario, i) != 0)
        return -1;
    double kind = random_uniform(&random) < mix->few ? little : much;
    struct distribution ratio = ratio_around(protocol->single ? mix->load : kind);
    app->iterations = draw_whole(&random, protocol->least_iterations, protocol->most_iterations);
    app->work.mean = random_between(&random, least_work, most_work);
    app->nodes = mix->spread ? draw_spread_power(&random, mix->nodes, MOST_POWER)
                             : draw_power(&random, mix->nodes);
    app->io.mean = app->work.mean * draw_value(&ratio, &random) * machine.bandwidth;
    return 0;
}

static int packs_fill(struct scenario *scenario, const struct packs_mix *mix)
{
    for (uint32_t i = 0; i < scenario->count; i++)
        if (packs_fill_app(scenario, i, mix) != 0)
            return -1;
    return 0;
}

static struct scenario *packs_build(const struct protocol *protocol, const double *values,
                                    uint64_t seed, struct err *err)
{
    struct random random = draw_at(seed, DRAW_SHARED);
    struct packs_mix mix = {.protocol = protocol, .load = values[PARAM_LOAD]};
    uint32_t count = draw_whole(&random, protocol->least_apps, protocol->most_apps);
    mix.few = random_uniform(&random);
    mix.nodes = mean_nodes(&mix);
    mix.spread = values[PARAM_SIZES] == SIZES_SPREAD;
    if (values[PARAM_APPLICATIONS] > 0)
        count = (uint32_t)values[PARAM_APPLICATIONS];
    char name[64];
    snprintf(name, sizeof name, "%s-%g-%llu", protocol->name, mix.load, (unsigned long long)seed);
    struct scenario *scenario = scenario_new(name, count);
    if (scenario) {
        scenario->platform = machine;
        scenario->seed = seed;
    }
    if (!scenario || packs_fill(scenario, &mix) != 0) {
        scenario_free(scenario);
        err_memory(err);
        return NULL;
    }
    return scenario;
}

static struct scenario *make_packs(const double *values, uint64_t seed, struct err *err)
{
    return packs_build(&packs, values, seed, err);
}

static struct scenario *make_uniform_normal(const double *values, uint64_t seed, struct err *err)
{
    return packs_build(&uniform_normal, values, seed, err);
}

static struct scenario *make_uniform_binormal(const double *values, uint64_t seed, struct err *err)
{
    return packs_build(&uniform_binormal, values, seed, err);
}

#define SIZES_HELP "nodes of jobs: the powers of two near their mean, or spread from 1 to 2,048"

static const struct family_param packs_params[] = {
    [PARAM_LOAD] = {"load", "I/O load that is aimed at", 0.01, 100, 1, false, NULL},
    [PARAM_APPLICATIONS] = {"applications", "how many; 0 = drawn from 25 to 100", 0, 1000000, 0,
                            true, NULL},
    [PARAM_SIZES] = {"sizes", SIZES_HELP, 0, 1, SIZES_NEAR, true, sizes_names},
    {.name = NULL},
};

/* As the mean of a ratio, the load is at most 1. */
static const struct family_param uniform_params[] = {
    [PARAM_LOAD] = {"load", "I/O load that is aimed at", 0.01, 1, 0.5, false, NULL},
    [PARAM_APPLICATIONS] = {"applications", "how many; 0 = drawn from 100 to 500", 0, 1000000, 0,
                            true, NULL},
    [PARAM_SIZES] = {"sizes", SIZES_HELP, 0, 1, SIZES_SPREAD, true, sizes_names},
    {.name = NULL},
};

const struct family family_packs = {
    .name = "packs",
    .summary = "batches of jobs with little or much I/O for 2,048 nodes",
    .paper = "Vidal 2022, section III.D.2.b",
    .params = packs_params,
    .random = true,
    .batch = true,
    .make = make_packs,
};

const struct family family_uniform_normal = {
    .name = "uniform-normal",
    .summary = "batches of long jobs for 2,048 nodes, I/O around one mean",
    .paper = "Vidal 2022, section IV.B.4",
    .params = uniform_params,
    .random = true,
    .batch = true,
    .make = make_uniform_normal,
};

const struct family family_uniform_binormal = {
    .name = "uniform-binormal",
    .summary = "batches of long jobs for 2,048 nodes, I/O around two means",
    .paper = "Vidal 2022, section IV.B.4",
    .params = uniform_params,
    .random = true,
    .batch = true,
    .make = make_uniform_binormal,
};

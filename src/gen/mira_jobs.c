/* Mira-normal and mira-binormal (thesis section IV.B.3): batches of jobs whose nodes and lengths
 * are those seen on Mira. */
#include "gen/draw.h"
#include "gen/family.h"
#include <math.h>
#include <stdio.h>

/* The thesis gives no bandwidth here; as in its section III.D.2 one application can use it all, and
 * B = 1: volumes are proportional to it. */
static const struct platform machine = {.nodes = 49152, .node_bandwidth = 1, .bandwidth = 1};

static const struct distribution nodes_of_jobs = {
    .kind = DIST_EXPONENTIAL, .mean = 1 / 1.35e-4, .min = 512, .max = 49152};

/* The median length of a job of at most this many nodes; its standard deviation is a tenth of it.
 */
static const struct length {
    double nodes, median;
} lengths[] = {{4096, 3600}, {16384, 7200}, {INFINITY, 1800}};

enum { LEAST_ITERATIONS = 10, MOST_ITERATIONS = 100, LEAST_APPS = 100, MOST_APPS = 500 };
static const double little = 0.1, much = 0.9;

enum param { PARAM_LOAD, PARAM_SD, PARAM_APPLICATIONS };

/* The part of I/O in a job, with this mean before it is truncated. */
static struct distribution share_around(double mean, double sd)
{
    return (struct distribution){.kind = DIST_NORMAL, .mean = mean, .sd = sd, .max = 1};
}

/* The part of the jobs that have little I/O, if all of them are to have the load on average. */
static double part_of_little(double load, double sd)
{
    struct distribution low = share_around(little, sd), high = share_around(much, sd);
    double least = draw_mean(&low), most = draw_mean(&high);
    return fmin(fmax((most - load) / (most - least), 0), 1);
}

static double median_of(double nodes)
{
    const struct length *length = lengths;
    while (nodes >= length->nodes)
        length++;
    return length->median;
}

/* "Weighting with the requested number of processors": a job with all nodes would spend this share
 * of its time in I/O, a smaller one less in proportion; so the I/O load (eq. III.5) is the mean
 * share, and the length stays what was drawn. */
static int mira_jobs_fill_app(struct scenario *scenario, uint32_t i,
                              const struct distribution *share, struct random *random)
{
    struct app_spec *app = &scenario->apps[i];
    if (family_name_app(scenario, i) != 0)
        return -1;
    app->nodes = floor(draw_value(&nodes_of_jobs, random));
    double median = median_of(app->nodes);
    struct distribution length = {
        .kind = DIST_NORMAL, .mean = median, .sd = median / 10, .max = INFINITY};
    app->iterations = draw_whole(random, LEAST_ITERATIONS, MOST_ITERATIONS);
    double period = draw_value(&length, random) / app->iterations;
    double io = draw_value(share, random) * period * app->nodes / machine.nodes;
    app->work.mean = period - io;
    app->io.mean = io * machine.bandwidth;
    return 0;
}

/* Jobs of two kinds: `few` of them around `little`, the others around `mean`. */
struct mira_mix {
    const char *family;
    double few, mean;
};

static int mira_jobs_fill(struct scenario *scenario, const struct mira_mix *mix, double sd)
{
    for (uint32_t i = 0; i < scenario->count; i++) {
        struct random random = draw_at(scenario->seed, i);
        bool small = random_uniform(&random) < mix->few;
        struct distribution share = share_around(small ? little : mix->mean, sd);
        if (mira_jobs_fill_app(scenario, i, &share, &random) != 0)
            return -1;
    }
    return 0;
}

static struct scenario *mira_jobs_build(const struct mira_mix *mix, const double *values,
                                        uint64_t seed, struct err *err)
{
    struct random random = draw_at(seed, DRAW_SHARED);
    uint32_t count = draw_whole(&random, LEAST_APPS, MOST_APPS);
    if (values[PARAM_APPLICATIONS] > 0)
        count = (uint32_t)values[PARAM_APPLICATIONS];
    char name[64];
    snprintf(name, sizeof name, "%s-%g-%llu", mix->family, values[PARAM_LOAD],
             (unsigned long long)seed);
    struct scenario *scenario = scenario_new(name, count);
    if (scenario) {
        scenario->platform = machine;
        scenario->seed = seed;
    }
    if (!scenario || mira_jobs_fill(scenario, mix, values[PARAM_SD]) != 0) {
        scenario_free(scenario);
        err_memory(err);
        return NULL;
    }
    return scenario;
}

static struct scenario *make_normal(const double *values, uint64_t seed, struct err *err)
{
    struct mira_mix mix = {"mira-normal", 0, values[PARAM_LOAD]};
    return mira_jobs_build(&mix, values, seed, err);
}

static struct scenario *make_binormal(const double *values, uint64_t seed, struct err *err)
{
    struct mira_mix mix = {"mira-binormal", part_of_little(values[PARAM_LOAD], values[PARAM_SD]),
                           much};
    return mira_jobs_build(&mix, values, seed, err);
}

static const struct family_param params[] = {
    [PARAM_LOAD] = {"load", "I/O load that is aimed at", 0, 1, 0.5, false, NULL},
    [PARAM_SD] = {"sd", "spread of the share of I/O between jobs", 0.01, 1, 0.1, false, NULL},
    [PARAM_APPLICATIONS] = {"applications", "how many; 0 = drawn from 100 to 500", 0, 1000000, 0,
                            true, NULL},
    {.name = NULL},
};

const struct family family_mira_normal = {
    .name = "mira-normal",
    .summary = "batches of jobs as on Mira, I/O around one mean",
    .paper = "Vidal 2022, section IV.B.3",
    .params = params,
    .random = true,
    .batch = true,
    .make = make_normal,
};

const struct family family_mira_binormal = {
    .name = "mira-binormal",
    .summary = "batches of jobs as on Mira, I/O around two means",
    .paper = "Vidal 2022, section IV.B.3",
    .params = params,
    .random = true,
    .batch = true,
    .make = make_binormal,
};

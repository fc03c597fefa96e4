/* churn: jobs that come and go, as on a machine that is kept full: lengths, iterations and shares
 * of I/O over two orders of magnitude, so that applications of all ages meet.
 *
 * Jobs arrive one after the other, and each starts where its nodes are first free for as long as it
 * takes alone. The shares of I/O are then scaled to the load that is asked for, at the same
 * lengths, so that the schedule stays as it is. */
#include "base/maths.h"
#include "base/mem.h"
#include "gen/draw.h"
#include "gen/family.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct platform machine = {.nodes = 1024, .node_bandwidth = 20e6, .bandwidth = 10e9};
static const double gap = 60; /* mean seconds between two arrivals */
static const double noise_work = 0.25, noise_io = 0.3;

/* Nodes are 2 to the power of one of these, equally likely. */
static const uint32_t powers[] = {3, 4, 4, 5, 5, 6, 6, 7, 7, 8};
enum { POWERS = sizeof powers / sizeof *powers };

enum param { PARAM_LOAD, PARAM_JOBS, PARAM_READ };

/* No job does nothing but I/O, however high the load is. */
static const double most_share = 0.9;

struct churn_job {
    double nodes, start, length; /* alone */
    double iterations;
    double share; /* of I/O in its length */
    double reads; /* volumes that it reads first */
};

/* A lognormal variable, of which what is out of bounds is moved to the nearer one. */
static double churn_draw(struct random *random, double median, double sigma, const double *bounds)
{
    double value = median * maths_exp(sigma * random_normal(random));
    return maths_min(maths_max(value, bounds[0]), bounds[1]);
}

/* Returns the seconds after which the next one arrives. */
static double churn_draw_job(struct churn_job *job, uint64_t seed, uint32_t i, bool read)
{
    struct random random = draw_at(seed, i);
    job->nodes = (double)(1u << powers[random_below(&random, POWERS)]);
    job->length = churn_draw(&random, 5400, 1.2, (double[]){300, 86400});
    double iteration = churn_draw(&random, 600, 1, (double[]){60, job->length / 2});
    job->iterations = floor(job->length / iteration + 0.5);
    job->share = churn_draw(&random, 0.12, 0.8, (double[]){0.01, 0.7});
    double half = random_uniform(&random), reads = random_between(&random, 0.5, 3);
    job->reads = read && half < 0.5 ? reads : 0;
    return gap * random_exponential(&random);
}

/* --- the schedule ----------------------------------------------------------------------------- */

/* Whether the job fits beside those before it if it starts then. The use of nodes rises only where
 * one starts. */
static bool churn_fits(const struct churn_job *jobs, uint32_t own, double start)
{
    for (uint32_t at = 0; at <= own; at++) {
        double time = at == own ? start : jobs[at].start, used = jobs[own].nodes;
        if (time < start || time >= start + jobs[own].length)
            continue;
        for (uint32_t i = 0; i < own; i++)
            if (jobs[i].start <= time && time < jobs[i].start + jobs[i].length)
                used += jobs[i].nodes;
        if (used > machine.nodes)
            return false;
    }
    return true;
}

/* Starts it at its arrival, or at the first end of another at which it fits. */
static void churn_place(struct churn_job *jobs, uint32_t own, double arrival)
{
    double start = churn_fits(jobs, own, arrival) ? arrival : INFINITY;
    for (uint32_t i = 0; i < own && start > arrival; i++) {
        double end = jobs[i].start + jobs[i].length;
        if (end > arrival && end < start && churn_fits(jobs, own, end))
            start = end;
    }
    jobs[own].start = start;
}

/* --- the load --------------------------------------------------------------------------------- */

static double churn_bmax(const struct churn_job *job)
{
    return maths_min(job->nodes * machine.node_bandwidth, machine.bandwidth);
}

/* Bytes that the jobs would move until a time if each were alone, at even rates; those at the
 * highest share are `fixed`. */
static double churn_bytes(const struct churn_job *jobs, uint32_t count, double until, bool fixed)
{
    double bytes = 0;
    for (uint32_t i = 0; i < count; i++)
        if ((jobs[i].share >= most_share) == fixed)
            bytes += jobs[i].share * churn_bmax(&jobs[i]) *
                     maths_min(jobs[i].length, maths_max(until - jobs[i].start, 0));
    return bytes;
}

/* Scales the shares of I/O to the load until the last start. Each round but the last brings at
 * least one more to the highest share, whose part the others then take over. */
static void churn_scale(struct churn_job *jobs, uint32_t count, double load)
{
    double until = 0, factor;
    for (uint32_t i = 0; i < count; i++)
        until = maths_max(until, jobs[i].start);
    double wanted = load * machine.bandwidth * until;
    do {
        double others = churn_bytes(jobs, count, until, false);
        factor = others > 0 ? (wanted - churn_bytes(jobs, count, until, true)) / others : 1;
        for (uint32_t i = 0; i < count; i++)
            if (jobs[i].share < most_share)
                jobs[i].share = maths_min(jobs[i].share * factor, most_share);
    } while (factor > 1 + 1e-9);
}

/* --- the scenario ----------------------------------------------------------------------------- */

/* The I/O of its length is one volume per iteration, and what it reads. */
static int churn_fill(struct scenario *scenario, uint32_t i, const struct churn_job *job)
{
    struct app_spec *app = &scenario->apps[i];
    bool reads = job->reads > 0;
    uint32_t first = reads ? 1 : 0, count = first + (uint32_t)job->iterations;
    double io = job->share * job->length / (job->iterations + job->reads);
    struct iteration each = {(1 - job->share) * job->length / job->iterations,
                             io * churn_bmax(job)};
    app->nodes = job->nodes;
    app->release = job->start;
    app->iterations = count;
    app->noise_work = noise_work;
    app->noise_io = noise_io;
    app->work.mean = each.work;
    app->io.mean = each.volume;
    if (family_name_app(scenario, i) != 0)
        return -1;
    if (!reads)
        return 0;
    struct iteration *list = arena_alloc(&scenario->arena, count, sizeof *list);
    app->explicit_iterations = list;
    for (uint32_t k = 0; list && k < count; k++)
        list[k] = k < first ? (struct iteration){0, job->reads * each.volume} : each;
    return list ? 0 : -1;
}

static struct scenario *churn_build(const struct churn_job *jobs, const double *values,
                                    uint64_t seed)
{
    char name[64];
    uint32_t count = (uint32_t)values[PARAM_JOBS];
    snprintf(name, sizeof name, "churn-%g%s-%llu", values[PARAM_LOAD],
             values[PARAM_READ] > 0 ? "-read" : "", (unsigned long long)seed);
    struct scenario *scenario = scenario_new(name, count);
    if (!scenario)
        return NULL;
    scenario->platform = machine;
    scenario->seed = seed;
    for (uint32_t i = 0; i < count; i++) {
        if (churn_fill(scenario, i, &jobs[i]) == 0)
            continue;
        scenario_free(scenario);
        return NULL;
    }
    return scenario;
}

static struct scenario *churn_make(const double *values, uint64_t seed, struct err *err)
{
    uint32_t count = (uint32_t)values[PARAM_JOBS];
    struct churn_job *jobs = mem_alloc(count, sizeof *jobs);
    struct scenario *scenario = NULL;
    double arrival = 0;
    for (uint32_t i = 0; jobs && i < count; i++) {
        double next = churn_draw_job(&jobs[i], seed, i, values[PARAM_READ] > 0);
        churn_place(jobs, i, arrival);
        arrival += next;
    }
    if (jobs) {
        churn_scale(jobs, count, values[PARAM_LOAD]);
        scenario = churn_build(jobs, values, seed);
    }
    free(jobs);
    if (!scenario)
        err_memory(err);
    return scenario;
}

static const char *const switches[] = {"off", "on", NULL};

static const struct family_param params[] = {
    [PARAM_LOAD] = {"load", "bytes wanted until the last start / bytes the file system can move",
                    1e-6, 5, 0.8, false, NULL},
    [PARAM_JOBS] = {"jobs", "how many there are", 2, 1000, 120, true, NULL},
    [PARAM_READ] = {"read", "half of the jobs read at first", 0, 1, 0, true, switches},
    {.name = NULL},
};

const struct family family_churn = {
    .name = "churn",
    .summary = "120 jobs of all lengths that come and go on a full machine",
    .paper = "Weir",
    .params = params,
    .random = true,
    .make = churn_make,
};

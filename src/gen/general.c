/* General and uniform (thesis section II.D.2): periodic applications, each of which can use the
 * whole file system, all released at once. */
#include "gen/draw.h"
#include "gen/family.h"
#include <stdio.h>

/* Thesis Table II.1. The two cases differ in the iterations, and in that "uniform" means one
 * length of work and of I/O for all applications (definition 3). */
struct table_row {
    const char *name;
    bool alike;
    uint32_t least_iterations, most_iterations;
};
static const struct table_row general = {"general", false, 5, 150};
static const struct table_row uniform = {"uniform", true, 100, 200};

enum { LEAST_APPS = 2, MOST_APPS = 15 };
static const double least_work = 1, most_work = 20, least_ratio = 0.1, most_ratio = 1;

/* Durations of I/O are volumes too, as B = 1. */
static struct iteration draw_iteration(struct random *random)
{
    double work = random_between(random, least_work, most_work);
    double ratio = random_between(random, least_ratio, most_ratio);
    return (struct iteration){work, ratio * work};
}

static int general_fill(struct scenario *scenario, const struct table_row *row,
                        const struct iteration *shared, double noise)
{
    for (uint32_t i = 0; i < scenario->count; i++) {
        struct app_spec *app = &scenario->apps[i];
        struct random random = draw_at(scenario->seed, i);
        if (family_name_app(scenario, i) != 0)
            return -1;
        app->bandwidth = scenario->platform.bandwidth;
        app->iterations = draw_whole(&random, row->least_iterations, row->most_iterations);
        struct iteration iteration = row->alike ? *shared : draw_iteration(&random);
        app->work.mean = iteration.work;
        app->io.mean = iteration.volume;
        app->noise_work = app->noise_io = noise;
    }
    return 0;
}

static struct scenario *general_build(const struct table_row *row, double noise, uint64_t seed,
                                      struct err *err)
{
    struct random random = draw_at(seed, DRAW_SHARED);
    uint32_t count = draw_whole(&random, LEAST_APPS, MOST_APPS);
    struct iteration shared = draw_iteration(&random);
    char name[64];
    snprintf(name, sizeof name, "%s-%g-%llu", row->name, noise, (unsigned long long)seed);
    struct scenario *scenario = scenario_new(name, count);
    if (scenario) {
        scenario->platform = (struct platform){.node_bandwidth = 1, .bandwidth = 1};
        scenario->seed = seed;
    }
    if (!scenario || general_fill(scenario, row, &shared, noise) != 0) {
        scenario_free(scenario);
        err_memory(err);
        return NULL;
    }
    return scenario;
}

static struct scenario *make_general(const double *values, uint64_t seed, struct err *err)
{
    return general_build(&general, values[0], seed, err);
}

static struct scenario *make_uniform(const double *values, uint64_t seed, struct err *err)
{
    return general_build(&uniform, values[0], seed, err);
}

/* Published with 0, 0.2 and 0.5. */
static const struct family_param params[] = {
    {"noise", "each phase is longer or shorter by up to this part of it", 0, 1, 0, false, NULL},
    {.name = NULL},
};

const struct family family_general = {
    .name = "general",
    .summary = "2 to 15 periodic applications of any lengths",
    .paper = "Vidal 2022, section II.D.2",
    .params = params,
    .random = true,
    .make = make_general,
};

const struct family family_uniform = {
    .name = "uniform",
    .summary = "2 to 15 periodic applications that differ in nothing but their iterations",
    .paper = "Vidal 2022, section II.D.2",
    .params = params,
    .random = true,
    .make = make_uniform,
};

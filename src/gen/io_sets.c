/* The workloads of IO-Sets (Boito et al. 2023): applications of three frequencies, measured in the
 * middle of the run. How they are drawn, 002 section 6.2.1 repeats. */
#include "gen/draw.h"
#include "gen/family.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { APPS = 60, MEDIUM = 20 };
static const double horizon = 20000;
static const struct window window = {.kind = WINDOW_FIXED, .start = 6000, .end = 14000};

/* By frequency: mean and standard deviation of the length of an iteration. */
static const struct class
{
    const char *name;
    double mean, sd;
} classes[] = {{"high", 10, 1}, {"medium", 100, 10}, {"low", 1000, 100}};

enum param { PARAM_STRESS, PARAM_HIGH, PARAM_NOISE };

/* The first draw of an application: its share of I/O before it is scaled to the stress. */
static double io_sets_draw_share(uint64_t seed, uint32_t i)
{
    struct random random = draw_at(seed, i);
    return random_uniform(&random);
}

/* The share of I/O is phi = u stress / sum u, so that the shares add up to the stress. They stay
 * far below 1: 60 draws add up to 30 with a standard deviation of 2.2. */
static int io_sets_fill_app(struct scenario *scenario, uint32_t i, const double *values,
                            double scale)
{
    uint32_t high = (uint32_t)values[PARAM_HIGH];
    const struct class *class = &classes[i < high ? 0 : i < high + MEDIUM ? 1 : 2];
    struct app_spec *app = &scenario->apps[i];
    char name[32];
    snprintf(name, sizeof name, "%s%u", class->name, i + 1);
    app->name = arena_strndup(&scenario->arena, name, strlen(name));
    if (!app->name)
        return -1;
    struct random random = draw_at(scenario->seed, i);
    double share = scale * random_uniform(&random);
    /* Ten standard deviations above 0: no draw is negative. */
    double length = class->mean + class->sd * random_normal(&random);
    app->bandwidth = scenario->platform.bandwidth;
    app->release = random_between(&random, 0, length);
    app->iterations = (uint32_t)ceil(horizon / length);
    app->work.mean = (1 - share) * length;
    app->io.mean = share * length;
    app->noise_work = app->noise_io = values[PARAM_NOISE];
    return 0;
}

static struct scenario *io_sets_make(const double *values, uint64_t seed, struct err *err)
{
    char name[64];
    snprintf(name, sizeof name, "io-sets-%g-%g-%llu", values[PARAM_STRESS], values[PARAM_HIGH],
             (unsigned long long)seed);
    struct scenario *scenario = scenario_new(name, APPS);
    if (!scenario) {
        err_memory(err);
        return NULL;
    }
    scenario->platform = (struct platform){.node_bandwidth = 1, .bandwidth = 1};
    scenario->window = window;
    scenario->seed = seed;
    double total = 0;
    for (uint32_t i = 0; i < APPS; i++)
        total += io_sets_draw_share(seed, i);
    for (uint32_t i = 0; i < APPS; i++) {
        if (io_sets_fill_app(scenario, i, values, values[PARAM_STRESS] / total) == 0)
            continue;
        scenario_free(scenario);
        err_memory(err);
        return NULL;
    }
    return scenario;
}

static const struct family_param params[] = {
    [PARAM_STRESS] = {"stress", "bytes wanted / bytes the file system can move", 1e-6, 5, 0.8,
                      false, NULL},
    [PARAM_HIGH] = {"high", "how many of the 60 are frequent; 20 are medium, the others rare", 0,
                    APPS - MEDIUM, 20, true, NULL},
    [PARAM_NOISE] = {"noise", "each phase is longer or shorter by up to this part of it", 0, 1, 0.1,
                     false, NULL},
    {.name = NULL},
};

const struct family family_io_sets = {
    .name = "io-sets",
    .summary = "60 applications of three frequencies, in a window",
    .paper = "Boito et al. 2023, IO-Sets, as in Benoit et al. 2024, section 6.2",
    .params = params,
    .random = true,
    .make = io_sets_make,
};

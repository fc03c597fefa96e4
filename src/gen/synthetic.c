#include "base/random.h"
#include "gen/gen.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

const struct synthetic synthetic_defaults = {
    .applications = 60, .small = 20, .sigma = 0.5, .nu = 0.5, .pressure = 1, .horizon = 2e6};

/* 002 section 6.2.2: mean iteration lengths. */
static const struct size {
    const char *name;
    double mean;
} sizes[] = {{"small", 1e3}, {"medium", 1e4}, {"big", 1e5}};

/* A truncated normal length may come arbitrarily close to 0; one that would need more iterations
 * than this is drawn again (by default, 1 small application in 20,000). */
static const double most_iterations = 0x1p22;

static int check(const struct synthetic *params, struct err *err)
{
    int medium = params->applications / 3;
    if (params->applications < 1 || params->applications > 100000)
        return err_set(err, "synthetic with %d applications, expected 1 to 100000",
                       params->applications);
    if (params->small < 0 || params->small > params->applications - medium)
        return err_set(err, "synthetic with %d small applications, expected 0 to %d", params->small,
                       params->applications - medium);
    if (!(params->sigma >= 0 && params->sigma <= 10))
        return err_set(err, "sigma is %g, expected 0 to 10", params->sigma);
    if (!(params->nu >= 0 && params->nu <= 1))
        return err_set(err, "nu is %g, expected 0 to 1", params->nu);
    if (!(params->pressure > 0 && params->pressure <= 100))
        return err_set(err, "pressure is %g, expected more than 0, up to 100", params->pressure);
    if (!(params->horizon >= 1 && params->horizon <= 1e9))
        return err_set(err, "horizon is %g s, expected 1 to 1e9", params->horizon);
    return 0;
}

static const struct size *size_of(const struct synthetic *params, int index)
{
    int medium = params->applications / 3;
    return &sizes[index < params->small ? 0 : index < params->small + medium ? 1 : 2];
}

/* The share of I/O before it is scaled to the pressure: the first draw at index 0 of the
 * application's stream; its lengths follow there, and the noise of iteration j at index j. */
static double draw_share(uint64_t seed, uint32_t stream)
{
    struct random random = random_at(seed, stream, 0);
    return random_uniform(&random);
}

/* An application while it is made. */
struct source {
    uint64_t seed;
    uint32_t stream;
    double nu;
    double work, volume; /* means; the volume is a time too, as B = 1 */
    double offset;       /* w^(0): work before the first I/O, which desynchronises */
    uint32_t count;      /* n: I/Os */
};

static void draw_lengths(struct source *source, const struct synthetic *params, double mean,
                         double share)
{
    struct random random = random_at(source->seed, source->stream, 0);
    random.draw = 1;
    double length;
    do
        length = mean * (1 + params->sigma * random_normal(&random));
    while (!(length > 0 && params->horizon / length <= most_iterations));
    source->nu = params->nu;
    source->count = (uint32_t)ceil(params->horizon / length);
    source->offset = random_between(&random, 0, length);
    source->work = (1 - share) * length;
    source->volume = share * length;
}

/* w0, v1, w1, v2, w2 ... vn, wn: the last work has no I/O behind it. */
static int fill_phases(struct app_spec *app, const struct source *source, struct arena *arena)
{
    struct iteration *iterations = arena_alloc(arena, source->count + 1, sizeof *iterations);
    if (!iterations)
        return -1;
    iterations[0].work = source->offset;
    for (uint32_t j = 1; j <= source->count; j++) {
        struct random random = random_at(source->seed, source->stream, j);
        double noise = random_between(&random, -source->nu, source->nu);
        iterations[j].work = (1 + noise) * source->work;
        noise = random_between(&random, -source->nu, source->nu);
        iterations[j - 1].volume = (1 + noise) * source->volume;
    }
    app->explicit_iterations = iterations;
    app->iterations = source->count + 1;
    return 0;
}

/* Makes application `i`; `scale` turns its draw into the fraction of I/O phi. */
static int make_app(struct scenario *scenario, const struct synthetic *params, uint32_t i,
                    double scale, struct err *err)
{
    struct app_spec *app = &scenario->apps[i];
    struct source source = {.seed = scenario->seed, .stream = i};
    double share = scale * draw_share(scenario->seed, i);
    if (share >= 1)
        return err_set(err, "pressure %g is too much for %d applications", params->pressure,
                       params->applications);
    const struct size *size = size_of(params, (int)i);
    char name[32];
    snprintf(name, sizeof name, "%s%u", size->name, i + 1);
    app->name = arena_strndup(&scenario->arena, name, strlen(name));
    app->bandwidth = 1;
    draw_lengths(&source, params, size->mean, share);
    if (!app->name || fill_phases(app, &source, &scenario->arena) != 0)
        return err_memory(err);
    return 0;
}

struct scenario *gen_synthetic(const struct synthetic *params, uint64_t seed, struct err *err)
{
    if (check(params, err) != 0)
        return NULL;
    char name[64];
    snprintf(name, sizeof name, "synthetic-%g-%llu", params->pressure, (unsigned long long)seed);
    struct scenario *scenario = scenario_new(name, (uint32_t)params->applications);
    if (!scenario) {
        err_memory(err);
        return NULL;
    }
    scenario->platform = (struct platform){.node_bandwidth = 1, .bandwidth = 1};
    scenario->window.kind = WINDOW_AUTO;
    scenario->seed = seed;
    double total = 0;
    for (uint32_t i = 0; i < scenario->count; i++)
        total += draw_share(seed, i);
    for (uint32_t i = 0; i < scenario->count; i++) {
        if (make_app(scenario, params, i, params->pressure / total, err) == 0)
            continue;
        scenario_free(scenario);
        return NULL;
    }
    return scenario;
}

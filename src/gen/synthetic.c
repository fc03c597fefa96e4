#include "base/random.h"
#include "gen/family.h"
#include "gen/gen.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Type, name, from, to, default, help: in the order of a family's values. */
#define PARAMS(X)                                                                                  \
    X(int, applications, 1, 100000, 60, "how many; a third are medium")                            \
    X(int, small, 0, 100000, 20, "how many of them are small")                                     \
    X(double, sigma, 0, 10, 0.5, "spread of the iteration lengths between applications")           \
    X(double, nu, 0, 1, 0.5, "relative noise of the phases of an application")                     \
    X(double, pressure, 1e-6, 100, 1, "bytes wanted / bytes the file system can move")             \
    X(double, horizon, 1, 1e9, 2e6, "length of the window in seconds")

enum param {
#define X(type, name, low, high, initial, help) PARAM_##name,
    PARAMS(X)
#undef X
        PARAM_COUNT
};

const struct synthetic synthetic_defaults = {
#define X(type, name, low, high, initial, help) .name = initial,
    PARAMS(X)
#undef X
};

static const struct family_param family_params[] = {
#define X(type, name, low, high, initial, help)                                                    \
    {#name, help, low, high, initial, _Generic((type)0, int : true, default : false), NULL},
    PARAMS(X)
#undef X
        {.name = NULL},
};

/* 002 section 6.2.2: mean iteration lengths. */
static const struct size {
    const char *name;
    double mean;
} sizes[] = {{"small", 1e3}, {"medium", 1e4}, {"big", 1e5}};

/* A truncated normal length may come arbitrarily close to 0; one that would need more iterations
 * than this is drawn again (by default, 1 small application in 20,000). */
static const double most_iterations = 0x1p22;

static const struct size *size_of(const struct synthetic *params, int index)
{
    int medium = params->applications / 3;
    return &sizes[index < params->small ? 0 : index < params->small + medium ? 1 : 2];
}

/* The share of I/O before it is scaled to the pressure: the first draw at index 0 of the
 * application's stream; its lengths follow there, and the noise of iteration j at index j. */
static double synthetic_draw_share(uint64_t seed, uint32_t stream)
{
    struct random random = random_at(seed, stream, 0);
    return random_uniform(&random);
}

/* An application while it is made. */
struct synthetic_source {
    uint64_t seed;
    uint32_t stream;
    double nu;
    double work, volume; /* means; the volume is a time too, as B = 1 */
    double offset;       /* w^(0): work before the first I/O, which desynchronises */
    uint32_t count;      /* n: I/Os */
};

static void draw_lengths(struct synthetic_source *source, const struct synthetic *params,
                         double mean, double share)
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

/* w0, v1, w1, v2, w2 ... vn, wn: no I/O follows the last work. */
static int synthetic_fill_phases(struct app_spec *app, const struct synthetic_source *source,
                                 struct arena *arena)
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
    struct synthetic_source source = {.seed = scenario->seed, .stream = i};
    double share = scale * synthetic_draw_share(scenario->seed, i);
    if (share >= 1)
        return err_set(err, "pressure %g is too much for %d applications", params->pressure,
                       params->applications);
    const struct size *size = size_of(params, (int)i);
    char name[32];
    snprintf(name, sizeof name, "%s%u", size->name, i + 1);
    app->name = arena_strndup(&scenario->arena, name, strlen(name));
    app->bandwidth = 1;
    draw_lengths(&source, params, size->mean, share);
    if (!app->name || synthetic_fill_phases(app, &source, &scenario->arena) != 0)
        return err_memory(err);
    return 0;
}

static struct scenario *synthetic_build(const struct synthetic *params, uint64_t seed,
                                        struct err *err)
{
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
        total += synthetic_draw_share(seed, i);
    for (uint32_t i = 0; i < scenario->count; i++) {
        if (make_app(scenario, params, i, params->pressure / total, err) == 0)
            continue;
        scenario_free(scenario);
        return NULL;
    }
    return scenario;
}

/* Checks that ranges cannot express. */
static int check_small(const struct synthetic *params, struct err *err)
{
    int most = params->applications - params->applications / 3;
    if (params->small <= most)
        return 0;
    return err_set(err, "synthetic with %d small applications, expected 0 to %d", params->small,
                   most);
}

static struct scenario *synthetic_make(const double *values, uint64_t seed, struct err *err)
{
    const struct synthetic params = {
#define X(type, name, low, high, initial, help) .name = (type)values[PARAM_##name],
        PARAMS(X)
#undef X
    };
    return check_small(&params, err) == 0 ? synthetic_build(&params, seed, err) : NULL;
}

const struct family family_synthetic = {
    .name = "synthetic",
    .summary = "small, medium and big applications with random phases, in a window",
    .paper = "Benoit et al. 2024, section 6.2",
    .params = family_params,
    .random = true,
    .make = synthetic_make,
};

struct scenario *gen_synthetic(const struct synthetic *params, uint64_t seed, struct err *err)
{
    const double values[PARAM_COUNT] = {
#define X(type, name, low, high, initial, help) [PARAM_##name] = params->name,
        PARAMS(X)
#undef X
    };
    return family_make(&family_synthetic, values, seed, err);
}

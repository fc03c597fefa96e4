#include "support/small.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void small_init(struct small *small, double bandwidth)
{
    memset(&small->workload, 0, sizeof(small->workload));
    small->workload.name = "small";
    small->workload.platform =
        (struct platform){.node_bandwidth = INFINITY, .bandwidth = bandwidth};
    small->workload.apps = small->apps;
    small->workload.rare = small->rare;
    small->workload.lengths = small->lengths;
    memset(small->rare, 0, sizeof small->rare);
    memset(small->lengths, 0, sizeof small->lengths);
    small->workload.nodes_known = true;
    small->release_latency = small->progress_age = 0;
    small->expected = NULL;
    small->blind = false;
    small->order = NULL;
}

struct app *small_add_list(struct small *small, double bmax, const struct iteration *list,
                           uint32_t count)
{
    uint32_t id = small->workload.count++;
    assert_true(id < SMALL_APPS && count > 0 && count <= SMALL_ITERATIONS);
    struct app *app = &small->apps[id];
    *app = (struct app){.facts = {.nodes = 1, .bmax = bmax, .weight = 1, .iterations = count},
                        .name = "app",
                        .stride = 1,
                        .iterations = small->iterations[id],
                        .room = INFINITY};
    memmove(small->iterations[id], list, count * sizeof(*list));
    app_profile(app);
    small->workload.platform.nodes += 1;
    return app;
}

/* The number behind the letter at *at, which moves behind it. */
static double read(const char **at)
{
    char *end;
    double number = strtod(*at + 1, &end);
    assert_true(end != *at + 1);
    *at = end + strspn(end, " ");
    return number;
}

struct app *small_add(struct small *small, double bmax, const char *phases)
{
    struct iteration list[SMALL_ITERATIONS] = {{0, 0}};
    uint32_t count = 0;
    const char *at = phases;
    while (*at && *at != 'x') {
        if (*at == 'w')
            list[count].work = read(&at);
        if (*at == 'v')
            list[count].volume = read(&at);
        count++;
        assert_true(count < SMALL_ITERATIONS);
    }
    uint32_t times = *at == 'x' ? (uint32_t)read(&at) : 1;
    for (uint32_t i = count; i < count * times && i < SMALL_ITERATIONS; i++)
        list[i] = list[i % count];
    return small_add_list(small, bmax, list, count * times);
}

void small_repeat(struct app *app, uint32_t times)
{
    assert_int_equal(app->facts.iterations, 1);
    app->stride = 0;
    app->facts.iterations = times;
    app_profile(app);
}

void small_age(struct app *app, double age, double progress)
{
    app->facts.release = -age;
    app->facts.progress = progress;
}

void small_window(struct small *small, double start, double end)
{
    small->workload.window = (struct window){.kind = WINDOW_FIXED, .start = start, .end = end};
}

void expect_near(double value, double expected, double tolerance)
{
    double size = fmax(1, fabs(expected));
    if (!(fabs(value - expected) <= tolerance * size))
        fail_msg("%.17g is not %.17g", value, expected);
}

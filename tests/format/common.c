#include "common.h"
#include "base/mem.h"
#include <string.h>

struct scenario *parse_as(const char *format, const char *text, double bandwidth, struct err *err)
{
    struct format_defaults defaults = {.bandwidth = bandwidth};
    const struct format *found = format_find(format, NULL);
    assert_non_null(found);
    return found->parse(text, strlen(text), "f", &defaults, err);
}

struct scenario *accept_as(const char *format, const char *text, double bandwidth)
{
    struct err err = {0};
    struct scenario *scenario = parse_as(format, text, bandwidth, &err);
    if (!scenario)
        fail_msg("refused: %s\n%.300s", err.text, text);
    return scenario;
}

void refuse_as(const char *format, const char *text, double bandwidth, const char *message)
{
    struct err err = {0};
    struct scenario *scenario = parse_as(format, text, bandwidth, &err);
    if (scenario)
        fail_msg("accepted, expected '%s':\n%.300s", message, text);
    assert_string_equal(err.text, message);
}

static void assert_same_amount(const struct amount *a, const struct amount *b)
{
    const struct distribution *x = a->random, *y = b->random;
    assert_true(a->mean == b->mean);
    assert_int_equal(!x, !y);
    if (!x)
        return;
    assert_int_equal(x->kind, y->kind);
    assert_true(x->mean == y->mean && x->sd == y->sd && x->min == y->min && x->max == y->max);
}

static void assert_same_app(const struct app_spec *a, const struct app_spec *b)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->iterations, b->iterations);
    assert_true(a->nodes == b->nodes && a->bandwidth == b->bandwidth);
    assert_true(a->release == b->release && a->weight == b->weight);
    assert_true(a->progress == b->progress && a->waiting == b->waiting);
    assert_true(a->period == b->period);
    assert_true(a->noise_work == b->noise_work && a->noise_io == b->noise_io);
    assert_int_equal(!a->explicit_iterations, !b->explicit_iterations);
    for (uint32_t k = 0; a->explicit_iterations && k < a->iterations; k++) {
        assert_true(a->explicit_iterations[k].work == b->explicit_iterations[k].work);
        assert_true(a->explicit_iterations[k].volume == b->explicit_iterations[k].volume);
    }
    assert_same_amount(&a->work, &b->work);
    assert_same_amount(&a->io, &b->io);
}

void assert_same_scenario(const struct scenario *a, const struct scenario *b)
{
    assert_string_equal(a->name, b->name);
    assert_true(a->platform.nodes == b->platform.nodes);
    assert_true(a->platform.node_bandwidth == b->platform.node_bandwidth);
    assert_true(a->platform.bandwidth == b->platform.bandwidth);
    assert_int_equal(a->window.kind, b->window.kind);
    assert_true(a->window.start == b->window.start && a->window.end == b->window.end);
    assert_true(a->seed == b->seed);
    assert_int_equal(a->count, b->count);
    for (uint32_t i = 0; i < a->count; i++)
        assert_same_app(&a->apps[i], &b->apps[i]);
}

void fail_each_allocation(const char *format, const char *text, double bandwidth)
{
    struct scenario *scenario = NULL;
    long n = 0;
    for (; !scenario; n++) {
        struct err err = {0};
        mem_fail_after(n);
        scenario = parse_as(format, text, bandwidth, &err);
        mem_fail_after(-1);
        if (!scenario)
            assert_non_null(strstr(err.text, "out of memory"));
        assert_true(n < 1000);
    }
    assert_true(n > 3); /* the hook was really reached */
    scenario_free(scenario);
}

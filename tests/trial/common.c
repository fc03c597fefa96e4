#include "common.h"
#include "format/format.h"
#include <stdio.h>
#include <string.h>

struct scenario *open_example(const char *name)
{
    char path[512];
    struct err err;
    snprintf(path, sizeof path, "%s/examples/%s.yaml", WEIR_SOURCE_DIR, name);
    struct scenario *scenario = format_load(path, NULL, &(struct format_defaults){0}, &err);
    if (!scenario)
        fail_msg("%s", err.text);
    return scenario;
}

struct scenario *open_twins(void)
{
    static const char text[] = "platform: {nodes: 2, node_bandwidth: 10, bandwidth: 10}\n"
                               "applications:\n"
                               "  - {name: twin, count: 2, nodes: 1, work: 1, io: 10, "
                               "iterations: 3}\n";
    struct err err;
    struct scenario *scenario =
        format_find("scenario", &err)
            ->parse(text, strlen(text), "twins", &(struct format_defaults){0}, &err);
    if (!scenario)
        fail_msg("%s", err.text);
    return scenario;
}

struct policy *open_policy(const char *name)
{
    struct err err;
    struct policy *policy = policy_open(name, &err);
    if (!policy)
        fail_msg("%s", err.text);
    return policy;
}

void expect_same(const struct row *row, const struct row *expected)
{
    const size_t numbers = offsetof(struct weir_app_metrics, nodes);
    assert_string_equal(row->made.version, expected->made.version);
    assert_string_equal(row->made.scenario, expected->made.scenario);
    assert_string_equal(row->policy, expected->policy);
    assert_true(row->made.seed == expected->made.seed && row->hash == expected->hash);
    assert_memory_equal(&row->metrics, &expected->metrics, sizeof row->metrics);
    assert_int_equal(row->count, expected->count);
    for (uint32_t i = 0; i < row->count; i++) {
        assert_string_equal(row->apps[i].name, expected->apps[i].name);
        assert_memory_equal((const char *)&row->apps[i] + numbers,
                            (const char *)&expected->apps[i] + numbers,
                            sizeof row->apps[i] - numbers);
    }
}

#include "common.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char contract[] =
    "platform: {nodes: 640, node_bandwidth: 0.01 GB/s, bandwidth: 3 GB/s}\n"
    "window: {start: 0, end: 2000000}        # optional\n"
    "applications:\n"
    "  - {name: turbulence2, count: 10, nodes: 64, work: 76.8, io: 235.8 GB, iterations: 50,\n"
    "     release: 0, noise: {work: 20 %, io: 0}}\n"
    "  - name: traced\n"
    "    nodes: 128\n"
    "    phases: [{io: 10 GB}, {work: 30 s}, {io: 1 GiB}]\n"
    "  - {name: stochastic, nodes: 8,\n"
    "     work: {distribution: normal, mean: 100, sd: 20, min: 0}, io: 2 GB, iterations: 100}\n";

static void the_platform_and_the_window_are_read_with_their_units(void **state)
{
    (void)state;
    struct scenario *scenario = accept_as("scenario", contract, 0);
    assert_true(scenario->platform.nodes == 640);
    assert_true(scenario->platform.node_bandwidth == 1e7);
    assert_true(scenario->platform.bandwidth == 3e9);
    assert_int_equal(scenario->window.kind, WINDOW_FIXED);
    assert_true(scenario->window.start == 0 && scenario->window.end == 2e6);
    assert_true(scenario->seed == 0);
    assert_string_equal(scenario->name, "f");
    assert_int_equal(scenario->count, 3);
    scenario_free(scenario);
}

static void a_periodic_application_has_constant_work_and_io_and_noise(void **state)
{
    (void)state;
    struct scenario *scenario = accept_as("scenario", contract, 0);
    const struct app_spec *app = &scenario->apps[0];
    assert_string_equal(app->name, "turbulence2");
    assert_int_equal(app->count, 10);
    assert_true(app->nodes == 64 && app->bandwidth == 0 && app->weight == 1);
    assert_null(app->work.random);
    assert_true(app->work.mean == 76.8 && app->io.mean == 235.8e9);
    assert_int_equal(app->iterations, 50);
    assert_null(app->explicit_iterations);
    assert_true(app->noise_work == 0.2 && app->noise_io == 0);
    scenario_free(scenario);
}

static void an_io_phase_belongs_to_the_work_just_before_it(void **state)
{
    (void)state;
    struct scenario *scenario = accept_as("scenario", contract, 0);
    const struct app_spec *app = &scenario->apps[1];
    /* io, work, io: the first I/O has no work before it. 1 GiB = 2^30 bytes. */
    assert_int_equal(app->iterations, 2);
    assert_true(app->explicit_iterations[0].work == 0);
    assert_true(app->explicit_iterations[0].volume == 1e10);
    assert_true(app->explicit_iterations[1].work == 30);
    assert_true(app->explicit_iterations[1].volume == 0x1p30);
    scenario_free(scenario);
}

static void any_order_of_phases_becomes_a_sequence_of_iterations(void **state)
{
    (void)state;
    static const struct {
        const char *phases;
        uint32_t count;
        struct iteration expected[4];
    } cases[] = {
        {"{work: 1}", 1, {{1, 0}}},
        {"{io: 1}", 1, {{0, 1}}},
        {"{work: 1}, {work: 2}, {io: 3}", 1, {{3, 3}}},
        {"{io: 1}, {io: 2}", 2, {{0, 1}, {0, 2}}},
        {"{work: 1, io: 2}, {io: 3}, {work: 4}", 3, {{1, 2}, {0, 3}, {4, 0}}},
        {"{work: 1, io: 0}, {io: 3}", 2, {{1, 0}, {0, 3}}},
        {"{work: 1}, {io: 2}, {io: 3}, {work: 4, io: 5}", 3, {{1, 2}, {0, 3}, {4, 5}}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text, "applications: [{nodes: 1, phases: [%s]}]", cases[i].phases);
        struct scenario *scenario = accept_as("scenario", text, 1);
        assert_int_equal(scenario->apps[0].iterations, cases[i].count);
        for (uint32_t k = 0; k < cases[i].count; k++) {
            const struct iteration *got = &scenario->apps[0].explicit_iterations[k];
            assert_true(got->work == cases[i].expected[k].work);
            assert_true(got->volume == cases[i].expected[k].volume);
        }
        scenario_free(scenario);
    }
}

static void a_stochastic_application_has_a_distribution(void **state)
{
    (void)state;
    struct scenario *scenario = accept_as("scenario", contract, 0);
    const struct distribution *work = scenario->apps[2].work.random;
    assert_int_equal(work->kind, DIST_NORMAL);
    assert_true(work->mean == 100 && work->sd == 20 && work->min == 0 && work->max == INFINITY);
    assert_null(scenario->apps[2].io.random);
    scenario_free(scenario);
}

static void every_distribution_can_be_named(void **state)
{
    (void)state;
    for (int kind = 0; kind < DIST_KINDS; kind++) {
        char text[200];
        snprintf(text, sizeof text,
                 "applications: [{nodes: 1, io: {distribution: %s, mean: 2 kB, sd: 1 kB, "
                 "min: 500 B, max: 3 kB}}]",
                 distribution_names[kind]);
        struct scenario *scenario = accept_as("scenario", text, 1);
        const struct amount *io = &scenario->apps[0].io;
        assert_true(io->mean == (kind == DIST_CONSTANT ? 2000 : 0));
        assert_int_equal(!io->random, kind == DIST_CONSTANT);
        if (io->random) {
            assert_int_equal(io->random->kind, kind);
            assert_true(io->random->mean == 2000 && io->random->sd == 1000);
            assert_true(io->random->min == 500 && io->random->max == 3000);
        }
        scenario_free(scenario);
    }
}

static void every_other_key_of_an_application_is_read(void **state)
{
    (void)state;
    struct scenario *scenario = accept_as(
        "scenario",
        "name: two words\nseed: 18446744073709551615\nwindow: auto\n"
        "applications:\n"
        "  - {bandwidth: 2 MB/s, release: -2 h, weight: 2.5, progress: 1 h, waiting: 5 min,\n"
        "     period: 1 d, io: 1, noise: {io: 0.5}}\n"
        "  - {nodes: 3, work: 1}\n",
        1e9);
    assert_string_equal(scenario->name, "two words");
    assert_true(scenario->seed == UINT64_MAX);
    assert_int_equal(scenario->window.kind, WINDOW_AUTO);
    const struct app_spec *app = &scenario->apps[0];
    assert_string_equal(app->name, "app1");
    assert_true(app->nodes == 0 && app->bandwidth == 2e6);
    assert_true(app->release == -7200 && app->weight == 2.5 && app->progress == 3600);
    assert_true(app->waiting == 300 && app->period == 86400);
    assert_true(app->noise_work == 0 && app->noise_io == 0.5);
    assert_int_equal(app->iterations, 1);
    assert_string_equal(scenario->apps[1].name, "app2");
    scenario_free(scenario);
}

static void the_command_line_overrides_the_platform_of_the_file(void **state)
{
    (void)state;
    struct format_defaults defaults = {.nodes = 1000, .node_bandwidth = 5, .bandwidth = 7};
    const struct format *format = format_find("scenario", NULL);
    struct scenario *scenario =
        format->parse(contract, strlen(contract), "dir.d/jupiter.set.yaml", &defaults, NULL);
    assert_non_null(scenario);
    assert_true(scenario->platform.nodes == 1000);
    assert_true(scenario->platform.node_bandwidth == 5);
    assert_true(scenario->platform.bandwidth == 7);
    assert_string_equal(scenario->name, "jupiter.set");
    scenario_free(scenario);
}

static void a_scenario_is_named_after_its_file_unless_that_is_no_name(void **state)
{
    (void)state;
    static const struct {
        const char *where, *name;
    } cases[] = {{"a.yaml", "a"},          {"/x/y.z/b", "b"},  {".hidden", ".hidden"},
                 {"a.b.yaml", "a.b"},      {"x/", "scenario"}, {"\xff.yaml", "scenario"},
                 {"a\nb.yaml", "scenario"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scenario *scenario =
            format_find("scenario", NULL)
                ->parse(contract, strlen(contract), cases[i].where, NULL, NULL);
        assert_non_null(scenario);
        assert_string_equal(scenario->name, cases[i].name);
        scenario_free(scenario);
    }
}

static void what_the_platform_does_not_say_is_unknown_or_unlimited(void **state)
{
    (void)state;
    struct scenario *scenario = accept_as(
        "scenario", "platform: {bandwidth: 1 GB/s}\napplications: [{nodes: 1, work: 1}]", 0);
    assert_true(scenario->platform.nodes == 0);
    assert_true(scenario->platform.node_bandwidth == INFINITY);
    assert_int_equal(scenario->window.kind, WINDOW_NONE);
    scenario_free(scenario);
}

static void more_nodes_in_total_than_the_platform_is_a_warning(void **state)
{
    (void)state;
    /* 10 * 64 + 128 + 8 = 776 > 640 */
    struct scenario *scenario = accept_as("scenario", contract, 0);
    assert_non_null(scenario->warning);
    assert_non_null(strstr(scenario->warning, "776"));
    scenario_free(scenario);
}

static void json_is_yaml_too(void **state)
{
    (void)state;
    struct scenario *scenario = accept_as(
        "scenario",
        "{\"platform\": {\"bandwidth\": \"3 GB/s\"},\n"
        " \"applications\": [{\"name\": \"\\u00e9t\\u00e9\", \"nodes\": 1, \"work\": 1}]}",
        0);
    assert_true(scenario->platform.bandwidth == 3e9);
    assert_string_equal(scenario->apps[0].name, "\xc3\xa9t\xc3\xa9");
    scenario_free(scenario);
}

struct row_count {
    int rows, mappings;
    const char *last;
};

static void count_row(void *context, const char *mapping, const char *key, const char *value,
                      const char *help)
{
    struct row_count *count = context;
    assert_true(*mapping && *key && *value && *help);
    count->mappings += !count->last || strcmp(count->last, mapping) != 0;
    count->last = mapping;
    count->rows++;
}

static void the_manual_has_a_row_for_every_key_of_every_mapping(void **state)
{
    (void)state;
    struct row_count count = {0};
    scenario_document(count_row, &count);
    /* scenario 9, platform 5, its health 2 and 2, window 2, stores 8, limits 5, shares 4 with
     * accounts 3 and users 3, application 19, phase 5, noise 2, two distributions of 5 */
    assert_int_equal(count.mappings, 15);
    assert_int_equal(count.rows,
                     9 + 5 + 2 + 2 + 2 + 8 + 5 + 4 + 3 + 3 + 19 + 5 + 2 + 2 * 5);
}

static void every_failing_allocation_is_reported(void **state)
{
    (void)state;
    fail_each_allocation("scenario", contract, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_platform_and_the_window_are_read_with_their_units),
        cmocka_unit_test(a_periodic_application_has_constant_work_and_io_and_noise),
        cmocka_unit_test(an_io_phase_belongs_to_the_work_just_before_it),
        cmocka_unit_test(any_order_of_phases_becomes_a_sequence_of_iterations),
        cmocka_unit_test(a_stochastic_application_has_a_distribution),
        cmocka_unit_test(every_distribution_can_be_named),
        cmocka_unit_test(every_other_key_of_an_application_is_read),
        cmocka_unit_test(the_command_line_overrides_the_platform_of_the_file),
        cmocka_unit_test(a_scenario_is_named_after_its_file_unless_that_is_no_name),
        cmocka_unit_test(what_the_platform_does_not_say_is_unknown_or_unlimited),
        cmocka_unit_test(more_nodes_in_total_than_the_platform_is_a_warning),
        cmocka_unit_test(json_is_yaml_too),
        cmocka_unit_test(the_manual_has_a_row_for_every_key_of_every_mapping),
        cmocka_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests_name("format/scenario", tests, NULL, NULL);
}

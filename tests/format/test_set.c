#include "common.h"
#include <math.h>
#include <string.h>

static void a_line_is_a_periodic_application(void **state)
{
    (void)state;
    struct scenario *scenario = accept_as("set", "# w v p\n70 235.8 64\n", 3e9);
    assert_int_equal(scenario->count, 1);
    const struct app_spec *app = &scenario->apps[0];
    assert_string_equal(app->name, "app1");
    assert_true(app->work.mean == 70 && app->io.mean == 235.8 * 1e9 && app->nodes == 64);
    assert_null(app->explicit_iterations);
    assert_int_equal(app->iterations, 20); /* it is the longest itself */
    assert_true(scenario->platform.nodes == 0);
    assert_true(scenario->platform.node_bandwidth == INFINITY);
    scenario_free(scenario);
}

static void shorter_applications_iterate_more_often(void **state)
{
    (void)state;
    /* B = 2 GB/s: T = 90 + 20/2 = 100, 20 + 20/2 = 30, 3 + 8/2 = 7;
     * iterations round(2000/100) = 20, round(66.67) = 67, round(285.7) = 286. */
    struct scenario *scenario = accept_as("set", "90 20 1\n20 20 1\n3 8 1\n", 2e9);
    assert_int_equal(scenario->apps[0].iterations, 20);
    assert_int_equal(scenario->apps[1].iterations, 67);
    assert_int_equal(scenario->apps[2].iterations, 286);
    assert_string_equal(scenario->apps[2].name, "app3");
    scenario_free(scenario);
}

static void the_bandwidth_of_the_nodes_counts(void **state)
{
    (void)state;
    /* b = 0.1 GB/s, B = 2 GB/s: T = 0 + 10/min(20 * 0.1, 2) = 5, and 0 + 10/min(2 * 0.1, 2) = 50;
     * iterations round(20 * 50/5) = 200 and 20. */
    struct format_defaults defaults = {.bandwidth = 2e9, .node_bandwidth = 1e8, .nodes = 30};
    static const char text[] = "0 10 20\n0 10 2\n";
    struct scenario *scenario =
        format_find("set", NULL)->parse(text, strlen(text), "f", &defaults, NULL);
    assert_non_null(scenario);
    assert_int_equal(scenario->apps[0].iterations, 200);
    assert_int_equal(scenario->apps[1].iterations, 20);
    assert_true(scenario->platform.nodes == 30);
    scenario_free(scenario);
}

static void a_wrong_line_is_an_error_that_names_line_and_field(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "f: no applications, expected at least one"},
        {"1", "f:1: I/O volume is missing"},
        {"1 2", "f:1: number of nodes is missing"},
        {"1 2 3\n1 2 3 4", "f:2: unexpected '4' at the end of the line"},
        {"-1 2 3", "f:1: work length '-1' is below 0"},
        {"1 -2 3", "f:1: I/O volume '-2' is below 0"},
        {"1 2 0", "f:1: number of nodes '0' is below 1"},
        {"1 2,5 3", "f:1: I/O volume '2,5' is not a finite number"},
        {"1 1e305 3", "f:1: I/O volume '1e+305' GB is too large"},
        {"1 2 3\n0 0 3", "f:2: an application without work and I/O"},
        {"1e9 2 3\n1e-9 0 3", "f:2: so short beside the longest application that it would need "
                              "more than 100000000 iterations"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse_as("set", cases[i].text, 1, cases[i].message);
}

static void the_bandwidth_must_be_given(void **state)
{
    (void)state;
    refuse_as("set", "1 2 3", 0, "f: missing --bandwidth RATE: the file does not contain it");
}

static void every_failing_allocation_is_reported(void **state)
{
    (void)state;
    fail_each_allocation("set", "1 2 3\n4 5 6\n", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_a_periodic_application),
        cmocka_unit_test(shorter_applications_iterate_more_often),
        cmocka_unit_test(the_bandwidth_of_the_nodes_counts),
        cmocka_unit_test(a_wrong_line_is_an_error_that_names_line_and_field),
        cmocka_unit_test(the_bandwidth_must_be_given),
        cmocka_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests_name("format/set", tests, NULL, NULL);
}

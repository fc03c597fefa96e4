#include "common.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void a_line_is_an_application_with_a_past(void **state)
{
    (void)state;
    struct scenario *scenario =
        accept_as("instance", "A0 0.31 1000 900.5 12 4 55 C 3.5 41.25 2 7\n", 2);
    assert_true(scenario->platform.bandwidth == 2);
    assert_true(scenario->platform.nodes == 0);
    assert_true(scenario->platform.node_bandwidth == INFINITY);
    assert_int_equal(scenario->window.kind, WINDOW_NONE);
    assert_int_equal(scenario->count, 1);
    const struct app_spec *app = &scenario->apps[0];
    assert_string_equal(app->name, "A0");
    assert_int_equal(app->count, 1);
    assert_true(app->nodes == 0 && app->bandwidth == 0.31 && app->release == -1000);
    assert_true(app->progress == 900.5 && app->waiting == 12 && app->period == 55);
    /* C W C W: I/O 3.5 | work 41.25, I/O 2 | work 7 */
    assert_int_equal(app->iterations, 3);
    const struct iteration expected[] = {{0, 3.5}, {41.25, 2}, {7, 0}};
    for (int k = 0; k < 3; k++) {
        assert_true(app->explicit_iterations[k].work == expected[k].work);
        assert_true(app->explicit_iterations[k].volume == expected[k].volume);
    }
    scenario_free(scenario);
}

static void any_number_of_phases_becomes_iterations(void **state)
{
    (void)state;
    static const struct {
        const char *phases;
        uint32_t count;
        struct iteration last;
    } cases[] = {
        {"1 0 W 5", 1, {5, 0}},       {"2 0 W 5 6", 1, {5, 6}}, {"3 0 W 5 6 7", 2, {7, 0}},
        {"4 0 W 5 6 7 8", 2, {7, 8}}, {"1 0 C 5", 1, {0, 5}},   {"2 0 C 5 6", 2, {6, 0}},
        {"3 0 C 5 6 7", 2, {6, 7}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[100];
        snprintf(text, sizeof text, "a 1 0 0 0 %s", cases[i].phases);
        struct scenario *scenario = accept_as("instance", text, 1);
        const struct app_spec *app = &scenario->apps[0];
        assert_int_equal(app->iterations, cases[i].count);
        assert_true(app->explicit_iterations[app->iterations - 1].work == cases[i].last.work);
        assert_true(app->explicit_iterations[app->iterations - 1].volume == cases[i].last.volume);
        scenario_free(scenario);
    }
}

static void an_application_that_works_has_nothing_posted(void **state)
{
    (void)state;
    struct scenario *scenario = accept_as("instance", "a 1 10 9 5 2 0 W 1 1", 1);
    assert_true(scenario->apps[0].waiting == 0);
    scenario_free(scenario);
}

static void a_name_may_be_in_any_language(void **state)
{
    (void)state;
    /* two, three and four bytes: e with acute, a CJK character, an emoji */
    struct scenario *scenario =
        accept_as("instance", "\xc3\xa9\xe6\xb0\xb4\xf0\x9f\x8c\x8a 1 0 0 0 1 0 W 5", 1);
    assert_string_equal(scenario->apps[0].name, "\xc3\xa9\xe6\xb0\xb4\xf0\x9f\x8c\x8a");
    scenario_free(scenario);
}

static void comments_blank_lines_tabs_and_carriage_returns_are_allowed(void **state)
{
    (void)state;
    struct scenario *scenario = accept_as(
        "instance", "# two\r\n\r\n  a\t1 0 0 0 1 0 W 5 \t# first\r\n \n#\nb 1 0 0 0 1 0 C 6", 1);
    assert_int_equal(scenario->count, 2);
    assert_string_equal(scenario->apps[0].name, "a");
    assert_string_equal(scenario->apps[1].name, "b");
    scenario_free(scenario);
}

static void a_wrong_line_is_an_error_that_names_line_and_field(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "f: no applications, expected at least one"},
        {"# nothing\n", "f: no applications, expected at least one"},
        {"a", "f:1: bmax is missing"},
        {"\n\na 1 2\n", "f:3: progress is missing"},
        {"a x 0 0 0 1 0 W 5", "f:1: bmax 'x' is not a finite number"},
        {"a 1x 0 0 0 1 0 W 5", "f:1: bmax '1x' is not a finite number"},
        {"a nan 0 0 0 1 0 W 5", "f:1: bmax 'nan' is not a finite number"},
        {"a 1e999 0 0 0 1 0 W 5", "f:1: bmax '1e999' is not a finite number"},
        {"a 0 0 0 0 1 0 W 5", "f:1: bmax of 'a' must be above 0"},
        {"a 1 -1 0 0 1 0 W 5", "f:1: age '-1' is below 0"},
        {"a 1 0 -1 0 1 0 W 5", "f:1: progress '-1' is below 0"},
        {"a 1 0 0 -1 1 0 W 5", "f:1: age of the phase '-1' is below 0"},
        {"a 1 0 0 0 0 0 W 5", "f:1: number of phases '0' is below 1"},
        {"a 1 0 0 0 1.5 0 W 5", "f:1: number of phases must be whole and at most 200000000"},
        {"a 1 0 0 0 1e9 0 W 5", "f:1: number of phases must be whole and at most 200000000"},
        {"a 1 0 0 0 1 -1 W 5", "f:1: omega '-1' is below 0"},
        {"a 1 0 0 0 1 0 X 5", "f:1: 'X' is not a kind of phase: expected W (work) or C (I/O)"},
        {"a 1 0 0 0 1 0", "f:1: kind of the first phase is missing"},
        {"a 1 0 0 0 2 0 W 5", "f:1: 2 phases announced, but the line is too short"},
        {"a 1 0 0 0 3 0 W 5.25 6", "f:1: work length is missing"},
        {"a 1 0 0 0 100000000 0 W 5 6",
         "f:1: 100000000 phases announced, but the line is too short"},
        {"a 1 0 0 0 1 0 W -5", "f:1: work length '-5' is below 0"},
        {"a 1 0 0 0 1 0 C inf", "f:1: I/O volume 'inf' is not a finite number"},
        {"a 1 0 0 0 1 0 W 5 6", "f:1: unexpected '6' at the end of the line"},
        {"a 1 0 0 0 1 0 W 5\nb 1 0 0 0 2 0 W 0 0",
         "f:2: application 'b': has nothing to do: no work and no I/O"},
        {"a\x01 1 0 0 0 1 0 W 5", "f:1: name contains a control character"},
        {"a\xff 1 0 0 0 1 0 W 5", "f:1: name is not UTF-8"},
        {"a\xc3 1 0 0 0 1 0 W 5", "f:1: name is not UTF-8"},
        {"a\xc0\xaf 1 0 0 0 1 0 W 5", "f:1: name is not UTF-8"}, /* overlong */
        {"a\xc2\x9b 1 0 0 0 1 0 W 5", "f:1: name contains a control character"},
        {"a\xe2\x80\xa8 1 0 0 0 1 0 W 5", "f:1: name contains a control character"},
        {"a\xed\xa0\x80 1 0 0 0 1 0 W 5", "f:1: name is not UTF-8"}, /* a surrogate */
        {"a 1 \x01\x1b[2J 0 0 1 0 W 5", "f:1: age '??[2J' is not a finite number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse_as("instance", cases[i].text, 1, cases[i].message);
}

static void the_bandwidth_must_be_given(void **state)
{
    (void)state;
    refuse_as("instance", "a 1 0 0 0 1 0 W 5", 0,
              "f: missing --bandwidth RATE: the file does not contain it");
}

static void a_zero_byte_inside_is_an_error_and_not_the_end(void **state)
{
    (void)state;
    static const char text[] = "a 1 0 0 0 1 0 W 5\nb 1 0\0 0 0 1 0 W 5\n";
    struct format_defaults defaults = {.bandwidth = 1};
    struct err err;
    assert_null(format_find("instance", NULL)->parse(text, sizeof text - 1, "f", &defaults, &err));
    assert_string_equal(err.text, "f:2: age '0?' is not a finite number");
}

/* The windows published beside the project's data; skipped where they are not at hand. */
static void the_published_windows_are_read_to_the_last_phase(void **state)
{
    (void)state;
    const struct format *format = format_find("instance", NULL);
    struct format_defaults defaults = {.bandwidth = 1};
    for (int i = 0; i < 12; i++) {
        char path[200];
        struct err err;
        snprintf(path, sizeof path, "%s/../shared/data/reference/s%02d.txt", WEIR_SOURCE_DIR, i);
        FILE *file = fopen(path, "r");
        if (!file)
            skip();
        size_t lines = 0;
        for (int c = getc(file); c != EOF; c = getc(file))
            lines += c == '\n';
        fclose(file);
        struct scenario *scenario = format_load(path, format, &defaults, &err);
        assert_non_null(scenario);
        assert_int_equal(scenario->count, lines);
        scenario_free(scenario);
    }
}

static void every_failing_allocation_is_reported(void **state)
{
    (void)state;
    fail_each_allocation("instance", "a 1 0 0 0 1 0 W 5\nb 1 0 0 0 3 0 W 5 6 7\n", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_an_application_with_a_past),
        cmocka_unit_test(any_number_of_phases_becomes_iterations),
        cmocka_unit_test(an_application_that_works_has_nothing_posted),
        cmocka_unit_test(a_name_may_be_in_any_language),
        cmocka_unit_test(comments_blank_lines_tabs_and_carriage_returns_are_allowed),
        cmocka_unit_test(a_wrong_line_is_an_error_that_names_line_and_field),
        cmocka_unit_test(the_bandwidth_must_be_given),
        cmocka_unit_test(a_zero_byte_inside_is_an_error_and_not_the_end),
        cmocka_unit_test(the_published_windows_are_read_to_the_last_phase),
        cmocka_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests_name("format/instance", tests, NULL, NULL);
}

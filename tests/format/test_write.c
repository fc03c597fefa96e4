#include "common.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes a scenario, reads the result, and compares; returns what was written. */
static char *round_trip(const struct scenario *scenario)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    scenario_write(out, scenario);
    assert_int_equal(fclose(out), 0);
    struct scenario *again = accept_as("scenario", text, 0);
    assert_same_scenario(scenario, again);
    scenario_free(again);
    return text;
}

static void check_round_trip(const char *format, const char *text, double bandwidth)
{
    struct scenario *scenario = accept_as(format, text, bandwidth);
    free(round_trip(scenario));
    scenario_free(scenario);
}

static void a_written_scenario_is_compact_and_readable(void **state)
{
    (void)state;
    struct scenario *scenario = accept_as(
        "scenario",
        "name: my set\nseed: 7\nwindow: {end: 1 h}\nplatform: {nodes: 64, bandwidth: 3 GB/s}\n"
        "applications:\n"
        "- {name: a, count: 2, nodes: 8, work: 0.1, io: {distribution: uniform, min: 1, max: 2}}\n"
        "- {name: 'say \"b\"', nodes: 8, phases: [{io: 1}, {work: 2}]}\n",
        0);
    char *text = round_trip(scenario);
    assert_string_equal(text, "name: \"my set\"\n"
                              "platform: {nodes: 64, bandwidth: 3000000000}\n"
                              "window: {start: 0, end: 3600}\n"
                              "seed: 7\n"
                              "applications:\n"
                              "  - {name: a, count: 2, nodes: 8, work: 0.1, "
                              "io: {distribution: uniform, min: 1, max: 2}, iterations: 1}\n"
                              "  - {name: \"say \\\"b\\\"\", nodes: 8, "
                              "phases: [{work: 0, io: 1}, {work: 2, io: 0}]}\n");
    free(text);
    scenario_free(scenario);
}

static void every_key_survives_a_round_trip(void **state)
{
    (void)state;
    check_round_trip("scenario",
                     "platform: {nodes: 100, node_bandwidth: 0.1 GB/s, bandwidth: 1.7 GiB/s}\n"
                     "window: auto\nseed: 18446744073709551615\n"
                     "applications:\n"
                     "- {name: x, count: 3, nodes: 7, bandwidth: 1e5, release: -1e3, weight: 0.3,\n"
                     "   progress: 33.3333333333333333, waiting: 0.1, period: 1.1, work: 0.7,\n"
                     "   io: 123456789.123456789, iterations: 1e6,\n"
                     "   noise: {work: 0.3, io: 7 %}}\n",
                     0);
}

static void every_distribution_survives_a_round_trip(void **state)
{
    (void)state;
    for (int kind = 0; kind < DIST_KINDS; kind++) {
        char text[300];
        snprintf(text, sizeof text,
                 "applications: [{nodes: 1, work: {distribution: %s, mean: 0.1, sd: 0.2, "
                 "min: 0.05, max: 0.3}, io: 1}]",
                 distribution_names[kind]);
        check_round_trip("scenario", text, 1);
    }
}

static void names_that_look_like_something_else_survive_a_round_trip(void **state)
{
    (void)state;
    static const char *const names[] = {"'- a'", "'null'", "'3'",   "'a: b'", "'#'", "'{'",
                                        "'\\'",  "'\"'",   "' a '", "'*x'",   "'~'", "\"\\u00e9\""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[200];
        snprintf(text, sizeof text, "name: %s\napplications: [{name: %s, nodes: 1, work: 1}]",
                 names[i], names[i]);
        check_round_trip("scenario", text, 1);
    }
}

static void the_line_formats_can_be_written_as_yaml(void **state)
{
    (void)state;
    check_round_trip("instance", "a 0.3 10 5.5 0 3 7.25 C 0.1 0.2 0.3\nb 1 0 0 0 1 0 W 1e-7\n", 1);
    check_round_trip("set", "70.0 0.0235 12\n1e3 5.125 200\n", 1e9);
}

static void a_hundred_thousand_phases_survive_a_round_trip(void **state)
{
    (void)state;
    enum { PHASES = 100000, ROOM = PHASES * 12 + 100 };
    char *text = malloc(ROOM);
    assert_non_null(text);
    int at = snprintf(text, ROOM, "long 0.5 0 0 0 %d 0 W", PHASES);
    for (int i = 0; i < PHASES; i++)
        at += snprintf(text + at, (size_t)(ROOM - at), " %.8g", (i + 1) / 7.0);
    check_round_trip("instance", text, 1);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_written_scenario_is_compact_and_readable),
        cmocka_unit_test(every_key_survives_a_round_trip),
        cmocka_unit_test(every_distribution_survives_a_round_trip),
        cmocka_unit_test(names_that_look_like_something_else_survive_a_round_trip),
        cmocka_unit_test(the_line_formats_can_be_written_as_yaml),
        cmocka_unit_test(a_hundred_thousand_phases_survive_a_round_trip),
    };
    return cmocka_run_group_tests_name("format/write", tests, NULL, NULL);
}

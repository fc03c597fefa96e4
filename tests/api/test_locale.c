/* The library in a program whose numbers have a comma. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weir/simulate.h>

#include <cmocka.h>

static char place[] = "/tmp/weir-locale-XXXXXX";

/* Makes a locale with decimal commas, which few machines have, and takes it. */
static int enter_german(void **state)
{
    (void)state;
    char command[256];
    if (!mkdtemp(place))
        return -1;
    snprintf(command, sizeof command,
             "localedef --no-archive -c -i de_DE -f UTF-8 %s/de_DE.UTF-8 >%s/log 2>&1", place,
             place);
    if (system(command) == -1 || setenv("LOCPATH", place, 1) != 0 ||
        !setlocale(LC_ALL, "de_DE.UTF-8"))
        return -1;
    return strcmp(localeconv()->decimal_point, ",") == 0 ? 0 : -1;
}

static int leave_german(void **state)
{
    (void)state;
    char command[256];
    setlocale(LC_ALL, "C");
    snprintf(command, sizeof command, "rm -rf %s", place);
    return system(command);
}

static void expect_comma(void)
{
    char text[16];
    snprintf(text, sizeof text, "%g", 2.5);
    assert_string_equal(text, "2,5");
}

static const char noisy[] = "platform: {nodes: 4, bandwidth: 1.5 GB/s}\n"
                            "applications:\n"
                            "  - {name: a, nodes: 1, work: 2.5 s, io: 0.75 GB, iterations: 3}\n"
                            "  - {name: b, nodes: 2, work: 0.3 s, io: 1.25 GB, iterations: 7,\n"
                            "     noise: {work: 12.5 %}}\n";

static double makespan_of(const struct weir_scenario *scenario)
{
    struct weir_error error = {""};
    struct weir_result *result =
        weir_scenario_run(scenario, "periodic-greedy-yield:delta=0.25", &error);
    assert_string_equal(error.text, "");
    double makespan = weir_result_metrics(result)->makespan;
    weir_result_free(result);
    return makespan;
}

/* What is written is the same in C's locale; `text` and `plain` are freed. */
static void expect_same(char *text, char *plain)
{
    assert_non_null(text);
    assert_non_null(strchr(plain, '.'));
    assert_string_equal(text, plain);
    weir_text_free(text);
    weir_text_free(plain);
    expect_comma();
}

static void what_it_writes_it_can_read(void **state)
{
    (void)state;
    struct weir_error error = {""};
    struct weir_scenario *scenario = weir_scenario_parse(noisy, NULL, &error);
    assert_string_equal(error.text, "");
    char *text = weir_scenario_text(scenario, &error);
    struct weir_scenario *again = weir_scenario_parse(text, NULL, &error);
    assert_string_equal(error.text, "");
    assert_true(makespan_of(scenario) == makespan_of(again));
    setlocale(LC_ALL, "C");
    char *plain = weir_scenario_text(scenario, &error);
    setlocale(LC_ALL, "de_DE.UTF-8");
    expect_same(text, plain);
    weir_scenario_free(scenario);
    weir_scenario_free(again);
}

static void a_plan_is_the_same_json(void **state)
{
    (void)state;
    struct weir_error error = {""};
    struct weir_scenario *scenario =
        weir_scenario_parse("platform: {nodes: 2, bandwidth: 1.5 GB/s}\n"
                            "applications:\n"
                            "  - {name: a, nodes: 1, work: 2.5 s, io: 0.75 GB, iterations: 9}\n",
                            NULL, &error);
    assert_string_equal(error.text, "");
    char *plan = weir_scenario_plan(scenario, NULL, &error);
    setlocale(LC_ALL, "C");
    char *plain = weir_scenario_plan(scenario, NULL, &error);
    setlocale(LC_ALL, "de_DE.UTF-8");
    expect_same(plan, plain);
    weir_scenario_free(scenario);
}

static void errors_have_points(void **state)
{
    (void)state;
    struct weir_error error = {""};
    struct weir_scenario *scenario = weir_scenario_parse(noisy, NULL, &error);
    double efficiency;
    assert_int_equal(weir_scenario_bound_given(scenario, 1.5, &efficiency, &error), -1);
    assert_string_equal(error.text, "min_yield is 1.5, expected 0 to 1");
    assert_int_equal(weir_scenario_set_knowledge(scenario, NULL, -0.5, &error), -1);
    assert_non_null(strstr(error.text, "is -0.5,"));
    assert_int_equal(weir_scenario_set_knowledge(scenario, "12.5%", 0.5, &error), 0);
    weir_scenario_free(scenario);
    expect_comma();
}

/* Phases every 2.5 s + 1.5 GB / 2 GB/s = 3.25 s: the period is found, and kept. */
static void an_import_keeps_its_periods(void **state)
{
    (void)state;
    struct weir_error error = {""};
    char path[64];
    snprintf(path, sizeof path, "%s/phases.csv", place);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("app,phase,kind,amount\n", file);
    for (int i = 0; i < 40; i++)
        fprintf(file, "a,%d,work,%s\na,%d,io,1.5e9\n", 2 * i, i % 2 ? "2.4" : "2.6", 2 * i + 1);
    fclose(file);
    const char *const paths[] = {path, NULL};
    const struct weir_logs logs = {.bandwidth = 2e9, .nodes = 4};
    struct weir_scenario *scenario = weir_scenario_import("csv", paths, &logs, &error);
    assert_string_equal(error.text, "");
    char *text = weir_scenario_text(scenario, &error);
    setlocale(LC_ALL, "C");
    struct weir_scenario *other = weir_scenario_import("csv", paths, &logs, &error);
    char *plain = weir_scenario_text(other, &error);
    setlocale(LC_ALL, "de_DE.UTF-8");
    assert_non_null(strstr(plain, "period: 3.25"));
    expect_same(text, plain);
    weir_scenario_free(scenario);
    weir_scenario_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_it_writes_it_can_read),
        cmocka_unit_test(a_plan_is_the_same_json),
        cmocka_unit_test(errors_have_points),
        cmocka_unit_test(an_import_keeps_its_periods),
    };
    return cmocka_run_group_tests(tests, enter_german, leave_german);
}

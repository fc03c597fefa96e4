/* What was exported reads back. */
#include "common_import.h"
#include "format/export.h"
#include "support/small.h"
#include <stdlib.h>
#include <string.h>

/* The workload in this format; free() frees. NULL with err if it was refused. */
static char *export_as(const char *format, const struct small *small, struct err *err)
{
    char *text = NULL;
    size_t length = 0;
    const struct exporter *exporter = export_find(format, NULL);
    const struct export_input input = {.workload = &small->workload};
    FILE *out = open_memstream(&text, &length);
    assert_non_null(exporter);
    assert_non_null(out);
    int status = exporter->write(out, &input, err);
    assert_int_equal(fclose(out), 0);
    if (status == 0)
        return text;
    free(text);
    return NULL;
}

static void expect_text(const char *format, const struct small *small, const char *expected)
{
    struct err err = {0};
    char *text = export_as(format, small, &err);
    if (!text)
        fail_msg("refused: %s", err.text);
    assert_string_equal(text, expected);
    free(text);
}

static void expect_refusal(const char *format, const struct small *small, const char *message)
{
    struct err err = {0};
    assert_null(export_as(format, small, &err));
    assert_string_equal(err.text, message);
}

static struct app *add(struct small *small, const char *name, double bmax, const char *phases)
{
    struct app *app = small_add(small, bmax, phases);
    app->name = name;
    return app;
}

static void an_instance_begins_with_work_or_io_and_may_end_with_work(void **state)
{
    (void)state;
    struct small small;
    small_init(&small, 10);
    add(&small, "my app", 10, "w3 v40 w1 v7");
    struct app *old = add(&small, "old", 5, "v40 w1");
    small_age(old, 12, 8);
    small.rare[1].waiting = 2;
    old->facts.period = 9;
    expect_text("instance", &small,
                "my_app 10 0 0 0 4 0 W 3 40 1 7\n"
                "old 5 12 8 2 2 9 C 40 1\n");
}

static void an_instance_reads_back(void **state)
{
    (void)state;
    struct small small;
    struct err err = {0};
    small_init(&small, 10);
    struct app *app = add(&small, "a", 5, "v40 w1 v0.1 v7");
    small_age(app, 12, 8);
    char *text = export_as("instance", &small, &err);
    struct scenario *scenario = accept_as("instance", text, 10);
    assert_true(scenario->apps[0].release == -12 && scenario->apps[0].progress == 8);
    assert_true(scenario->apps[0].bandwidth == 5);
    assert_iterations(&scenario->apps[0], (struct iteration[]){{0, 40}, {1, 0.1}, {0, 7}}, 3);
    scenario_free(scenario);
    free(text);
}

static void an_instance_has_no_application_of_the_future(void **state)
{
    (void)state;
    struct small small;
    small_init(&small, 10);
    add(&small, "late", 10, "w3 v40")->facts.release = 5;
    expect_refusal("instance", &small,
                   "application 'late' is released at 5 s: an instance has only those that run at "
                   "time 0");
}

static void a_set_has_periodic_applications_only(void **state)
{
    (void)state;
    struct small small;
    small_init(&small, 3e9);
    small.workload.nodes_known = true;
    struct app *app = add(&small, "a", 3e9, "w70 v128200000000");
    app->facts.nodes = 2048;
    small_repeat(app, 7);
    expect_text("set", &small, "70 128.2 2048\n");
    add(&small, "b", 3e9, "w70 v1 w70 v2");
    expect_refusal("set", &small,
                   "application 'b' has iterations that differ, which a set cannot express");
    small.workload.nodes_known = false;
    expect_refusal("set", &small, "a set needs the number of nodes of every application");
}

static void csv_reads_back(void **state)
{
    (void)state;
    struct small small;
    struct err err = {0};
    small_init(&small, 1e9);
    small.workload.nodes_known = true;
    struct app *first = add(&small, "a, \"b\"", 5e8, "w3 v40 w1 v7 v8");
    small_age(first, 12, 8);
    first->facts.weight = 2;
    first->facts.nodes = 17;
    small_repeat(add(&small, "#2", 1e9, "w10 v0.1"), 9);
    char *text = export_as("csv", &small, &err);
    struct scenario *scenario = accept_import("csv", text, NULL, NULL);
    const struct app_spec *apps = scenario->apps;
    assert_int_equal(scenario->count, 2);
    assert_string_equal(apps[0].name, "a, \"b\"");
    assert_true(apps[0].release == -12 && apps[0].progress == 8 && apps[0].weight == 2);
    assert_true(apps[0].nodes == 17 && apps[0].bandwidth == 5e8);
    assert_iterations(&apps[0], (struct iteration[]){{3, 40}, {1, 7}, {0, 8}}, 3);
    assert_string_equal(apps[1].name, "#2");
    assert_int_equal(apps[1].iterations, 9);
    assert_true(apps[1].work.mean == 10 && apps[1].io.mean == 0.1);
    scenario_free(scenario);
    free(text);
}

/* What stands behind the definitions, whose lines begin with '%'. */
static const char *skip_definitions(const char *text)
{
    while (*text == '%')
        text = strchr(text, '\n') + 1;
    return text;
}

static void paje_says_states_and_rates_in_order_of_time(void **state)
{
    (void)state;
    struct small small;
    small_init(&small, 10);
    add(&small, "a \"b\"", 10, "w1 v20");
    add(&small, "c", 4, "v8");
    /* Segments in the order in which they end. */
    struct segment segments[] = {{0, 1, 0, 0, SEGMENT_WORK},
                                 {0, 2, 4, 1, SEGMENT_IO},
                                 {1, 2, 6, 0, SEGMENT_IO},
                                 {2, 4, 7, 0, SEGMENT_IO}};
    const struct timeline timeline = {segments, 4, 4};
    const struct export_input input = {&small.workload, &timeline};
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    assert_int_equal(export_find("paje", NULL)->write(out, &input, NULL), 0);
    assert_int_equal(fclose(out), 0);
    assert_memory_equal(text, "%EventDef PajeDefineContainerType 0\n% Alias string\n", 51);
    assert_string_equal(skip_definitions(text), "0 F 0 \"file system\"\n"
                                                "0 A F \"application\"\n"
                                                "1 T F \"total bandwidth\" \"0.35 0.70 0.40\"\n"
                                                "1 R A \"bandwidth\" \"0.35 0.70 0.40\"\n"
                                                "2 S A \"state\"\n"
                                                "3 w S \"work\" \"0.55 0.70 0.85\"\n"
                                                "3 d S \"waiting\" \"0.90 0.35 0.30\"\n"
                                                "3 i S \"io\" \"0.35 0.70 0.40\"\n"
                                                "4 0 f F 0 \"small\"\n"
                                                "4 0 a0 A f \"a 'b'\"\n"
                                                "4 0 a1 A f \"c\"\n"
                                                "7 0 S a0 w\n"
                                                "6 0 R a1 4\n7 0 S a1 i\n6 0 T f 4\n"
                                                "6 1 R a0 6\n7 1 S a0 i\n6 1 T f 10\n"
                                                "6 2 R a0 7\n7 2 S a0 i\n"
                                                "6 2 R a1 0\n5 2 A a1\n6 2 T f 7\n"
                                                "6 4 R a0 0\n5 4 A a0\n6 4 T f 0\n"
                                                "5 4 F f\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_instance_begins_with_work_or_io_and_may_end_with_work),
        cmocka_unit_test(an_instance_reads_back),
        cmocka_unit_test(an_instance_has_no_application_of_the_future),
        cmocka_unit_test(a_set_has_periodic_applications_only),
        cmocka_unit_test(csv_reads_back),
        cmocka_unit_test(paje_says_states_and_rates_in_order_of_time),
    };
    return cmocka_run_group_tests_name("format/export", tests, NULL, NULL);
}

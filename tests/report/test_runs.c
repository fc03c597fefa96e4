#include "base/mem.h"
#include "common.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void csv_quotes_only_what_must_be_quoted(void **state)
{
    (void)state;
    struct rows rows = sample_rows();
    struct selection selection = {0};
    assert_int_equal(selection_parse(&selection, "makespan,max_stretch", NULL), 0);
    FILE *out = capture_begin();
    runs_csv_header(&selection, out);
    runs_csv(&rows, &selection, out);
    runs_csv_apps_header(out);
    runs_csv_apps(&rows, out);
    char *text = capture_end();
    /* Stretches 20/20 and 30/20; efficiencies 10/20 and 10/30 against an ideal of 10/20. */
    assert_string_equal(text,
                        "scenario,policy,makespan,max_stretch\n"
                        "\"two, by hand\",fcfs,30,1.5\n"
                        "scenario,policy,name,nodes,completion,yield,stretch,dilation,efficiency\n"
                        "\"two, by hand\",fcfs,big,2,20,1,1,1,0.5\n"
                        "\"two, by hand\",fcfs,\"a<b>&\"\"c\"\"\",1,30,0.6666666666666667,1.5,1.5,"
                        "0.3333333333333333\n");
    free(text);
    rows_fini(&rows);
}

static void json_has_every_measure_and_null_for_those_without_meaning(void **state)
{
    (void)state;
    struct rows rows = sample_rows();
    rows.list[0].metrics.makespan = NAN;
    rows.list[0].made.platform = (struct platform){.node_bandwidth = INFINITY, .bandwidth = 10};
    rows.list[0].knowledge = (struct knowledge){.volumes = KNOWLEDGE_WITHIN, .part = 0.3, .age = 5};
    struct json json = {.out = capture_begin()};
    runs_json(&rows, &json);
    char *text = capture_end();
    assert_ptr_equal(
        strstr(text, "{\"weir\":\"1.2\",\"scenario\":\"two, by hand\",\"seed\":7,"
                     "\"platform\":{\"nodes\":null,\"node_bandwidth\":null,\"bandwidth\":10},"
                     "\"window\":null,\"knowledge\":\"30%\",\"progress_age\":5,"
                     "\"runs\":[{\"policy\":\"fcfs\",\"metrics\":{\"makespan\":null,"),
        text);
    for (size_t i = 0; i < MEASURE_COUNT; i++) {
        char key[64];
        snprintf(key, sizeof key, "\"%s\":", measures[i].name);
        assert_non_null(strstr(text, key));
    }
    assert_non_null(strstr(text, "{\"name\":\"big\",\"nodes\":2,\"completion\":20,\"yield\":1,"
                                 "\"stretch\":1,\"dilation\":1,\"efficiency\":0.5}"));
    free(text);
    rows_fini(&rows);
}

static void json_says_null_where_node_counts_are_unknown(void **state)
{
    (void)state;
    struct workload workload = sample_workload;
    workload.nodes_known = false;
    struct row row;
    assert_int_equal(row_init(&row, &workload, "fcfs", &sample_outcome, NULL), 0);
    struct json json = {.out = capture_begin()};
    runs_json(&(struct rows){.list = &row, .count = 1}, &json);
    char *text = capture_end();
    assert_non_null(strstr(text, "{\"name\":\"big\",\"nodes\":null,"));
    free(text);
    row_fini(&row);
}

static void a_window_is_judged_by_other_measures_than_a_whole_run(void **state)
{
    (void)state;
    struct window window = {.kind = WINDOW_NONE};
    assert_string_equal(selection_default(&window).measures[0]->name, "makespan");
    window.kind = WINDOW_FIXED;
    assert_string_equal(selection_default(&window).measures[0]->name, "min_yield");
}

static void a_misspelt_measure_is_an_error_that_suggests_the_nearest(void **state)
{
    (void)state;
    struct selection selection = {0};
    struct err err;
    assert_int_equal(selection_parse(&selection, "makespan,dilatoin", &err), -1);
    assert_string_equal(err.text, "unknown measure 'dilatoin', did you mean 'dilation'?");
}

static void a_measure_named_twice_or_empty_is_an_error(void **state)
{
    (void)state;
    struct selection selection = {0};
    struct err err;
    assert_int_equal(selection_parse(&selection, "events,events", &err), -1);
    assert_string_equal(err.text, "measure 'events' is given twice");
    selection = (struct selection){0};
    assert_int_equal(selection_parse(&selection, "events,", &err), -1);
}

static void the_table_has_a_row_per_application(void **state)
{
    (void)state;
    struct rows rows = sample_rows();
    FILE *out = capture_begin();
    assert_int_equal(run_print_apps(&rows.list[0], false, out), 0);
    char *text = capture_end();
    assert_non_null(strstr(text, "\nbig "));
    assert_non_null(strstr(text, "\na<b>&\"c\" "));
    free(text);
    rows_fini(&rows);
}

/* Both applications are ada's: 100 and 50 bytes, in 20 s of 10 bytes/s. */
static void users_are_measured_and_shown(void **state)
{
    (void)state;
    const char *names[] = {"ada"};
    static const struct owner owners[] = {{{1, 0}}, {{1, 0}}};
    double wanting[] = {20};
    struct workload workload = sample_workload;
    struct outcome outcome = sample_outcome;
    workload.parties[PARTY_USER] = (struct parties){names, 1};
    workload.owners = owners;
    outcome.wanting[PARTY_USER] = wanting;
    struct row row;
    struct err err;
    int failures = 0;
    while (mem_fail_after(failures), row_init(&row, &workload, "fcfs", &outcome, &err) < 0)
        failures++;
    mem_fail_after(-1);
    assert_true(failures > 0);
    names[0] = "bob"; /* the row has a copy */
    struct rows rows = {.list = &row, .count = 1};
    FILE *out = capture_begin();
    runs_csv_parties_header(out);
    runs_csv_parties(&rows, PARTY_USER, out);
    runs_csv_parties(&rows, PARTY_ACCOUNT, out);
    char *text = capture_end();
    assert_string_equal(text, "scenario,policy,name,applications,mean_stretch,max_stretch,bytes,"
                              "io_time,bandwidth_share\n"
                              "\"two, by hand\",fcfs,ada,2,1.25,1.5,150,20,0.75\n");
    free(text);
    out = capture_begin();
    assert_int_equal(run_print_parties(&row, PARTY_USER, false, out), 0);
    text = capture_end();
    assert_non_null(strstr(text, "\nada "));
    free(text);
    row_fini(&row);
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    struct rows rows = sample_rows();
    struct selection selection = selection_default(&sample_workload.window);
    for (int n = 0; n < 5; n++) {
        FILE *out = capture_begin();
        mem_fail_after(n);
        assert_int_equal(runs_print_table(&rows, &selection, false, out), n < 2 ? -1 : 0);
        mem_fail_after(n);
        assert_int_equal(run_print_apps(&rows.list[0], false, out), n < 3 ? -1 : 0);
        mem_fail_after(-1);
        free(capture_end());
    }
    rows_fini(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_quotes_only_what_must_be_quoted),
        cmocka_unit_test(json_has_every_measure_and_null_for_those_without_meaning),
        cmocka_unit_test(json_says_null_where_node_counts_are_unknown),
        cmocka_unit_test(a_window_is_judged_by_other_measures_than_a_whole_run),
        cmocka_unit_test(a_misspelt_measure_is_an_error_that_suggests_the_nearest),
        cmocka_unit_test(a_measure_named_twice_or_empty_is_an_error),
        cmocka_unit_test(the_table_has_a_row_per_application),
        cmocka_unit_test(users_are_measured_and_shown),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "common_import.h"
#include <string.h>

static void lines_are_phases_in_order(void **state)
{
    (void)state;
    struct scenario *scenario = accept_import("csv",
                                              "app,phase,kind,amount\n"
                                              "ocean,,nodes,64\n"
                                              "ocean, 1, work, 100 s\n"
                                              "ocean, 2, io, 10 GB\n"
                                              "ocean, 3, work, 2 min\n"
                                              "ocean, 4, write, 512 MiB\n",
                                              NULL, NULL);
    assert_int_equal(scenario->count, 1);
    assert_string_equal(scenario->apps[0].name, "ocean");
    assert_true(scenario->apps[0].nodes == 64);
    assert_true(scenario->platform.bandwidth == 1e9);
    assert_iterations(&scenario->apps[0], (struct iteration[]){{100, 10e9}, {120, 512 * 0x1p20}},
                      2);
    scenario_free(scenario);
}

static void an_amount_may_be_0(void **state)
{
    (void)state;
    struct scenario *scenario =
        accept_import("csv", "a,1,work,0 s\na,2,io,1 GB\na,3,work,5 s\na,4,io,0\n", NULL, NULL);
    assert_iterations(&scenario->apps[0], (struct iteration[]){{0, 1e9}, {5, 0}}, 2);
    scenario_free(scenario);
}

static void applications_may_be_interleaved_and_keep_their_order(void **state)
{
    (void)state;
    struct scenario *scenario = accept_import("csv",
                                              "b,1,work,1\n"
                                              "a,1,read,20\n"
                                              "b,2,work,2\n"
                                              "a,2,io,30\n"
                                              "b,,io,5\n",
                                              NULL, NULL);
    assert_int_equal(scenario->count, 2);
    assert_string_equal(scenario->apps[0].name, "b");
    /* Work behind work is more of the same. */
    assert_iterations(&scenario->apps[0], (struct iteration[]){{3, 5}}, 1);
    assert_iterations(&scenario->apps[1], (struct iteration[]){{0, 20}, {0, 30}}, 2);
    assert_true(scenario->apps[1].nodes == 1); /* unless it says more */
    scenario_free(scenario);
}

static void the_header_says_the_order_of_columns(void **state)
{
    (void)state;
    struct scenario *scenario = accept_import(
        "csv", "Amount;kind;Name\n64;nodes;ocean\n100 s;work;ocean\n10 GB;io;ocean\n", NULL, NULL);
    assert_true(scenario->apps[0].nodes == 64);
    assert_iterations(&scenario->apps[0], (struct iteration[]){{100, 10e9}}, 1);
    scenario_free(scenario);
}

static void a_row_may_say_all_of_an_application(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "app,nodes,work,io,iterations\nocean,64,100 s,10 GB,20\nice,,5,,\n",
        "iterations;io;work;application;nodes\n20;10 GB;100 s;ocean;64\n;;5;ice;\n",
        "\"app\"\tnodes\twrite\tread\twork\trepeat\n"
        "ocean\t64\t4 GB\t6 GB\t100\t20\nice\t\t\t\t5\t\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct scenario *scenario = accept_import("csv", texts[i], NULL, NULL);
        const struct app_spec *apps = scenario->apps;
        assert_int_equal(scenario->count, 2);
        assert_true(apps[0].nodes == 64 && apps[0].iterations == 20);
        assert_true(apps[0].work.mean == 100 && apps[0].io.mean == 10e9);
        assert_string_equal(apps[1].name, "ice");
        assert_iterations(&apps[1], (struct iteration[]){{5, 0}}, 1);
        scenario_free(scenario);
    }
}

static void an_iteration_may_be_repeated(void **state)
{
    (void)state;
    struct scenario *scenario =
        accept_import("csv", "a,,repeat,20\na,1,work,10\na,2,io,1 GB\n", NULL, NULL);
    assert_null(scenario->apps[0].explicit_iterations);
    assert_int_equal(scenario->apps[0].iterations, 20);
    assert_true(scenario->apps[0].work.mean == 10 && scenario->apps[0].io.mean == 1e9);
    scenario_free(scenario);
}

static void a_name_in_quotes_may_hold_anything_printable(void **state)
{
    (void)state;
    struct scenario *scenario =
        accept_import("csv", "# typed by hand\n\n\"a, \"\"b\"\"\" ,1,io,5\n", NULL, NULL);
    assert_string_equal(scenario->apps[0].name, "a, \"b\"");
    scenario_free(scenario);
}

static void a_wrong_line_is_an_error_that_names_line_and_expectation(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"app,work,comment\n", "f:1: unknown column 'comment', expected work, io, read, write, "
                               "repeat, iterations, nodes, bandwidth, release, weight, progress, "
                               "waiting, period or calls"},
        {"app,kind,work\n",
         "f:1: expected columns app, phase, kind, amount, or app and kinds such as "
         "nodes, work and io"},
        {"app,nodes,wok\n", "f:1: unknown column 'wok', did you mean 'work'?"},
        {"app,work,IO,io\na,1,2,3\n", "f:1: two columns are named 'io'"},
        {"app,nodes,work\na,1\n", "f:2: 2 columns, expected 3 as in the header"},
        {"app,nodes,work\na,1,-3\n", "f:2: work '-3' is below 0"},
        {"", "f: no applications, expected at least one"},
        {"a,1,work\n", "f:1: 3 columns, expected 4: app, phase, kind, amount"},
        {"a,1,work,5\na,2,i0,5\n", "f:2: unknown kind 'i0', did you mean 'io'?"},
        {"a,x,work,5\n", "f:1: phase 'x' is not a number"},
        {"a,1,work,5 GB\n", "f:1: work: '5 GB' is not a time such as '90 s' or '1.5 h'"},
        {"a,1,io,nan\n", "f:1: io: 'nan' is not a size such as '3 GB' or '512 MiB'"},
        {"a,1,io,-5\n", "f:1: io '-5' is below 0"},
        {",1,io,5\n", "f:1: the name of the application is empty"},
        {"a,2,io,5\na,1,work,5\n", "f:2: phase 1 of 'a' comes after phase 2"},
        {"a,1,work,5\na,2,io,5\na,2,io,5\n", "f:3: phase 2 of 'a' comes after phase 2"},
        {"a,1,io,5\na,,repeat,1.5\n",
         "f:2: repeat 1.5, expected a whole number from 1 to 100000000"},
        {"a,1,io,5\na,2,io,5\na,,repeat,2\n",
         "f:1: 'a' has 2 iterations, but only one of work and I/O can be repeated"},
        {"\"a,1,io,5\n", "f:1: a quoted text does not end where its cell ends"},
        {"a,1,io,5\na,,nodes,1\na,,nodes,2\n", "f:3: nodes of 'a' is 2, but 1 in an earlier line"},
        {"a,1,io,5\nb,,nodes,3\n", "f:2: application 'b': has no iterations, expected at least 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse_import("csv", cases[i].text, NULL, cases[i].message);
}

static void the_bandwidth_must_be_given(void **state)
{
    (void)state;
    const struct import_options none = {0};
    refuse_import("csv", "a,1,io,5\n", &none,
                  "f: missing --bandwidth RATE: the file does not contain it");
}

static void a_lenient_reader_skips_and_counts_what_is_wrong(void **state)
{
    (void)state;
    struct import_options lenient = plain_options;
    struct notes notes = {""};
    lenient.lenient = true;
    struct scenario *scenario =
        accept_import("csv", "a,1,io,5\na,2\na,3,oi,7\na,4,io,7\nb,,nodes,3\n", &lenient, &notes);
    assert_int_equal(scenario->count, 1);
    assert_iterations(&scenario->apps[0], (struct iteration[]){{0, 5}, {0, 7}}, 2);
    assert_string_equal(
        notes.text,
        "skipped 3 lines or applications that could not be understood; the first: f:2: 2 columns, "
        "expected 4: app, phase, kind, amount\n");
    scenario_free(scenario);
}

static void every_failing_allocation_is_reported(void **state)
{
    (void)state;
    fail_each_import("csv", "a,1,io,5\nb,1,work,7\na,2,io,5\n", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_phases_in_order),
        cmocka_unit_test(an_amount_may_be_0),
        cmocka_unit_test(applications_may_be_interleaved_and_keep_their_order),
        cmocka_unit_test(the_header_says_the_order_of_columns),
        cmocka_unit_test(a_row_may_say_all_of_an_application),
        cmocka_unit_test(an_iteration_may_be_repeated),
        cmocka_unit_test(a_name_in_quotes_may_hold_anything_printable),
        cmocka_unit_test(a_wrong_line_is_an_error_that_names_line_and_expectation),
        cmocka_unit_test(the_bandwidth_must_be_given),
        cmocka_unit_test(a_lenient_reader_skips_and_counts_what_is_wrong),
        cmocka_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests_name("format/import_csv", tests, NULL, NULL);
}

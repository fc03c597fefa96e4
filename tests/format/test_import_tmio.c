#include "common_import.h"
#include <math.h>
#include <string.h>

static const struct import_options none = {0};

/* Two ranks write 100 and 300 bytes from 1 s on; after 97 s one reads 50; what was required is not
 * what was done. A later line adds a last write. */
static const char trace[] =
    "\t{\"write_sync\":{\"total_bytes\": 4e2,\"number_of_ranks\": 8,\"bandwidth\": "
    "{\"max\": 1.0,\"b_rank_avr\": [ 100.0, 150.0],\"b_rank_sum\": [1, 2],"
    "\"t_rank_s\": [ 1.0, 1.0],\"t_rank_e\": [2.0, 3.0]}}}\n"
    "\t{\"read_async_b\":{\"bandwidth\": {\"b_rank_avr\": [9e9],\"t_rank_s\": [0],\"t_rank_e\": "
    "[500]}}}\n"
    "\n"
    "\t{\"read_sync\":{\"number_of_ranks\": 1,\"bandwidth\": {\"t_rank_e\": [101],"
    "\"t_rank_s\": [100],\"b_rank_avr\": [50]}}, \"write_sync\":{\"bandwidth\": []}}\r\n"
    "{\"io_time\":{\"delta_t_agg\": 2.07e+01, \"why\": \"a \\\"}\\\" in quotes\"}}\n"
    "{\"write_async_t\":{\"bandwidth\":{\"b_rank_avr\":[7],\"t_rank_s\":[200],\"t_rank_e\":[201]}}"
    "}";

/* Rates within a phase are known for parts of a quarter of a second, in a run of this length. */
static void assert_roughly(const struct app_spec *app, const struct iteration *list, uint32_t count)
{
    assert_int_equal(app->iterations, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(app->explicit_iterations[i].volume == list[i].volume);
        assert_true(fabs(app->explicit_iterations[i].work - list[i].work) < 0.05);
    }
}

static void lines_add_up_to_phases(void **state)
{
    (void)state;
    struct notes notes = {""};
    struct scenario *scenario = accept_import("tmio", trace, &none, &notes);
    assert_int_equal(scenario->count, 1);
    assert_string_equal(scenario->apps->name, "f");
    assert_true(scenario->apps->nodes == 8);
    /* 100 * 1 + 150 * 2 bytes from 1 to 3 s; 50 * 1 from 100 to 101 s; 7 from 200 to 201 s. */
    /* 250 bytes in the first of two seconds, 150 in the next. 250 bytes/s is what the program and
     * the file system can do, so part of the other seconds is work. */
    assert_true(fabs(scenario->platform.bandwidth - 250) < 5);
    assert_true(scenario->apps->bandwidth == 0);
    assert_roughly(scenario->apps,
                   (struct iteration[]){{1.4, 400}, {97.8, 50}, {100 - 7 / 250., 7}}, 3);
    assert_non_null(strstr(notes.text, "f: 4 accesses at 114.2 B/s in 3 I/O phases"));
    scenario_free(scenario);
}

static void the_gap_may_be_chosen(void **state)
{
    (void)state;
    const struct import_options options = {.gap = 98};
    struct scenario *scenario = accept_import("tmio", trace, &options, NULL);
    /* The pause of 97 s within the first phase is work, and so are the 0.4 and 0.8 s of before. */
    assert_roughly(scenario->apps, (struct iteration[]){{99.2, 450}, {100 - 7 / 250., 7}}, 2);
    scenario_free(scenario);
}

#define EXPECTED                                                                                   \
    "expected {\"write_sync\": {\"bandwidth\": {\"b_rank_avr\": [...], \"t_rank_s\": [...], "      \
    "\"t_rank_e\": [...]}}} with lists of one length, or alike"
#define SERIES(b, s, e)                                                                            \
    "{\"read_sync\":{\"bandwidth\":{\"b_rank_avr\":" b ",\"t_rank_s\":" s ",\"t_rank_e\":" e "}}}"

static void a_wrong_line_is_an_error_that_names_line_and_expectation(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "f: no I/O in this file, expected lines of TMIO"},
        {"{}\n{\"write_sync\":{\"bandwidth\": {}}}",
         "f: no I/O in this file, expected lines of TMIO"},
        {"hello", "f:1: column 1: " EXPECTED},
        {"{}\n{\"read_sync\":7}", "f:2: column 14: " EXPECTED},
        {"{\"x\":[1,\"", "f:1: column 10: " EXPECTED},
        {"{} {}", "f:1: column 4: " EXPECTED},
        {SERIES("[1]", "[2]", "[]"), "f:1: column 75: " EXPECTED},
        {SERIES("[1]", "[2]", "[1]"), "f:1: column 76: " EXPECTED},
        {SERIES("[-1]", "[2]", "[3]"), "f:1: column 77: " EXPECTED},
        {SERIES("[1,nan]", "[2,2]", "[3,3]"), "f:1: column 44: " EXPECTED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse_import("tmio", cases[i][0], &none, cases[i][1]);
}

static void a_lenient_reader_skips_and_counts_what_is_wrong(void **state)
{
    (void)state;
    const struct import_options lenient = {.lenient = true};
    struct notes notes = {""};
    struct scenario *scenario =
        accept_import("tmio", "[]\n" SERIES("[1]", "[2]", "[3]") "\n" SERIES("[1]", "[5]", "[3]"),
                      &lenient, &notes);
    assert_iterations(scenario->apps, (struct iteration[]){{2, 1}}, 1);
    assert_non_null(
        strstr(notes.text,
               "skipped 2 lines or applications that could not be understood; the first: f:1: "));
    scenario_free(scenario);
}

static void every_failing_allocation_is_reported(void **state)
{
    (void)state;
    fail_each_import("tmio", trace, &none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_add_up_to_phases),
        cmocka_unit_test(the_gap_may_be_chosen),
        cmocka_unit_test(a_wrong_line_is_an_error_that_names_line_and_expectation),
        cmocka_unit_test(a_lenient_reader_skips_and_counts_what_is_wrong),
        cmocka_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests_name("format/import_tmio", tests, NULL, NULL);
}

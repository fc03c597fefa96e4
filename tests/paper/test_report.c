/* A report of samples that are known: tables, numbers and verdicts are where they belong. */
#include "common.h"
#include "paper/report.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two applications, shared (series 0) and exclusive (1): max and mean stretch, at three ratios of
 * their lengths. At the last one sharing is the worse one, which the thesis denies. */
static struct sample list[] = {
    {0, 0, 1, {1.5, 1.4}}, {0, 1, 1, {1, 1}},      {0, 0, 5, {1.25, 1.2}},
    {0, 1, 5, {2, 1.5}},   {0, 0, 20, {4, 3.125}}, {0, 1, 20, {2.5, 2}},
};
static const struct samples samples = {list, sizeof list / sizeof *list, 0};

/* vidal-V.1 among all. */
static struct results results;
static const struct result *pair;

static int load_results(void **state)
{
    (void)state;
    struct err err = {0};
    if (results_load(&results, &err) < 0)
        return -1;
    pair = result_find(&results, "vidal-V.1", &err);
    return pair ? 0 : -1;
}

static int free_results(void **state)
{
    (void)state;
    results_fini(&results);
    return 0;
}

static char *text_of(int (*write)(FILE *out, struct err *err))
{
    char *text = NULL;
    size_t size;
    struct err err = {0};
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(write(out, &err), 0);
    fclose(out);
    return text;
}

static void check_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no \"%s\" in:\n%s", part, text);
}

static int write_markdown(FILE *out, struct err *err)
{
    return report_write(pair, &samples, false, "picture.svg", out, err);
}

static void a_report_has_verdicts_picture_and_tables(void **state)
{
    (void)state;
    char *text = text_of(write_markdown);
    check_has(text, "## vidal-V.1: ");
    check_has(text, "synchronized and there is no more delay\", V.B.1) | ");
    check_has(text, "| below 0 | 1.5 | 1.5 | differs (not as recorded) |"); /* 4 - 2.5 */
    check_has(text, "| at most 1.001 | 1 | -0.001 | agrees |");
    check_has(text, "(picture.svg)");
    check_has(text, "| ratio of the iterations' lengths | best-effort | list:order=fifo |");
    check_has(text, "\n| 5 | 1.25 | 2 |\n");   /* max stretch */
    check_has(text, "\n| 20 | 3.125 | 2 |\n"); /* mean stretch */
    free(text);
}

static int write_csv(FILE *out, struct err *err)
{
    return report_write_csv(pair, &samples, out, err);
}

static void its_csv_has_a_line_for_every_place_and_series(void **state)
{
    (void)state;
    char *text = text_of(write_csv);
    size_t lines = 0;
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        lines++;
    assert_int_equal(lines, 1 + 2 * 3 * 2); /* charts, places, series */
    check_has(text,
              "\ntwo applications,max stretch,5,best-effort,1,1.25,,1.25,1.25,1.25,1.25,1.25\n");
    free(text);
}

static int write_json(FILE *out, struct err *err)
{
    (void)err;
    struct json json = {.out = out};
    report_write_json(pair, &samples, false, &json);
    return 0;
}

static void its_json_has_the_same_verdicts(void **state)
{
    (void)state;
    char *text = text_of(write_json);
    check_has(text, "\"vidal-V.1\"");
    check_has(text, "\"verdict\":\"differs\",\"as_recorded\":false,\"reason\":null");
    check_has(text, "\"verdict\":\"agrees\",\"as_recorded\":true,\"reason\":null");
    free(text);
}

/* A finding with its places named, and means of two columns as pairs. */
static const char *const own_series[] = {"a", "b", NULL}, *const own_columns[] = {"u", "v", NULL},
                         *const own_groups[] = {"all", NULL},
                         *const own_places[] = {"here", "there", NULL};

static int write_finding(FILE *out, struct err *err)
{
    static struct sample points[] = {
        {0, 0, 0, {1, 10}}, {0, 0, 0, {3, 10}}, {0, 0, 1, {2, 20}}, {0, 1, 0, {7, 30}}};
    static const struct chart charts[] = {
        {.title = "c", .kind = CHART_BARS, .column = 0, .intervals = true},
        {.title = "d", .kind = CHART_MEANS, .column = 0, .across = 1},
        {.title = "e", .column = 0, .series = SERIES(2)},
        {.title = NULL}};
    const struct samples own = {points, 4, 0};
    const struct result result = {.name = "findings-x",
                                  .title = "t",
                                  .note = "Why.",
                                  .experiment = EXPERIMENT_pair,
                                  .charts = charts};
    const struct experiment experiment = {.series = own_series,
                                          .columns = own_columns,
                                          .groups = own_groups,
                                          .places = own_places,
                                          .x = "place",
                                          .workloads = "none"};
    assert_true(report_has_figure(&result, &own));
    assert_false(report_has_figure(&result, &(struct samples){0}));
    return report_write_charts(&result, &experiment, &own, out, err);
}

static void charts_have_names_of_places_intervals_pairs_and_a_word_where_nothing_was_run(
    void **state)
{
    (void)state;
    char *text = text_of(write_finding);
    check_has(text, "| here | 2 ± 13 | 7 |"); /* t = 12.7 sqrt(2) / sqrt(2) */
    check_has(text, "| there | 2 | - |");
    check_has(text, "\n| a | 10 | 2 |\n| a | 20 | 2 |\n| b | 30 | 7 |\n");
    check_has(text, "\ne: only the full run has samples of this.\n");
    free(text);
}

static int write_statements(FILE *out, struct err *err)
{
    (void)err;
    struct samples all[EXPERIMENT_COUNT] = {[EXPERIMENT_pair] = samples};
    report_write_statements(&results, all, true, out);
    return 0;
}

static void statements_that_do_not_hold_are_collected(void **state)
{
    (void)state;
    char *text = text_of(write_statements);
    check_has(text, "\n| vidal-V.1 | ");
    check_has(text, "| below 0 | 1.5 |");
    assert_null(strstr(text, "| findings-"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_report_has_verdicts_picture_and_tables),
        cmocka_unit_test(its_csv_has_a_line_for_every_place_and_series),
        cmocka_unit_test(its_json_has_the_same_verdicts),
        cmocka_unit_test(
            charts_have_names_of_places_intervals_pairs_and_a_word_where_nothing_was_run),
        cmocka_unit_test(statements_that_do_not_hold_are_collected),
    };
    return cmocka_run_group_tests(tests, load_results, free_results);
}

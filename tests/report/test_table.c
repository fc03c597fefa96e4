#include "common.h"
#include "report/table.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const names[] = {"fair-share", "fcfs", "floor"};

/* What table_print writes; free() frees. */
static char *print(const struct table *table, size_t *shown)
{
    size_t count = table_print(table, capture_begin()).columns;
    if (shown)
        *shown = count;
    return capture_end();
}

static void check(const struct table *table, const char *expected)
{
    char *text = print(table, NULL);
    assert_string_equal(text, expected);
    free(text);
}

/* A table of one column with the first of the names as rows; good until the next one is made. */
static const struct table *one_column(const char *corner, const struct table_column *column,
                                      size_t rows, const double *values)
{
    static struct table table;
    table = (struct table){.corner = corner,
                           .names = names,
                           .rows = rows,
                           .columns = column,
                           .count = 1,
                           .values = values};
    return &table;
}

static const struct table_column stretch = {
    .heading = "max_stretch", .sense = METRIC_LOWER, .digits = 5};

static void the_smallest_is_best_where_less_is_better(void **state)
{
    (void)state;
    check(one_column("strategy", &stretch, 3, (double[]){1.5, 1.25, 2}), "                max\n"
                                                                         "strategy    stretch\n"
                                                                         "fair-share  1.5000\n"
                                                                         "fcfs        1.2500*\n"
                                                                         "floor       2.0000\n");
}

static void sizes_have_one_unit_per_column(void **state)
{
    (void)state;
    static const struct table_column bytes = {
        .heading = "bytes", .unit = UNIT_BYTES, .sense = METRIC_INFO, .digits = 3};
    char *text = print(one_column("user", &bytes, 2, (double[]){2.5e12, 5e11}), NULL);
    assert_non_null(strstr(text, "(TB)"));
    assert_non_null(strstr(text, "2.50"));
    assert_non_null(strstr(text, "0.50"));
    free(text);
    text = print(one_column("user", &bytes, 2, (double[]){0, 12}), NULL);
    assert_non_null(strstr(text, "(B)"));
    free(text);
}

static void the_largest_is_best_where_more_is_better(void **state)
{
    (void)state;
    static const struct table_column column = {
        .heading = "yield", .sense = METRIC_HIGHER, .digits = 3};
    check(one_column("strategy", &column, 3, (double[]){0.5, 0.75, 0.25}), "strategy    yield\n"
                                                                           "fair-share  0.50\n"
                                                                           "fcfs        0.75*\n"
                                                                           "floor       0.25\n");
}

static void values_that_print_alike_are_all_best(void **state)
{
    (void)state;
    char *text = print(one_column("", &stretch, 3, (double[]){1.00001, 1.00002, 2}), NULL);
    char *first = strstr(text, "1.0000*");
    assert_non_null(first);
    assert_non_null(strstr(first + 1, "1.0000*"));
    free(text);
}

static void nothing_is_marked_where_nothing_differs(void **state)
{
    (void)state;
    char *text = print(one_column("", &stretch, 3, (double[]){1.5, 1.5, 1.5}), NULL);
    assert_null(strchr(text, '*'));
    free(text);
}

static void what_has_no_meaning_is_a_dash_and_never_the_best(void **state)
{
    (void)state;
    char *text = print(one_column("", &stretch, 3, (double[]){NAN, 1.5, 2}), NULL);
    assert_non_null(strstr(text, " -\n"));
    assert_non_null(strstr(text, "1.5000*"));
    free(text);
}

static void the_mark_is_explained_where_there_is_one(void **state)
{
    (void)state;
    struct table table = *one_column("", &stretch, 2, (double[]){1.5, 2});
    table.legend = true;
    char *text = print(&table, NULL);
    assert_non_null(strstr(text, "2.0000\n\n* best of its column\n"));
    free(text);
    table.values = (double[]){1.5, 1.5};
    text = print(&table, NULL);
    assert_null(strstr(text, "*"));
    free(text);
    table.rows = 1;
    text = print(&table, NULL);
    assert_null(strstr(text, "*"));
    free(text);
}

static void times_share_one_unit_that_the_heading_names(void **state)
{
    (void)state;
    static const struct table_column column = {
        .heading = "makespan", .unit = UNIT_SECONDS, .sense = METRIC_LOWER, .digits = 3};
    /* 10800 s = 3 h and 16200 s = 4.5 h. */
    check(one_column("strategy", &column, 2, (double[]){10800, 16200}), "            makespan\n"
                                                                        "strategy         (h)\n"
                                                                        "fair-share     3.00*\n"
                                                                        "fcfs           4.50\n");
}

static void whole_numbers_stay_whole(void **state)
{
    (void)state;
    static const struct table_column column = {
        .heading = "events", .sense = METRIC_INFO, .digits = 5};
    check(one_column("strategy", &column, 2, (double[]){1234567, 3}), "strategy      events\n"
                                                                      "fair-share  1234567\n"
                                                                      "fcfs              3\n");
}

static void compact_values_have_their_own_decimals(void **state)
{
    (void)state;
    static const struct table_column column = {
        .heading = "1", .sense = METRIC_LOWER, .digits = 3, .compact = true};
    check(one_column("set", &column, 3, (double[]){728.44, 79.04, 0.813}), "set             1\n"
                                                                           "fair-share   728\n"
                                                                           "fcfs        79.0\n"
                                                                           "floor       0.81*\n");
}

static void columns_that_do_not_fit_are_left_out_the_last_first(void **state)
{
    (void)state;
    enum { COUNT = 12 };
    struct table_column columns[COUNT];
    double values[2 * COUNT];
    for (int i = 0; i < COUNT; i++) {
        columns[i] = stretch;
        values[i] = 1 + i;
        values[COUNT + i] = 2.5 + i;
    }
    for (int width = 30; width < 130; width++) {
        size_t shown;
        char *text = print(&(struct table){.corner = "strategy",
                                           .names = names,
                                           .rows = 2,
                                           .columns = columns,
                                           .count = COUNT,
                                           .values = values,
                                           .width = width},
                           &shown);
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
            assert_true(strlen(line) <= (size_t)width);
        /* A column takes 8, or 10 with a mark in two digits: never fewer than 3 in 40. */
        assert_true(shown >= (size_t)(width - 10) / 10 && shown <= COUNT);
        free(text);
    }
}

static void without_a_limit_every_column_is_shown(void **state)
{
    (void)state;
    struct table_column columns[TABLE_MAX_COLUMNS];
    double values[TABLE_MAX_COLUMNS];
    for (int i = 0; i < TABLE_MAX_COLUMNS; i++) {
        columns[i] = stretch;
        values[i] = 1.5;
    }
    size_t shown;
    free(print(&(struct table){.corner = "",
                               .names = names,
                               .rows = 1,
                               .columns = columns,
                               .count = TABLE_MAX_COLUMNS,
                               .values = values},
               &shown));
    assert_int_equal(shown, TABLE_MAX_COLUMNS);
}

static void colour_comes_only_when_asked_for(void **state)
{
    (void)state;
    struct table table = {.corner = "strategy",
                          .names = names,
                          .rows = 2,
                          .columns = &stretch,
                          .count = 1,
                          .values = (double[]){1.5, 1.25}};
    char *text = print(&table, NULL);
    assert_null(strchr(text, '\033'));
    free(text);
    table.colour = true;
    text = print(&table, NULL);
    assert_non_null(strstr(text, "\033[1;32m1.2500*\033[0m"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_smallest_is_best_where_less_is_better),
        cmocka_unit_test(sizes_have_one_unit_per_column),
        cmocka_unit_test(the_largest_is_best_where_more_is_better),
        cmocka_unit_test(values_that_print_alike_are_all_best),
        cmocka_unit_test(nothing_is_marked_where_nothing_differs),
        cmocka_unit_test(what_has_no_meaning_is_a_dash_and_never_the_best),
        cmocka_unit_test(the_mark_is_explained_where_there_is_one),
        cmocka_unit_test(times_share_one_unit_that_the_heading_names),
        cmocka_unit_test(whole_numbers_stay_whole),
        cmocka_unit_test(compact_values_have_their_own_decimals),
        cmocka_unit_test(columns_that_do_not_fit_are_left_out_the_last_first),
        cmocka_unit_test(without_a_limit_every_column_is_shown),
        cmocka_unit_test(colour_comes_only_when_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

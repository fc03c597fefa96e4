/* Files of results: what is in them arrives, and what is wrong with them is said with its line. */
#include "common.h"
#include "paper/result.h"
#include <string.h>

#define HEAD "experiment: pair\ntitle: t\ncharts: [{title: c, column: max stretch}]\n"

static struct result read_text(const char *text)
{
    struct result result;
    struct err err = {0};
    if (result_read(text, strlen(text), "data/own-1.yaml", &result, &err) < 0)
        fail_msg("%s", err.text);
    return result;
}

static void a_file_becomes_a_result_of_its_name(void **state)
{
    (void)state;
    struct result result =
        read_text(HEAD "source: Somebody 2020, Figure 1\n"
                       "numbers:\n- {says: n, column: mean stretch, digits: 3, values: [{series: "
                       "best-effort, x: [1, 5], are: [1.5, -2e-3]}]}\n"
                       "statements:\n- says: >-\n    a long\n    sentence\n  measured: m\n"
                       "  ours: {column: mean stretch, series: [best-effort, list:order=fifo], "
                       "statistic: most, take: smallest, x: [1, 5]}\n"
                       "  divided by: {column: max stretch, series: list:order=fifo}\n"
                       "  over: smallest\n  x: [2, 3]\n  at least: 0.5\n  tolerance: 1e-9\n"
                       "  full: true\n  differs: why\n");
    assert_string_equal(result.name, "own-1");
    assert_int_equal(result.experiment, EXPERIMENT_pair);
    assert_string_equal(result.charts[0].title, "c");
    assert_null(result.charts[1].title);
    assert_int_equal(result.printed->count, 2);
    assert_near(result.printed->list[1].x, 5, 0);
    assert_near(result.printed->list[1].value, -2e-3, 0);
    const struct claim *claim = result.claims;
    assert_string_equal(claim->text, "a long sentence");
    assert_int_equal(claim->ours.column, 1);
    assert_int_equal(claim->ours.series, SERIES(0) | SERIES(1));
    assert_int_equal(claim->ours.statistic, CLAIM_MOST);
    assert_int_equal(claim->ours.extreme, CLAIM_SMALLEST);
    assert_near(claim->ours.to, 5, 0);
    assert_int_equal(claim->operation, CLAIM_RATIO);
    assert_int_equal(claim->against.series, SERIES(1));
    assert_int_equal(claim->over, CLAIM_OVER_SMALLEST);
    assert_int_equal(claim->relation, CLAIM_AT_LEAST);
    assert_near(claim->bound, 0.5, 0);
    assert_near(claim->from, 2, 0);
    assert_true(claim->full);
    assert_string_equal(claim->record.differs, "why");
    assert_null(claim[1].text);
    result_release(&result);
}

static void check_fault(const char *text, const char *fault)
{
    struct result result;
    struct err err = {0};
    assert_int_equal(result_read(text, strlen(text), "own.yaml", &result, &err), -1);
    assert_string_equal(err.text, fault);
    result_release(&result);
}

#define SAYS HEAD "statements:\n- {says: a, measured: b, ours: {column: max stretch}"

static void faults_are_told_with_their_line(void **state)
{
    (void)state;
    check_fault(HEAD "notes: n\n",
                "own.yaml:4: unknown key 'notes' in a result, did you mean 'note'?");
    check_fault(HEAD "title: n\n", "own.yaml:4: key 'title' is given twice in a result");
    check_fault("title: t\n", "own.yaml:1: missing key 'experiment' in a result");
    check_fault("charts: []\n", "own.yaml:1: experiment must stand before charts");
    check_fault("experiment: pear\n",
                "own.yaml:1: unknown experiment 'pear', did you mean 'pair'?");
    check_fault(SAYS ", is: 1, at most: 2}\n",
                "own.yaml:5: a statement needs one relation: 'is', 'at most', 'at least', 'below' or 'above'");
    check_fault(SAYS "}\n", "own.yaml:5: a statement needs one relation: 'is', 'at most', 'at least', 'below' or 'above'");
    check_fault(SAYS ", is: 1, minus: {column: max stretch}, divided by: {column: max stretch}}\n",
                "own.yaml:5: a statement has either 'minus' or 'divided by'");
    check_fault(SAYS ", is: one}\n", "own.yaml:5: is: 'one' is not a number");
    check_fault(SAYS ", is: 1, x: [3, 2]}\n", "own.yaml:5: x must be a range, such as [0, 1]");
    check_fault(SAYS ", is: 1, full: yes}\n", "own.yaml:5: full must be true or false");
    check_fault(HEAD "numbers: [{says: n, column: max stretch, values: [{x: [1, 2], are: [1]}]}]\n",
                "own.yaml:4: 1 numbers for 2 of x");
    check_fault(HEAD "tables: [{title: c, column: max stretch, group: some}]\n",
                "own.yaml:4: unknown group 'some', expected two applications");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_becomes_a_result_of_its_name),
        cmocka_unit_test(faults_are_told_with_their_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

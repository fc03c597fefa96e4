/* Verdicts on samples that are known: what a claim's number is, whether it agrees, and whether that
 * is as recorded. */
#include "common.h"
#include "paper/claim.h"
#include "paper/result.h"
#include <math.h>
#include <string.h>

/* Series a and b, at x = 1 and 2, in two groups; the second group has b only.
 *
 *     group 0   x = 1: a 1, 3   b 4      x = 2: a 5   b 2, 2
 *     group 1   x = 1: b 8
 */
enum { A, B };
static struct sample list[] = {
    {0, A, 1, {1}}, {0, A, 1, {3}}, {0, B, 1, {4}}, {0, A, 2, {5}},
    {0, B, 2, {2}}, {0, B, 2, {2}}, {1, B, 1, {8}},
};
static const struct samples samples = {list, sizeof list / sizeof *list, 0};
static const char *const series[] = {"a", "b", NULL}, *const columns[] = {"value", NULL},
                         *const groups[] = {"first", "second", NULL};
static const struct experiment experiment = {
    .series = series, .columns = columns, .groups = groups, .x = "x"};

static double number_of(const struct claim *claim)
{
    return claim_judge(claim, &experiment, &samples, false).ours;
}

static void a_statistic_is_over_the_samples_of_its_series_group_and_x(void **state)
{
    (void)state;
    struct claim claim = {.ours = {0, 0, SERIES(A)}};
    assert_near(number_of(&claim), 3, 1e-12); /* (1 + 3 + 5) / 3 */
    claim.ours.statistic = CLAIM_LEAST;
    assert_near(number_of(&claim), 1, 0);
    claim.ours.statistic = CLAIM_MOST;
    assert_near(number_of(&claim), 5, 0);
    claim.ours.statistic = CLAIM_GEOMETRIC;
    assert_near(number_of(&claim), cbrt(15), 1e-12);
    claim = (struct claim){.ours = {0, 0, SERIES(A), .from = 1, .to = 1}};
    assert_near(number_of(&claim), 2, 1e-12); /* (1 + 3) / 2 */
    claim = (struct claim){.ours = {0, 0, SERIES(B)}, .from = 2, .to = 2};
    assert_near(number_of(&claim), 2, 1e-12);
}

static void several_series_give_the_extreme_of_theirs(void **state)
{
    (void)state;
    struct claim claim = {.ours = {.group = 0, .extreme = CLAIM_LARGEST}};
    assert_near(number_of(&claim), 3, 1e-12); /* a 3, b 8 / 3 */
    claim.ours.extreme = CLAIM_SMALLEST;
    assert_near(number_of(&claim), 8 / 3., 1e-12);
    claim.ours.group = 1; /* a has no samples there */
    assert_near(number_of(&claim), 8, 0);
}

static void two_numbers_are_compared_together_or_at_each_x(void **state)
{
    (void)state;
    struct claim claim = {
        .ours = {0, 0, SERIES(A)}, .against = {0, 0, SERIES(B)}, .operation = CLAIM_RATIO};
    assert_near(number_of(&claim), 9 / 8., 1e-12);
    claim.operation = CLAIM_DIFFERENCE;
    assert_near(number_of(&claim), 1 / 3., 1e-12);
    claim.operation = CLAIM_RATIO;
    claim.over = CLAIM_OVER_LARGEST; /* 2 / 4 and 5 / 2 */
    assert_near(number_of(&claim), 2.5, 1e-12);
    claim.over = CLAIM_OVER_SMALLEST;
    assert_near(number_of(&claim), 0.5, 1e-12);
}

static void intervals_with_too_few_samples_are_left_out(void **state)
{
    (void)state;
    struct experiment strict = experiment;
    const struct claim claim = {.ours = {0, 0, SERIES(A)}, .over = CLAIM_OVER_LARGEST};
    strict.bin = 10; /* one interval, 6 samples of 2 series */
    strict.enough = 3;
    assert_near(claim_judge(&claim, &strict, &samples, false).ours, 3, 1e-12);
    strict.enough = 4;
    assert_true(isnan(claim_judge(&claim, &strict, &samples, false).ours));
}

static void check(struct claim claim, enum verdict verdict, bool expected)
{
    struct judgement judgement = claim_judge(&claim, &experiment, &samples, false);
    assert_int_equal(judgement.verdict, verdict);
    assert_int_equal(judgement.expected, expected);
}

static void a_verdict_follows_from_relation_bound_and_tolerance(void **state)
{
    (void)state;
    struct claim claim = {.ours = {0, 0, SERIES(A)}, .relation = CLAIM_IS, .bound = 3.05}; /* 3 */
    check(claim, VERDICT_DIFFERS, false);
    claim.tolerance = 0.1;
    check(claim, VERDICT_AGREES, true);
    claim.relation = CLAIM_AT_LEAST;
    check(claim, VERDICT_AGREES, true);
    claim.tolerance = 0.01;
    check(claim, VERDICT_DIFFERS, false);
    claim.relation = CLAIM_AT_MOST;
    check(claim, VERDICT_AGREES, true);
    claim.bound = 2.9;
    check(claim, VERDICT_DIFFERS, false);
}

static void a_recorded_difference_is_expected_and_its_end_is_noticed(void **state)
{
    (void)state;
    struct claim claim = {
        .ours = {0, 0, SERIES(A)}, .relation = CLAIM_AT_LEAST, .bound = 4, .record = {"why", NULL}};
    check(claim, VERDICT_DIFFERS, true);
    claim.bound = 2;
    check(claim, VERDICT_AGREES, false);
}

static void what_is_not_comparable_has_its_own_verdict_unless_it_agrees(void **state)
{
    (void)state;
    struct claim claim = {.ours = {0, 0, SERIES(A)},
                          .relation = CLAIM_AT_LEAST,
                          .bound = 4, /* 3 */
                          .record = {.incomparable = "why"}};
    check(claim, VERDICT_INCOMPARABLE, true);
    assert_string_equal(claim_judge(&claim, &experiment, &samples, false).reason, "why");
    claim.bound = 2;
    check(claim, VERDICT_AGREES, false);
}

static void better_needs_more_than_equality(void **state)
{
    (void)state;
    struct claim claim = {.ours = {0, 0, SERIES(A)}, .relation = CLAIM_ABOVE, .bound = 3}; /* 3 */
    check(claim, VERDICT_DIFFERS, false);
    claim.relation = CLAIM_BELOW;
    check(claim, VERDICT_DIFFERS, false);
    claim.bound = 3 + 2 * CLAIM_TIE;
    check(claim, VERDICT_AGREES, true);
    claim.tolerance = 3 * CLAIM_TIE;
    check(claim, VERDICT_DIFFERS, false);
}

static void what_needs_more_runs_or_has_no_samples_is_open(void **state)
{
    (void)state;
    struct claim claim = {.ours = {0, 0, SERIES(A)}, .bound = 1, .full = true};
    struct judgement judgement = claim_judge(&claim, &experiment, &samples, true);
    assert_int_equal(judgement.verdict, VERDICT_OPEN);
    assert_true(judgement.expected);
    check(claim, VERDICT_DIFFERS, false);
    claim = (struct claim){.ours = {0, 1, SERIES(A)}};
    check(claim, VERDICT_OPEN, true);
}

static void near_to_the_bound_what_differs_from_run_to_run_stays_open(void **state)
{
    (void)state;
    struct claim claim = {/* 3 */
                          .ours = {0, 0, SERIES(A)},
                          .relation = CLAIM_AT_LEAST,
                          .bound = 3.05,
                          .noise = 0.1};
    check(claim, VERDICT_OPEN, true);
    claim.bound = 2.95;
    check(claim, VERDICT_OPEN, true);
    claim.bound = 2.85;
    check(claim, VERDICT_AGREES, true);
    claim.bound = 3.15;
    check(claim, VERDICT_DIFFERS, false);
}

static struct results load_results(void)
{
    struct results results;
    struct err err = {0};
    if (results_load(&results, &err) < 0)
        fail_msg("%s", err.text);
    return results;
}

static bool is_timed(const struct experiment *of, const struct claim *claim)
{
    return strstr(of->columns[claim->ours.column], "processor time") != NULL;
}

static void every_claim_about_processor_times_allows_for_noise(void **state)
{
    (void)state;
    struct results results = load_results();
    for (size_t i = 0; i < results.count; i++) {
        const struct experiment *of = experiments[results.list[i].experiment];
        for (const struct claim *claim = results.list[i].claims; claim && claim->text; claim++)
            assert_true(!is_timed(of, claim) || claim->noise > 0);
    }
    results_fini(&results);
}

static void published_numbers_agree_within_tolerance_and_sampling_error(void **state)
{
    (void)state;
    const struct printed_number numbers[] = {{0, A, 1, 2.5}, {0, B, 2, 2}};
    struct printed printed = {.list = numbers, .count = 2, .tolerance = 0.4};
    struct judgement judgement = printed_judge(&printed, &experiment, &samples, false);
    assert_near(judgement.ours, 1, 0); /* 2 is not 2.5, 2 is 2 */
    assert_int_equal(judgement.verdict, VERDICT_DIFFERS);
    /* The two samples have a variance of 2: 3.5 sqrt(2 (1/2 + 1/10)) = 3.83 more. */
    printed.runs = 10;
    assert_near(printed_match(&printed, 0, &experiment, &samples).margin, 0.4 + 3.5 * sqrt(1.2),
                1e-12);
    assert_int_equal(printed_judge(&printed, &experiment, &samples, false).verdict, VERDICT_AGREES);
}

static void of_rounded_numbers_the_digits_agree(void **state)
{
    (void)state;
    /* Ours is 2 at x = 1. */
    struct printed_number number = {0, A, 1, 2.004};
    const struct printed printed = {.list = &number, .count = 1, .digits = 3};
    assert_true(printed_match(&printed, 0, &experiment, &samples).agrees);
    number.value = 2.006;
    assert_false(printed_match(&printed, 0, &experiment, &samples).agrees);
    number.value = 0.2;
    assert_near(printed_match(&printed, 0, &experiment, &samples).margin, 0.00055, 1e-12);
}

/* --- the lists -------------------------------------------------------------------------------- */

static size_t count_of(const char *const *names)
{
    size_t count = 0;
    while (names[count])
        count++;
    return count;
}

static void every_result_has_a_title_charts_and_something_to_check(void **state)
{
    (void)state;
    struct results results = load_results();
    for (size_t i = 0; i < results.count; i++) {
        const struct result *result = &results.list[i];
        const struct experiment *of = experiments[result->experiment];
        assert_true(count_of(of->columns) <= SAMPLE_COLUMNS && count_of(of->series) <= 32);
        assert_true(result->charts[0].title != NULL);
        assert_true(result->source ||
                    (result->note && (strncmp(result->name, "findings-", 9) == 0 ||
                                      strcmp(result->name, "league") == 0)));
        assert_true((result->claims && result->claims->text) || result->printed);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(results.list[k].name, result->name);
    }
    results_fini(&results);
}

static void samples_do_not_depend_on_the_number_of_threads(void **state)
{
    (void)state;
    struct samples one[EXPERIMENT_COUNT] = {{0}}, four[EXPERIMENT_COUNT] = {{0}};
    const bool wanted[EXPERIMENT_COUNT] = {[EXPERIMENT_pair] = true, [EXPERIMENT_jupiter] = true};
    struct experiment_options options = {.quick = true, .jobs = 1};
    struct err err = {0};
    assert_int_equal(experiments_run(wanted, &options, one, &err), 0);
    options.jobs = 4;
    assert_int_equal(experiments_run(wanted, &options, four, &err), 0);
    for (int i = 0; i < EXPERIMENT_COUNT; i++) {
        assert_int_equal(one[i].count, four[i].count);
        assert_int_equal(one[i].count > 0, wanted[i]);
        for (size_t k = 0; k < one[i].count; k++)
            assert_memory_equal(one[i].list[k].values, four[i].list[k].values,
                                sizeof one[i].list[k].values);
        samples_fini(&one[i]);
        samples_fini(&four[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_statistic_is_over_the_samples_of_its_series_group_and_x),
        cmocka_unit_test(several_series_give_the_extreme_of_theirs),
        cmocka_unit_test(two_numbers_are_compared_together_or_at_each_x),
        cmocka_unit_test(intervals_with_too_few_samples_are_left_out),
        cmocka_unit_test(a_verdict_follows_from_relation_bound_and_tolerance),
        cmocka_unit_test(a_recorded_difference_is_expected_and_its_end_is_noticed),
        cmocka_unit_test(what_is_not_comparable_has_its_own_verdict_unless_it_agrees),
        cmocka_unit_test(better_needs_more_than_equality),
        cmocka_unit_test(what_needs_more_runs_or_has_no_samples_is_open),
        cmocka_unit_test(near_to_the_bound_what_differs_from_run_to_run_stays_open),
        cmocka_unit_test(every_claim_about_processor_times_allows_for_noise),
        cmocka_unit_test(published_numbers_agree_within_tolerance_and_sampling_error),
        cmocka_unit_test(of_rounded_numbers_the_digits_agree),
        cmocka_unit_test(every_result_has_a_title_charts_and_something_to_check),
        cmocka_unit_test(samples_do_not_depend_on_the_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

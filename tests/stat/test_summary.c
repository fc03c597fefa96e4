#include "stat/paired.h"
#include "stat/summary.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 * fmax(1, fabs(expected))))
        fail_msg("%.17g, not %.17g", value, expected);
}

/* 2 4 4 4 5 5 7 9: mean 40/8 = 5, squared distances 9+1+1+1+0+0+4+16 = 32, variance 32/7. With 7
 * degrees of freedom t = 2.364624251592785, so the margin is t sqrt(32/7/8). */
static void mean_variance_and_margin_are_those_worked_out_by_hand(void **state)
{
    (void)state;
    const double values[] = {2, 4, 4, NAN, 4, 5, 5, 7, 9};
    struct summary summary = summary_of(values, 9);
    assert_int_equal(summary.count, 8); /* NAN is left out */
    near(summary_mean(&summary), 5);
    near(summary_variance(&summary), 32.0 / 7);
    near(summary_deviation(&summary), sqrt(32.0 / 7));
    near(summary_margin(&summary), 2.364624251592785 * sqrt(4.0 / 7));
}

static void one_value_has_a_mean_but_no_interval(void **state)
{
    (void)state;
    struct summary none = {0}, one = {0};
    summary_add(&one, 3);
    assert_true(isnan(summary_mean(&none)) && isnan(summary_margin(&none)));
    near(summary_mean(&one), 3);
    assert_true(isnan(summary_variance(&one)) && isnan(summary_margin(&one)));
}

/* Sums of squares would lose all digits: 1e9^2 needs 60 bits. */
static void a_small_spread_of_large_values_is_not_lost(void **state)
{
    (void)state;
    struct summary summary = {0};
    for (int i = 0; i < 10000; i++)
        summary_add(&summary, 1e9 + (i % 2 ? 0.5 : -0.5));
    near(summary_variance(&summary), 0.25 * 10000 / 9999);
}

/* What numpy.quantile prints for [15, 20, 35, 40, 50]: positions 0.4, 1, 2, 3 and 3.6. */
static void quantiles_are_linear_between_neighbours(void **state)
{
    (void)state;
    double values[] = {40, NAN, 15, 50, 35, 20};
    struct quantiles q = quantiles_of(values, 6);
    near(q.p10, 17);
    near(q.p25, 20);
    near(q.p50, 35);
    near(q.p75, 40);
    near(q.p90, 46);
    const double even[] = {1, 2, 3, 4};
    near(quantile_of_sorted(even, 4, 0.5), 2.5);
    near(quantile_of_sorted(even, 4, 0.1), 1.3);
    near(quantile_of_sorted(even, 4, 0), 1);
    near(quantile_of_sorted(even, 4, 1), 4);
    near(quantile_of_sorted(even, 1, 0.9), 1);
    assert_true(isnan(quantile_of_sorted(even, 0, 0.5)));
}

/* Differences 1, 2, 3: mean 2, deviation 1, margin 4.302652729749464 / sqrt(3) = 2.484. */
static void a_difference_within_its_margin_is_indistinct(void **state)
{
    (void)state;
    struct paired paired = {0};
    paired_add(&paired, 11, 10);
    assert_int_equal(paired_judge(&paired), PAIRED_UNKNOWN);
    paired_add(&paired, 22, 20);
    paired_add(&paired, 33, 30);
    paired_add(&paired, NAN, 40);
    near(summary_mean(&paired.difference), 2);
    near(summary_margin(&paired.difference), 4.302652729749464 / sqrt(3));
    assert_int_equal(paired_judge(&paired), PAIRED_INDISTINCT);
    for (int i = 0; i < 3; i++)
        paired_add(&paired, 12, 10);
    assert_int_equal(paired_judge(&paired), PAIRED_SIGNIFICANT);
}

static void the_win_rate_counts_equal_pairs_half(void **state)
{
    (void)state;
    struct paired paired = {0};
    assert_true(isnan(paired_win_rate(&paired, true)));
    paired_add(&paired, 2, 1);
    paired_add(&paired, 3, 1);
    paired_add(&paired, 1, 1 + 1e-10); /* equal */
    paired_add(&paired, 1, 2);
    near(paired_win_rate(&paired, true), 2.5 / 4);
    near(paired_win_rate(&paired, false), 1.5 / 4);
}

static void equal_treatments_are_indistinct_and_a_constant_difference_is_significant(void **state)
{
    (void)state;
    struct paired same = {0}, shifted = {0};
    for (int i = 0; i < 20; i++) {
        paired_add(&same, i, i * (1 + 1e-15));
        paired_add(&shifted, i + 1, i);
    }
    assert_int_equal(paired_judge(&same), PAIRED_INDISTINCT);
    assert_int_equal(paired_judge(&shifted), PAIRED_SIGNIFICANT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mean_variance_and_margin_are_those_worked_out_by_hand),
        cmocka_unit_test(one_value_has_a_mean_but_no_interval),
        cmocka_unit_test(a_small_spread_of_large_values_is_not_lost),
        cmocka_unit_test(quantiles_are_linear_between_neighbours),
        cmocka_unit_test(a_difference_within_its_margin_is_indistinct),
        cmocka_unit_test(the_win_rate_counts_equal_pairs_half),
        cmocka_unit_test(equal_treatments_are_indistinct_and_a_constant_difference_is_significant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

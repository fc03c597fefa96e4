#include "base/maths.h"
#include "base/random.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Distance in units in the last place of the reference. */
static double ulps(double value, long double exact)
{
    double rounded = (double)exact;
    double unit = nextafter(fabs(rounded), INFINITY) - fabs(rounded);
    return (double)(fabsl(value - exact) / unit);
}

static void log_is_within_two_units_in_the_last_place(void **state)
{
    (void)state;
    struct random random = random_at(7, 0, 0);
    for (int i = 0; i < 200000; i++) {
        double x = ldexp(1 + random_uniform(&random), (int)random_below(&random, 2090) - 1070);
        assert_true(ulps(maths_log(x), logl(x)) <= 2);
        double near =
            1 + (random_uniform(&random) - 0.5) * ldexp(1, -(int)random_below(&random, 40));
        if (near != 1)
            assert_true(ulps(maths_log(near), logl(near)) <= 2);
    }
}

static void exp_is_within_two_units_in_the_last_place(void **state)
{
    (void)state;
    struct random random = random_at(8, 0, 0);
    for (int i = 0; i < 200000; i++) {
        double x = random_between(&random, -744, 709.78);
        assert_true(ulps(maths_exp(x), expl(x)) <= 2);
        x = random_between(&random, -2, 2);
        assert_true(ulps(maths_exp(x), expl(x)) <= 2);
    }
}

static void special_cases_are_those_of_the_c_library(void **state)
{
    (void)state;
    assert_true(maths_log(1) == 0);
    assert_true(maths_log(0) == -INFINITY);
    assert_true(isnan(maths_log(-1)));
    assert_true(isnan(maths_log(NAN)));
    assert_true(maths_log(INFINITY) == INFINITY);
    assert_true(isfinite(maths_log(DBL_TRUE_MIN)));
    assert_true(maths_exp(0) == 1);
    assert_true(maths_exp(INFINITY) == INFINITY);
    assert_true(maths_exp(-INFINITY) == 0);
    assert_true(maths_exp(709.782712893384) < INFINITY);
    assert_true(maths_exp(709.79) == INFINITY);
    assert_true(maths_exp(-746) == 0);
    assert_true(isnan(maths_exp(NAN)));
}

/* The distribution function, by the C library, of the quantile is the probability again. In the
 * tails the error of x is multiplied by the hazard, about |x|. */
static void the_quantile_inverts_the_normal_distribution(void **state)
{
    (void)state;
    for (double p = 1e-300; p < 0.5; p *= 1.37) {
        double x = maths_normal_quantile(p), back = 0.5 * erfc(-x / sqrt(2));
        assert_true(fabs(back / p - 1) < 1e-15 * (2 + x * x));
    }
    for (double p = 0.001; p < 1; p += 0.001)
        assert_true(fabs(0.5 * erfc(-maths_normal_quantile(p) / sqrt(2)) - p) < 4e-16);
    assert_true(maths_normal_quantile(0.5) == 0);
    /* Tabulated: the 97.5 % point. */
    assert_true(fabs(maths_normal_quantile(0.975) - 1.959963984540054) < 1e-14);
    assert_true(fabs(maths_normal_quantile(0.025) + 1.959963984540054) < 1e-14);
}

static void a_sum_survives_what_ruins_a_plain_one(void **state)
{
    (void)state;
    struct sum sum = {0};
    sum_add(&sum, 1);
    sum_add(&sum, 1e100);
    sum_add(&sum, 1);
    sum_add(&sum, -1e100);
    assert_true(sum_value(&sum) == 2);
    /* 0.1 is not exact: adding and taking it a million times leaves rounding in a plain sum. */
    sum = (struct sum){1e9, 0};
    for (int i = 0; i < 1000000; i++)
        sum_add(&sum, 0.1);
    for (int i = 0; i < 1000000; i++)
        sum_add(&sum, -0.1);
    assert_true(sum_value(&sum) == 1e9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_is_within_two_units_in_the_last_place),
        cmocka_unit_test(exp_is_within_two_units_in_the_last_place),
        cmocka_unit_test(special_cases_are_those_of_the_c_library),
        cmocka_unit_test(the_quantile_inverts_the_normal_distribution),
        cmocka_unit_test(a_sum_survives_what_ruins_a_plain_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

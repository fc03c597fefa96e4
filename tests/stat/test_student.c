#include "stat/student.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Three decimals as every book prints them (Abramowitz and Stegun, table 26.10). */
static void quantiles_are_those_of_the_published_table(void **state)
{
    (void)state;
    static const struct {
        size_t freedom;
        double t90, t95, t99;
    } table[] = {
        {1, 6.314, 12.706, 63.657}, {2, 2.920, 4.303, 9.925},   {3, 2.353, 3.182, 5.841},
        {4, 2.132, 2.776, 4.604},   {5, 2.015, 2.571, 4.032},   {6, 1.943, 2.447, 3.707},
        {7, 1.895, 2.365, 3.499},   {8, 1.860, 2.306, 3.355},   {9, 1.833, 2.262, 3.250},
        {10, 1.812, 2.228, 3.169},  {15, 1.753, 2.131, 2.947},  {19, 1.729, 2.093, 2.861},
        {20, 1.725, 2.086, 2.845},  {25, 1.708, 2.060, 2.787},  {29, 1.699, 2.045, 2.756},
        {30, 1.697, 2.042, 2.750},  {40, 1.684, 2.021, 2.704},  {60, 1.671, 2.000, 2.660},
        {120, 1.658, 1.980, 2.617}, {999, 1.646, 1.962, 2.581}, {1000000, 1.645, 1.960, 2.576},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        size_t n = table[i].freedom;
        assert_true(fabs(student_quantile(0.90, n) - table[i].t90) <= 0.0005);
        assert_true(fabs(student_quantile(0.95, n) - table[i].t95) <= 0.0005);
        assert_true(fabs(student_quantile(0.99, n) - table[i].t99) <= 0.0005);
    }
}

/* One degree of freedom is Cauchy's distribution, P = 2/pi atan t; with two, P = t / sqrt(2 + t^2).
 */
static void one_and_two_degrees_of_freedom_have_closed_forms(void **state)
{
    (void)state;
    for (double p = 0.01; p < 0.999; p += 0.013) {
        double one = tan(p * acos(-1) / 2), two = p * sqrt(2 / (1 - p * p));
        assert_true(fabs(student_quantile(p, 1) / one - 1) < 1e-12);
        assert_true(fabs(student_quantile(p, 2) / two - 1) < 1e-12);
    }
}

static void the_quantile_inverts_the_probability(void **state)
{
    (void)state;
    static const size_t freedoms[] = {3, 4, 17, 199, 500, 998, 999, 1000, 1001, 2500};
    for (size_t i = 0; i < sizeof freedoms / sizeof *freedoms; i++)
        for (double p = 0.05; p < 0.999; p += 0.07) {
            double again = student_within(student_quantile(p, freedoms[i]), freedoms[i]);
            assert_true(fabs(again - p) < 1e-12);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_those_of_the_published_table),
        cmocka_unit_test(one_and_two_degrees_of_freedom_have_closed_forms),
        cmocka_unit_test(the_quantile_inverts_the_probability),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

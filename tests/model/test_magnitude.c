#include "model/magnitude.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void a_magnitude_is_the_nearest_power_of_ten(void **state)
{
    (void)state;
    assert_int_equal(magnitude_of(1), 0);
    assert_int_equal(magnitude_of(3.16), 0);
    assert_int_equal(magnitude_of(3.17), 1);
    assert_int_equal(magnitude_of(0.01), -2);
    assert_int_equal(magnitude_of(0.0317), -1);
    assert_int_equal(magnitude_of(86400), 5);
    for (double exponent = -12; exponent < 18.4; exponent += 0.01)
        if (fabs(exponent - floor(exponent) - 0.5) > 1e-6)
            assert_int_equal(magnitude_of(pow(10, exponent)), (int)round(exponent));
}

static void both_sides_of_a_limit_differ(void **state)
{
    (void)state;
    for (int n = MAGNITUDE_FIRST; n < MAGNITUDE_LAST; n++) {
        double limit = sqrt(10) * pow(10, n);
        assert_int_equal(magnitude_of(limit * (1 - 1e-14)), n);
        assert_int_equal(magnitude_of(limit * (1 + 1e-14)), n + 1);
    }
}

static void lengths_beyond_the_range_count_as_its_ends(void **state)
{
    (void)state;
    assert_int_equal(magnitude_of(0), MAGNITUDE_FIRST);
    assert_int_equal(magnitude_of(1e-30), MAGNITUDE_FIRST);
    assert_int_equal(magnitude_of(1e30), MAGNITUDE_LAST);
    assert_int_equal(magnitude_of(INFINITY), MAGNITUDE_LAST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_magnitude_is_the_nearest_power_of_ten),
        cmocka_unit_test(both_sides_of_a_limit_differ),
        cmocka_unit_test(lengths_beyond_the_range_count_as_its_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "base/mem.h"
#include "detect/fourier.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { COUNT = 8 };
static const float samples[COUNT] = {3, 1, -4, 1, 5, -9, 2, 1};

static void the_power_is_that_of_the_definition(void **state)
{
    (void)state;
    float power[COUNT + 1];
    assert_int_equal(fourier_power(samples, COUNT, power), 0);
    for (int k = 0; k <= COUNT; k++) {
        double real = 0, imaginary = 0;
        for (int i = 0; i < COUNT; i++) {
            real += samples[i] * cos(2 * M_PI * i * k / (2 * COUNT));
            imaginary -= samples[i] * sin(2 * M_PI * i * k / (2 * COUNT));
        }
        assert_true(fabs(power[k] - (real * real + imaginary * imaginary)) < 1e-4);
    }
}

/* Without wrapping around: at the longest lag only the first and the last sample meet. KissFFT's
 * inverse multiplies by the number of points. */
static void the_correlation_is_that_of_the_definition(void **state)
{
    (void)state;
    float power[COUNT + 1], correlation[COUNT];
    assert_int_equal(fourier_power(samples, COUNT, power), 0);
    assert_int_equal(fourier_correlate(power, COUNT, correlation), 0);
    for (int lag = 0; lag < COUNT; lag++) {
        double sum = 0;
        for (int i = 0; i + lag < COUNT; i++)
            sum += (double)samples[i] * samples[i + lag];
        assert_true(fabs(correlation[lag] / (2 * COUNT) - sum) < 1e-4);
    }
}

static void running_out_of_memory_is_told(void **state)
{
    (void)state;
    float power[COUNT + 1], correlation[COUNT];
    for (int n = 0; n < 3; n++) {
        mem_fail_after(n);
        assert_int_equal(fourier_power(samples, COUNT, power), -1);
        mem_fail_after(n);
        assert_int_equal(fourier_correlate(samples, COUNT - 2, correlation), -1);
    }
    mem_fail_after(-1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_power_is_that_of_the_definition),
        cmocka_unit_test(the_correlation_is_that_of_the_definition),
        cmocka_unit_test(running_out_of_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

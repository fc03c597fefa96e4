#include "common.h"
#include "report/axis.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void the_step_is_short_enough_but_not_shorter_than_needed(void **state)
{
    (void)state;
    for (double length = 1e-4; length < 1e10; length *= 1.37) {
        struct axis axis = {.start = 0, .end = length, .width = 1000};
        axis_choose_step(&axis, 12);
        double steps = length / axis.step;
        assert_true(steps <= 12 * (1 + 1e-6));
        /* No gap between round steps is wider than a factor of 2.5. */
        assert_true(steps >= 12 / 2.5 * (1 - 1e-6));
    }
}

static void check_label(double length, double time, const char *expected)
{
    char label[64];
    struct axis axis = {.start = 0, .end = length, .width = 1000};
    axis_choose_step(&axis, 12);
    assert_string_equal(axis_label(&axis, time, label, sizeof label), expected);
}

static void times_are_written_in_the_unit_of_the_step(void **state)
{
    (void)state;
    check_label(0.01, 0.005, "0.005 s");
    check_label(100, 30, "30 s");
    check_label(2400, 600, "10 min");         /* steps of 5 min */
    check_label(4.8 * 3600, 5400, "1.5 h");   /* steps of 30 min */
    check_label(100 * 3600, 43200, "12 h");   /* steps of 12 h */
    check_label(21 * 86400.0, 172800, "2 d"); /* steps of 2 d */
    check_label(21 * 86400.0, 0, "0");
}

static void positions_stay_on_the_axis(void **state)
{
    (void)state;
    struct axis axis = {.start = 10, .end = 30, .width = 1000};
    assert_near(axis_position(&axis, 15), 250, 1e-9);
    assert_near(axis_position(&axis, -5), 0, 0);
    assert_near(axis_position(&axis, 99), 1000, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_step_is_short_enough_but_not_shorter_than_needed),
        cmocka_unit_test(times_are_written_in_the_unit_of_the_step),
        cmocka_unit_test(positions_stay_on_the_axis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "plan/ribbon.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* What is free over [0, period), added up. */
static double total_free(const struct ribbon *ribbon)
{
    struct ribbon_place place = {0, 0};
    double total = 0, end = 0;
    do {
        assert_true(ribbon_start(ribbon, place) == end);
        end = ribbon_end(ribbon, place);
        total += ribbon_free(ribbon, place) * (end - ribbon_start(ribbon, place));
    } while (ribbon_next(ribbon, &place));
    assert_true(end == ribbon->period);
    return total;
}

static void taking_from_the_middle_makes_three_slots(void **state)
{
    (void)state;
    struct ribbon ribbon = {0};
    ribbon_reset(&ribbon, 10, 4);
    ribbon_take(&ribbon, ribbon_find(&ribbon, 2), 2, 5, 3);
    struct ribbon_place place = {0, 0};
    assert_true(ribbon_end(&ribbon, place) == 2 && ribbon_free(&ribbon, place) == 4);
    assert_true(ribbon_next(&ribbon, &place));
    assert_true(ribbon_end(&ribbon, place) == 5 && ribbon_free(&ribbon, place) == 1);
    assert_true(ribbon_next(&ribbon, &place));
    assert_true(ribbon_end(&ribbon, place) == 10 && ribbon_free(&ribbon, place) == 4);
    assert_false(ribbon_next(&ribbon, &place));
    ribbon_fini(&ribbon);
}

static void times_that_are_nearly_the_same_make_no_slot(void **state)
{
    (void)state;
    struct ribbon ribbon = {0};
    ribbon_reset(&ribbon, 10, 4);
    ribbon_take(&ribbon, ribbon_find(&ribbon, 0), 1e-5, 10 - 1e-5, 3);
    struct ribbon_place place = {0, 0};
    assert_true(ribbon_free(&ribbon, place) == 1);
    assert_false(ribbon_next(&ribbon, &place));
    ribbon_fini(&ribbon);
}

/* Takes at random places, thousands of times, and compares with an array of seconds. */
static void a_long_ribbon_equals_an_array(void **state)
{
    (void)state;
    enum { SECONDS = 20000 };
    static double expected[SECONDS];
    struct ribbon ribbon = {0};
    ribbon_reset(&ribbon, SECONDS, 1e6);
    for (int i = 0; i < SECONDS; i++)
        expected[i] = 1e6;
    uint32_t dice = 1;
    for (int i = 0; i < 8000; i++) {
        dice = dice * 1664525u + 1013904223u;
        int from = (int)((dice >> 8) % SECONDS);
        struct ribbon_place place = ribbon_find(&ribbon, from);
        assert_true(ribbon_start(&ribbon, place) <= from && ribbon_end(&ribbon, place) > from);
        int to = (int)fmin(from + 1 + dice % 7, ribbon_end(&ribbon, place));
        ribbon_take(&ribbon, place, from, to, 1 + i % 5);
        for (int k = from; k < to; k++)
            expected[k] -= 1 + i % 5;
    }
    double total = 0;
    for (int i = 0; i < SECONDS; i++) {
        assert_true(ribbon_free(&ribbon, ribbon_find(&ribbon, i + 0.5)) == expected[i]);
        total += expected[i];
    }
    assert_true(total_free(&ribbon) == total);
    ribbon_fini(&ribbon);
}

static void a_reset_ribbon_is_free_again(void **state)
{
    (void)state;
    struct ribbon ribbon = {0};
    ribbon_reset(&ribbon, 1000, 2);
    for (int i = 0; i < 999; i += 2)
        ribbon_take(&ribbon, ribbon_find(&ribbon, i), i, i + 1, 2);
    assert_true(total_free(&ribbon) == 1000);
    ribbon_reset(&ribbon, 7, 3);
    assert_true(total_free(&ribbon) == 21);
    ribbon_fini(&ribbon);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(taking_from_the_middle_makes_three_slots),
        cmocka_unit_test(times_that_are_nearly_the_same_make_no_slot),
        cmocka_unit_test(a_long_ribbon_equals_an_array),
        cmocka_unit_test(a_reset_ribbon_is_free_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

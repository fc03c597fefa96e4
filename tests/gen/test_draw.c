#include "gen/draw.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { DRAWS = 10000 };

static void whole_numbers_are_equally_likely_and_include_both_ends(void **state)
{
    (void)state;
    int seen[4] = {0};
    for (uint32_t i = 0; i < DRAWS; i++) {
        struct random random = draw_at(1, i);
        uint32_t value = draw_whole(&random, 5, 8);
        assert_in_range(value, 5, 8);
        seen[value - 5]++;
    }
    for (int k = 0; k < 4; k++) /* 2500 each, standard deviation 43 */
        assert_in_range(seen[k], 2300, 2700);
}

/* Mean 11 lies between 8 and 16: 16 with probability 3/8. Standard error of the mean 0.04. */
static void a_power_of_two_is_next_to_the_mean_and_has_it(void **state)
{
    (void)state;
    double sum = 0;
    for (uint32_t i = 0; i < DRAWS; i++) {
        struct random random = draw_at(1, i);
        double value = draw_power(&random, 11);
        assert_true(value == 8 || value == 16);
        sum += value;
    }
    assert_true(fabs(sum / DRAWS - 11) < 0.2);
}

/* Spread from 1 to 2048 with mean 500: every power occurs, and the mean is known to 10. */
static void spread_powers_of_two_all_occur_and_have_the_mean(void **state)
{
    (void)state;
    uint32_t seen[12] = {0};
    double sum = 0;
    for (uint32_t i = 0; i < DRAWS; i++) {
        struct random random = draw_at(3, i);
        int power;
        double value = draw_spread_power(&random, 500, 11);
        assert_true(frexp(value, &power) == 0.5);
        seen[power - 1]++;
        sum += value;
    }
    for (int j = 0; j < 12; j++)
        assert_true(seen[j] > 0);
    assert_true(fabs(sum / DRAWS - 500) < 30);
}

static void a_mean_that_is_a_power_of_two_is_always_drawn(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 100; i++) {
        struct random random = draw_at(2, i);
        assert_true(draw_power(&random, 1) == 1);
        assert_true(draw_power(&random, 2048) == 2048);
    }
}

/* Printed in section IV.B.4 of the thesis: variance 0.1, kept to [0, 1]. */
static void the_mean_of_a_truncated_normal_variable_is_known(void **state)
{
    (void)state;
    struct distribution low = {.kind = DIST_NORMAL, .mean = 0.1, .sd = sqrt(0.1), .max = 1};
    struct distribution high = {.kind = DIST_NORMAL, .mean = 0.9, .sd = sqrt(0.1), .max = 1};
    struct distribution narrow = {.kind = DIST_NORMAL, .mean = 0.5, .sd = 0.01, .max = 1};
    assert_true(fabs(draw_mean(&low) - 0.289) < 0.0005);
    assert_true(fabs(draw_mean(&high) - 0.711) < 0.0005);
    assert_true(fabs(draw_mean(&narrow) - 0.5) < 1e-12);
}

static void bounds_that_are_never_met_do_not_take_for_ever(void **state)
{
    (void)state;
    struct distribution far = {.kind = DIST_NORMAL, .mean = 0, .sd = 1, .min = 100, .max = 200};
    struct random random = draw_at(3, 0);
    assert_true(draw_value(&far, &random) == 100);
}

/* A family's draws must not come back as the noise of its phases, which are at (app, 0, 1, ...). */
static void what_makes_an_application_is_not_drawn_again_as_its_noise(void **state)
{
    (void)state;
    struct random made = draw_at(7, 3);
    double first = random_uniform(&made);
    for (uint32_t index = 0; index < 1000; index++) {
        struct random noise = random_at(7, 3, index);
        assert_true(random_uniform(&noise) != first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_are_equally_likely_and_include_both_ends),
        cmocka_unit_test(a_power_of_two_is_next_to_the_mean_and_has_it),
        cmocka_unit_test(spread_powers_of_two_all_occur_and_have_the_mean),
        cmocka_unit_test(a_mean_that_is_a_power_of_two_is_always_drawn),
        cmocka_unit_test(the_mean_of_a_truncated_normal_variable_is_known),
        cmocka_unit_test(bounds_that_are_never_met_do_not_take_for_ever),
        cmocka_unit_test(what_makes_an_application_is_not_drawn_again_as_its_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Which strategy is chosen: tables of a few runs, by hand. */
#include "compare/choice.h"
#include "support/small.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { RUNS = 4, STRATEGIES = 3 };

static double fairness[RUNS * STRATEGIES], efficiency[RUNS * STRATEGIES];
static unsigned needs[STRATEGIES];

/* Every strategy has these values in all runs, except for a noise that all share. */
static struct choice_table table_of(const double fair[STRATEGIES], const double good[STRATEGIES])
{
    for (int run = 0; run < RUNS; run++)
        for (int s = 0; s < STRATEGIES; s++) {
            fairness[run * STRATEGIES + s] = fair[s] + 0.01 * run;
            efficiency[run * STRATEGIES + s] = good[s] + 0.01 * run;
        }
    for (int s = 0; s < STRATEGIES; s++)
        needs[s] = 0;
    return (struct choice_table){
        .measures = {choice_measure(CHOICE_FAIRNESS, false),
                     choice_measure(CHOICE_EFFICIENCY, false)},
        .values = {fairness, efficiency},
        .needs = needs,
        .runs = RUNS,
        .strategies = STRATEGIES,
    };
}

/* A stretch of 1.5 + 0.015 goes to 1.2 + 0.015. */
static void a_gain_is_a_part_of_what_there_is(void **state)
{
    (void)state;
    struct choice_table table = table_of((double[]){1.5, 1.2, 1.5}, (double[]){0.5, 0.5, 0.5});
    struct choice_gain gain = choice_gain(&table, 1, CHOICE_FAIRNESS);
    expect_near(gain.now, 1.515, 1e-12);
    expect_near(gain.mean, 1.215, 1e-12);
    expect_near(gain.difference, -0.3, 1e-12);
    expect_near(gain.gain, 0.3 / 1.515, 1e-12);
    expect_near(gain.wins, 1, 1e-12);
    assert_int_equal(gain.effect, CHOICE_BETTER);
    assert_int_equal(choice_gain(&table, 2, CHOICE_FAIRNESS).effect, CHOICE_NONE);
}

/* From 0.01 to 0.011 is 10 %, as from 0.5 to 0.55; from nothing, it is all that there is. */
static void a_part_is_a_part_of_small_values_too(void **state)
{
    (void)state;
    expect_near(choice_part(0.001, 0.01, 1), 0.1, 1e-12);
    expect_near(choice_part(1e-9, 1e-8, 1), 0.1, 1e-12);
    expect_near(choice_part(0.3, 0, 0.3), 1, 1e-12);
    expect_near(choice_part(0, 0, 0), 0, 1e-12);
    for (double factor = 1; factor > 1e-6; factor /= 10) {
        struct choice_table table = table_of((double[]){1.5, 1.5, 1.5}, (double[]){0.5, 0.5, 0.5});
        for (int run = 0; run < RUNS; run++)
            for (int s = 0; s < STRATEGIES; s++)
                efficiency[run * STRATEGIES + s] = factor * (s == 2 ? 0.504 : 0.5);
        assert_int_equal(choice_find(&table, CHOICE_EFFICIENCY), 2);
        expect_near(choice_gain(&table, 2, CHOICE_EFFICIENCY).gain, 0.008, 1e-12);
    }
}

/* The second has the larger sum, by efficiency alone, and is less fair. */
static void for_both_a_strategy_harms_neither(void **state)
{
    (void)state;
    struct choice_table table = table_of((double[]){1.5, 1.26, 1.6}, (double[]){0.5, 0.5, 0.8});
    assert_int_equal(choice_find(&table, CHOICE_BOTH), 1);
    assert_int_equal(choice_find(&table, CHOICE_FAIRNESS), 1);
    assert_int_equal(choice_find(&table, CHOICE_EFFICIENCY), 2);
}

/* One that gains only efficiency does not hide one that gains only fairness, and less. */
static void for_both_a_gain_in_either_counts(void **state)
{
    (void)state;
    struct choice_table table = table_of((double[]){1.5, 1.5, 1.4}, (double[]){0.5, 0.6, 0.5});
    assert_int_equal(choice_find(&table, CHOICE_BOTH), 1);
    assert_int_equal(choice_find(&table, CHOICE_FAIRNESS), 2);
}

static void nothing_is_chosen_if_nothing_gains(void **state)
{
    (void)state;
    struct choice_table table = table_of((double[]){1.5, 1.499, 1.6}, (double[]){0.5, 0.501, 0.4});
    for (int goal = CHOICE_FAIRNESS; goal <= CHOICE_BOTH; goal++)
        assert_int_equal(choice_find(&table, (enum choice_goal)goal), 0);
}

/* The third gains 30 % in two runs and loses as much in two: that is not sure. */
static void a_gain_must_be_sure(void **state)
{
    (void)state;
    struct choice_table table = table_of((double[]){1.5, 1.5, 1.5}, (double[]){0.5, 0.5, 0.5});
    for (int run = 0; run < RUNS; run++)
        fairness[run * STRATEGIES + 2] += run % 2 ? 0.3 : -0.35;
    assert_int_equal(choice_find(&table, CHOICE_FAIRNESS), 0);
}

static void among_equals_the_other_measure_decides(void **state)
{
    (void)state;
    struct choice_table table = table_of((double[]){1.5, 1.2, 1.2005}, (double[]){0.5, 0.5, 0.6});
    needs[2] = WEIR_NEEDS_VOLUME;
    assert_int_equal(choice_find(&table, CHOICE_FAIRNESS), 2);
}

static void among_equals_the_one_that_needs_least_is_chosen(void **state)
{
    (void)state;
    struct choice_table table = table_of((double[]){1.5, 1.2, 1.2005}, (double[]){0.5, 0.5, 0.5});
    needs[1] = WEIR_NEEDS_VOLUME;
    for (int goal = CHOICE_FAIRNESS; goal <= CHOICE_BOTH; goal++)
        if (goal != CHOICE_EFFICIENCY)
            assert_int_equal(choice_find(&table, (enum choice_goal)goal), 2);
}

/* Of one run, what it shows is taken. */
static void a_single_run_has_no_interval(void **state)
{
    (void)state;
    struct choice_table table = table_of((double[]){1.5, 1.2, 1.5}, (double[]){0.5, 0.5, 0.5});
    table.runs = 1;
    assert_true(isnan(choice_gain(&table, 1, CHOICE_FAIRNESS).margin));
    assert_int_equal(choice_find(&table, CHOICE_FAIRNESS), 1);
}

/* What a strategy lacks is left out of its pairs. */
static void runs_that_are_missing_are_left_out(void **state)
{
    (void)state;
    struct choice_table table = table_of((double[]){1.5, 1.2, 1.1}, (double[]){0.5, 0.5, 0.5});
    for (int run = 0; run < RUNS; run++)
        fairness[run * STRATEGIES + 2] = NAN;
    assert_int_equal(choice_find(&table, CHOICE_FAIRNESS), 1);
    assert_int_equal(choice_gain(&table, 2, CHOICE_FAIRNESS).runs, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gain_is_a_part_of_what_there_is),
        cmocka_unit_test(a_part_is_a_part_of_small_values_too),
        cmocka_unit_test(for_both_a_strategy_harms_neither),
        cmocka_unit_test(for_both_a_gain_in_either_counts),
        cmocka_unit_test(nothing_is_chosen_if_nothing_gains),
        cmocka_unit_test(a_gain_must_be_sure),
        cmocka_unit_test(among_equals_the_other_measure_decides),
        cmocka_unit_test(among_equals_the_one_that_needs_least_is_chosen),
        cmocka_unit_test(a_single_run_has_no_interval),
        cmocka_unit_test(runs_that_are_missing_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "policy/habit.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct habit habit_of(const double *works, uint32_t count)
{
    struct habit habit = {.count = 0};
    for (uint32_t i = 0; i < count; i++)
        habit_add(&habit, (struct iterated){works[i], 100});
    return habit;
}

static void the_mean_is_that_of_the_last_ones(void **state)
{
    (void)state;
    double works[HABIT_MOST + 3] = {500, 500, 500, 500, 500, 500, 500, 500, 4, 6, 8};
    struct habit habit = habit_of(works, HABIT_MOST + 3);
    assert_true(habit_mean(&habit, 1).work == 8);
    assert_true(habit_mean(&habit, 2).work == 7);
    assert_true(habit_mean(&habit, 2).volume == 100);
}

static void too_few_iterations_are_no_habit(void **state)
{
    (void)state;
    double works[] = {8, 8, 8};
    struct habit habit = habit_of(works, 3);
    assert_true(habit_is_steady(&habit, 3, 10, 0.1));
    assert_false(habit_is_steady(&habit, 4, 10, 0.1));
}

static void work_may_differ_by_a_part_of_the_iteration(void **state)
{
    (void)state;
    /* Mean 10 and 100 bytes at 10 bytes/s: a tenth of 20 s is 2 s. */
    double inside[] = {8.1, 11.9, 10}, outside[] = {7.9, 12.1, 10};
    struct habit habit = habit_of(inside, 3);
    assert_true(habit_is_steady(&habit, 3, 10, 0.1));
    habit = habit_of(outside, 3);
    assert_false(habit_is_steady(&habit, 3, 10, 0.1));
}

static void a_volume_may_differ_by_a_part_of_itself(void **state)
{
    (void)state;
    struct iterated one = {10, 100}, more = {10, 110}, most = {10, 111};
    assert_true(habit_is_like(one, more, 10, 0.1));
    assert_false(habit_is_like(one, most, 10, 0.1));
}

static void without_work_or_io_there_is_nothing_to_plan(void **state)
{
    (void)state;
    struct habit idle = {.count = 0}, busy = {.count = 0};
    habit_add(&idle, (struct iterated){10, 0});
    habit_add(&busy, (struct iterated){0, 100});
    assert_false(habit_is_steady(&idle, 1, 10, 0.1));
    assert_false(habit_is_steady(&busy, 1, 10, 0.1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mean_is_that_of_the_last_ones),
        cmocka_unit_test(too_few_iterations_are_no_habit),
        cmocka_unit_test(work_may_differ_by_a_part_of_the_iteration),
        cmocka_unit_test(a_volume_may_differ_by_a_part_of_itself),
        cmocka_unit_test(without_work_or_io_there_is_nothing_to_plan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

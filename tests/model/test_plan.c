#include "model/plan.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Two applications on 10 bytes/s: A works 4 s and moves 20 bytes, B works 3 s and moves 30. */
static struct task list[] = {{"A", 1, 4, 20, 10, 2, 0}, {"B", 2, 3, 30, 5, 6, 0}};
static struct tasks tasks = {.list = list, .count = 2, .bandwidth = 10, .nodes = 3};

/* A period of 12 s: A twice (2 s at 10, and 4 s at 5 beside B), B once at 5 from 7 s on, over the
 * end of the period. */
static struct plan *make(void)
{
    struct plan *plan = plan_new(2);
    assert_non_null(plan);
    plan->period = 12;
    static const struct plan_instance instances[] = {{0, 0, 1}, {6, 1, 1}, {2, 2, 2}};
    static const struct plan_piece pieces[] = {
        {4, 6, 10},   /* A: work 0 to 4 */
        {10, 12, 10}, /* A: work 6 to 10 */
        {6, 10, 5},
        {12, 14, 5}, /* B: work 2 to 5; nothing is left from 10 to 12 */
    };
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(plan_add_instance(plan, instances[i]), 0);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(plan_add_piece(plan, pieces[i]), 0);
    plan->apps[0] = (struct plan_app){0, 2};
    plan->apps[1] = (struct plan_app){2, 1};
    return plan;
}

static void a_good_plan_is_valid_and_has_its_measures(void **state)
{
    (void)state;
    struct err err = {0};
    struct plan *plan = make();
    if (plan_validate(plan, &tasks, &err))
        fail_msg("%s", err.text);
    /* A: 2 x 4 / 12, B: 3 / 12; (1 x 2/3 + 2 x 1/4) / 3. A alone needs 6 s for what takes 6 here,
     * B 9 s for what takes 12. */
    assert_true(plan_efficiency(plan, &tasks, 0) == 8.0 / 12);
    assert_true(plan_efficiency(plan, &tasks, 1) == 0.25);
    assert_true(plan_sys_efficiency(plan, &tasks) == (8.0 / 12 + 0.5) / 3);
    assert_true(plan_dilation(plan, &tasks, 0) == 1);
    assert_true(plan_max_dilation(plan, &tasks) == 12.0 / 9);
    plan_free(plan);
}

/* What each way of spoiling the plan is called. */
static void spoil(struct plan *plan, int way)
{
    switch (way) {
    case 0:
        plan->pieces[0].rate = 11;
        break;
    case 1:
        plan->pieces[0].end = 5;
        break;
    case 2:
        plan->instances[0].start = 1;
        break;
    case 3:
        plan->pieces[2] = (struct plan_piece){5, 9, 5};
        break;
    case 4:
        plan->instances[2].start = 1;
        plan->pieces[3].end = 14;
        plan->period = 11;
        break;
    case 5:
        plan->apps[1].count = 0;
        break;
    case 6:
        plan->pieces[1].start = 13;
        break;
    case 7:
        plan->instances[1].start = 5;
        break;
    case 8:
        plan->instances[2].count = 3;
        break;
    case 9:
        plan->period = -1;
        break;
    default:
        plan->count = 1;
    }
}

static void every_violation_is_named_with_its_place(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "application 'A', instance 1: I/O at 4 s has 11 bytes/s, the application can take 10",
        "application 'A', instance 1: it moves 10 bytes, the application 20",
        "application 'A', instance 1: I/O at 4 s begins before its work ends at 5 s",
        "at 5 s of the period 15 bytes/s are planned, the file system has 10",
        "application 'A': its last I/O ends at 12 s, but its first work begins again at 11 s",
        "application 'B' has no instance",
        "application 'A', instance 2: I/O at 13 s ends at 12 s",
        "application 'A', instance 2: work at 5 s begins before the I/O of the one before ends at "
        "6 s",
        "application 'B', instance 1: its work has no start, or it has no I/O",
        "the period is -1 s, expected a positive number",
        "the plan is for 1 applications, the scenario has 2",
    };
    for (int way = 0; way < (int)(sizeof(expected) / sizeof(*expected)); way++) {
        struct err err = {0};
        struct plan *plan = make();
        spoil(plan, way);
        assert_int_equal(plan_validate(plan, &tasks, &err), -1);
        assert_string_equal(err.text, expected[way]);
        plan_free(plan);
    }
}

static void too_much_is_seen_on_any_time_scale(void **state)
{
    (void)state;
    /* The same with periods of 12 microseconds: lengths and volumes a millionth. */
    struct task small[] = {{"A", 1, 4e-6, 20e-6, 10, 2e-6, 0}, {"B", 2, 3e-6, 30e-6, 5, 6e-6, 0}};
    struct tasks smaller = {.list = small, .count = 2, .bandwidth = 10, .nodes = 3};
    struct err err = {0};
    struct plan *plan = make();
    plan->period *= 1e-6;
    for (size_t i = 0; i < plan->instance_count; i++)
        plan->instances[i].start *= 1e-6;
    for (size_t i = 0; i < plan->piece_count; i++) {
        plan->pieces[i].start *= 1e-6;
        plan->pieces[i].end *= 1e-6;
    }
    assert_int_equal(plan_validate(plan, &smaller, &err), 0);
    smaller.bandwidth = 9;
    assert_int_equal(plan_validate(plan, &smaller, &err), -1);
    assert_non_null(strstr(err.text, "the file system has 9"));
    plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_plan_is_valid_and_has_its_measures),
        cmocka_unit_test(every_violation_is_named_with_its_place),
        cmocka_unit_test(too_much_is_seen_on_any_time_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

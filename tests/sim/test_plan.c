/* Schedules worked out by hand for the strategies that follow a plan. */
#include "model/plan.h"
#include "sim/sim.h"
#include "support/small.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct small small;

/* Two applications on 10 bytes/s, every 5 s: the first works for 2 s and moves 20 bytes at 10, the
 * second works for 3 s and moves 10 bytes at 5.
 *
 *     0         2              4    5
 *     1 work    1 io@10        1 -
 *     2 io@5    2 work              */
static struct plan_piece pieces[] = {{2, 4, 10}, {0, 2, 5}};
static struct plan_instance instances[] = {{0, 0, 1}, {-3, 1, 1}};
static struct plan_app plan_apps[] = {{0, 1}, {1, 1}};
static const struct plan pattern = {.period = 5,
                                    .count = 2,
                                    .apps = plan_apps,
                                    .instances = instances,
                                    .pieces = pieces,
                                    .instance_count = 2,
                                    .piece_count = 2};

static void start(const char *first, const char *second)
{
    small_init(&small, 10);
    small_add(&small, 10, first);
    small_add(&small, 5, second);
}

static void expect(const char *policy, const struct plan *plan, const char *const *lanes)
{
    small_expect_plan(&small, policy, plan, lanes);
}
#define EXPECT(policy, ...) expect(policy, &pattern, (const char *const[]){__VA_ARGS__})

/* --- the pattern itself is sound -------------------------------------------------------------- */

static void the_pattern_of_these_tests_is_valid(void **state)
{
    (void)state;
    struct err err = {0};
    struct tasks tasks;
    start("w2 v20", "w3 v10");
    app_profile(&small.apps[0]);
    app_profile(&small.apps[1]);
    assert_int_equal(tasks_init(&tasks, &small.workload, &err), 0);
    if (plan_validate(&pattern, &tasks, &err) < 0)
        fail_msg("%s", err.text);
    tasks_fini(&tasks);
}

/* --- plan ------------------------------------------------------------------------------------- */

static void an_instance_is_a_deadline(void **state)
{
    (void)state;
    start("w2 v20 x3", "w3 v10 x3");
    /* The first posts at 2, as planned, and should end at 4. The second posts at 3, for its
     * instance at 5; its clock goes .3 of the way to that: 4.4, and it should end at 6.4. 3: slacks
     * of 0 and 1.4 s, of half an iteration each 0 and .56, less ln(2 / (5 * 10)) and ln(3 / (5 *
     * 10)): 3.22 and 3.37, the first goes on. 6: its next instance is at 7, and it is alone. 10:
     * deadlines of 13.19 and 11.28, and the second is nearly done: 4.51 and 2.23. */
    EXPECT("plan", "0 work 2 io@10 4 work 6 io@10 8 work 10 io@5 11 io@10 12.5",
           "0 work 3 wait 4 io@5 6 work 9 io@5 11 work 14 io@5 16");
}

static void who_is_late_does_not_wait_for_its_next_instance(void **state)
{
    (void)state;
    start("w2.5 v20", "w3 v10");
    /* 3: the first should end at 4.5, and has 15 bytes left: 0 - ln(2.5 / (5 * 15)) = 3.40, more
     * than the second's 3.37. */
    EXPECT("plan", "0 work 2.5 io@10 3 io@5 5 io@10 5.5", "0 work 3 io@5 5");
}

static void what_is_larger_than_planned_takes_what_is_left(void **state)
{
    (void)state;
    start("w2 v40", "w3 v10");
    EXPECT("plan", "0 work 2 io@10 3 io@5 5 io@10 7", "0 work 3 io@5 5");
}

static void until_all_are_there_none_waits_for_the_plan(void **state)
{
    (void)state;
    start("w2 v20", "w3 v10");
    small.apps[0].facts.release = 101;
    EXPECT("plan", "101 work 103 io@10 105", "0 work 3 io@5 5");
}

/* --- apio ------------------------------------------------------------------------------------- */

static void apio_moves_an_instance_forward_into_free_bandwidth(void **state)
{
    (void)state;
    start("w2 v20 x2", "w3 v10 x2");
    /* 3: the second was planned at 5; the first holds all until 4, and 10 bytes/s at 7, so [4, 6)
     * is free. 6: the first was planned at 7, and nobody else before 10. */
    EXPECT("apio", "0 work 2 io@10 4 work 6 io@10 8", "0 work 3 wait 4 io@5 6 work 9 io@5 11");
}

static void apio_keeps_what_is_planned_for_the_others(void **state)
{
    (void)state;
    start("w2 v20", "w1.5 v10");
    /* 1.5: the first is planned for [2, 4) with everything, so 2.5 bytes before it and 7.5 behind.
     */
    EXPECT("apio", "0 work 2 io@10 4", "0 work 1.5 io@5 2 wait 4 io@5 5.5");
}

static void apio_empties_an_instance_whose_date_has_passed(void **state)
{
    (void)state;
    start("w4 v20 w2 v20", "w3 v10 x2");
    /* 3: the first was planned at 2 and still works, so its [2, 4) is free. 4: it comes, and has 5
     * until 5, then 10 for 1.5 s. 8.5: again 5 until 10, then 10 for 1.25 s. */
    EXPECT("apio", "0 work 4 io@5 5 io@10 6.5 work 8.5 io@5 10 io@10 11.25",
           "0 work 3 io@5 5 work 8 io@5 10");
}

static void an_application_with_hardly_any_bandwidth_of_its_own_gets_it(void **state)
{
    (void)state;
    small_init(&small, 1e10);
    small_add(&small, 1e10, "w2 v2e10");
    small_add(&small, 5, "w3 v10");
    /* The first takes everything until 4. */
    EXPECT("apio", "0 work 2 io@1e+10 4", "0 work 3 wait 4 io@5 6");
}

static void with_a_barrier_the_next_period_waits_for_everybody(void **state)
{
    (void)state;
    start("w2 v20 x2", "w5 v10 x2");
    /* Each has one instance per period. At 6 the first has had its own; at 7 the second, and the
     * period begins anew: in it, the second is planned for [7, 9) at 5. */
    EXPECT("apio:barrier", "0 work 2 io@10 4 work 6 wait 7 io@5 9 io@10 10",
           "0 work 5 io@5 7 work 12 io@5 14");
    EXPECT("apio", "0 work 2 io@10 4 work 6 io@5 7 io@10 8.5", "0 work 5 io@5 7 work 12 io@5 14");
}

static void with_a_barrier_nobody_waits_for_who_has_left(void **state)
{
    (void)state;
    start("w2 v20 x3", "w3 v10");
    /* The second ends at 6 and leaves: the first is alone, and its periods are its own. */
    EXPECT("apio:barrier", "0 work 2 io@10 4 work 6 io@10 8 work 10 io@10 12",
           "0 work 3 wait 4 io@5 6");
}

/* --- bad input
 * ------------------------------------------------------------------------------------ */

static void expect_refusal(const struct plan *plan, const char *says)
{
    struct err err = {0};
    struct policy *policy = policy_open("plan", &err);
    assert_non_null(policy);
    assert_null(sim_run(&small.workload, policy, &(struct sim_options){.plan = plan}, &err));
    if (!strstr(err.text, says))
        fail_msg("%s", err.text);
    policy_free(policy);
}

static void a_plan_that_does_not_fit_is_an_error(void **state)
{
    (void)state;
    struct plan_app none[] = {{0, 1}, {1, 0}};
    struct plan plan = pattern;
    start("w2 v20", "w3 v10");
    assert_int_equal(workload_set_window(&small.workload, small.workload.window, NULL), 0);
    expect_refusal(NULL, "follows a plan, and was given none");
    plan.count = 1;
    expect_refusal(&plan, "the plan is for 1 applications, there are 2");
    plan.count = 2;
    plan.apps = none;
    expect_refusal(&plan, "the plan has no instance of application 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pattern_of_these_tests_is_valid),
        cmocka_unit_test(an_instance_is_a_deadline),
        cmocka_unit_test(who_is_late_does_not_wait_for_its_next_instance),
        cmocka_unit_test(what_is_larger_than_planned_takes_what_is_left),
        cmocka_unit_test(until_all_are_there_none_waits_for_the_plan),
        cmocka_unit_test(apio_moves_an_instance_forward_into_free_bandwidth),
        cmocka_unit_test(apio_keeps_what_is_planned_for_the_others),
        cmocka_unit_test(apio_empties_an_instance_whose_date_has_passed),
        cmocka_unit_test(an_application_with_hardly_any_bandwidth_of_its_own_gets_it),
        cmocka_unit_test(with_a_barrier_the_next_period_waits_for_everybody),
        cmocka_unit_test(with_a_barrier_nobody_waits_for_who_has_left),
        cmocka_unit_test(a_plan_that_does_not_fit_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* How prediction and reality are compared. */
#include "replay/agree.h"
#include "support/small.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct small small;

static void an_error_is_a_share_of_the_predicted_time(void **state)
{
    (void)state;
    struct app_outcome predicted_apps[] = {{.completion = 10}, {.completion = 14}};
    struct app_outcome measured_apps[] = {{.completion = 10.5}, {.completion = 13.9}};
    const struct outcome predicted = {.count = 2, .apps = predicted_apps};
    const struct outcome measured = {.count = 2, .apps = measured_apps};
    small_init(&small, 10);
    small_add(&small, 10, "w1 v90");
    small_add(&small, 10, "w1 v90")->facts.release = 4;
    /* 0.5 of 10 s, and 0.1 of the 10 s since its release. */
    expect_near(agree_error(&small.workload, &predicted, &measured, 0), 0.05, 1e-12);
    expect_near(agree_error(&small.workload, &predicted, &measured, 1), 0.01, 1e-12);
    expect_near(agree_mean(&small.workload, &predicted, &measured), 0.03, 1e-12);
}

static struct agree_moves sensitivity(const char *name)
{
    struct err err = {0};
    struct policy *policy = policy_open(name, &err);
    struct agree_moves moves = {NAN, NAN};
    assert_non_null(policy);
    if (agree_sensitivity(&small.workload, policy, &(struct sim_options){0}, &moves, &err))
        fail_msg("%s", err.text);
    policy_free(policy);
    return moves;
}

static void a_run_that_ties_decide_is_chaotic(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "w1 v10 w1");
    small_add(&small, 10, "w1 v30 w1");
    /* Who posts first is served first: the first ends at 3 or at 6, the second at 6 or 5. */
    struct agree_moves moves = sensitivity("fcfs");
    assert_true(moves.freely > AGREE_MOVES && moves.in_order < 0.001);
    assert_true(agree_by_order(&moves));
    /* Shared alike, a millisecond stays a millisecond. */
    moves = sensitivity("fair-share");
    assert_true(moves.freely < AGREE_MOVES);
    assert_false(agree_by_order(&moves));
}

static void an_order_that_decides_nothing_is_no_judge(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "w1 v10 w2 v10");
    small_add(&small, 10, "w1.5 v20 w1 v20");
    small_add(&small, 10, "w2 v10 w2 v10");
    /* Yields decide, and they are alike. */
    struct agree_moves moves = sensitivity("greedy-yield");
    assert_true(moves.freely > AGREE_MOVES && moves.in_order > AGREE_MOVES);
    assert_false(agree_by_order(&moves));
}

static void a_run_without_ties_can_be_predicted(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "w1 v10 w1");
    small_add(&small, 10, "w1.5 v30 w1");
    assert_true(sensitivity("fcfs").freely < 0.001);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_is_a_share_of_the_predicted_time),
        cmocka_unit_test(a_run_that_ties_decide_is_chaotic),
        cmocka_unit_test(an_order_that_decides_nothing_is_no_judge),
        cmocka_unit_test(a_run_without_ties_can_be_predicted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "base/mem.h"
#include "common.h"
#include "support/small.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* --- in and out ------------------------------------------------------------------------------- */

static void an_application_is_joined_served_and_left(void **state)
{
    (void)state;
    struct policy *policy = open_policy("fcfs");
    struct control *control = start_control(policy);
    const struct weir_view *view = control_view(control, 0);
    assert_int_equal(view->count, 3);
    assert_int_equal(view->runs[0].state, WEIR_ABSENT);
    assert_true(control_next(control) == INFINITY);

    control_join(control, 0, 0, &control_apps[0], 0);
    control_decide(control, 0);
    assert_int_equal(view->runs[0].state, WEIR_WORKING);
    assert_int_equal(control_decisions(control), 0); /* nobody is active: nothing to decide */

    control_post(control, 3, 0, (struct control_io){20, 3, 3, false});
    control_decide(control, 3);
    assert_int_equal(view->runs[0].state, WEIR_ACTIVE);
    assert_int_equal(view->active_count, 1);
    assert_true(view->active_bmax == 10);
    assert_true(control_rate(control, 0) == 10);
    assert_true(control_next(control) == 5); /* 20 bytes at 10 bytes/s */
    assert_int_equal(control_due(control, 4.9), CONTROL_NONE);
    assert_int_equal(control_due(control, 5), 0);

    control_complete(control, 5, 0);
    control_decide(control, 5);
    assert_int_equal(view->runs[0].state, WEIR_WORKING);
    assert_true(control_rate(control, 0) == 0);
    assert_true(view->runs[0].done_work == 3 && view->runs[0].done_ideal == 5);
    assert_int_equal(view->runs[0].finished, 1);
    assert_true(weir_yield(control_view(control, 7), &view->runs[0]) == 1);
    assert_true(control_next(control) == INFINITY);

    control_iterate(control, 0, 2);
    assert_true(view->runs[0].done_work == 5 && view->runs[0].done_ideal == 7);
    assert_int_equal(view->runs[0].finished, 2);
    control_leave(control, 7, 0);
    assert_int_equal(view->runs[0].state, WEIR_ABSENT);
    assert_int_equal(control_decisions(control), 1);
    control_free(control);
    policy_free(policy);
}

static void progress_and_loss_follow_the_rates(void **state)
{
    (void)state;
    struct policy *policy = open_policy("fcfs");
    struct control *control = start_control(policy);
    /* The first is fresh; the second is 10 s old and has lost 4 of them. */
    control_join(control, 0, 0, &control_apps[0], 0);
    control_join(control, 0, 1, &control_apps[1], 4);
    post_io(control, 0, 1, 20);
    post_io(control, 0, 0, 20);
    control_decide(control, 0);
    const struct weir_view *view = control_view(control, 2);
    /* Both posted at once: the first is served alone, all 20 bytes by 2. */
    expect_near(weir_remaining(view, &view->runs[0]), 0, 1e-12);
    expect_near(weir_yield(view, &view->runs[0]), 1, 0);
    expect_near(weir_remaining(view, &view->runs[1]), 20, 0);
    expect_near(weir_lost(view, &view->runs[1]), 6, 0);
    expect_near(weir_progress(view, &view->runs[1]), 6, 0); /* of 12 s */
    expect_near(weir_yield(view, &view->runs[1]), 0.5, 0);
    control_complete(control, 2, 0);
    control_decide(control, 2);
    assert_true(control_rate(control, 1) == 5);
    assert_true(control_next(control) == 6);
    view = control_view(control, 4);
    expect_near(weir_remaining(view, &view->runs[1]), 10, 1e-15);
    expect_near(weir_lost(view, &view->runs[1]), 6, 0);
    control_free(control);
    policy_free(policy);
}

/* Two applications that each could use all of the bandwidth, and have just asked for it. */
static struct control *start_crowded(const struct policy *policy)
{
    struct control *control = start_control(policy);
    for (uint32_t id = 0; id < 3; id += 2) {
        control_join(control, 0, id, &control_apps[id], 0);
        post_io(control, 0, id, 100);
    }
    control_decide(control, 0);
    return control;
}

static void an_application_that_leaves_in_its_io_frees_its_bandwidth(void **state)
{
    (void)state;
    for (int i = 0; policy_all[i]; i++) {
        struct policy *policy = open_policy(policy_all[i]);
        struct control *control = start_crowded(policy);
        control_leave(control, 1, 0);
        control_decide(control, 1);
        /* Only the exclusive strategies may have given the other nothing before. */
        if (control_rate(control, 2) != 10)
            fail_msg("%s: the other gets %g", policy->name, control_rate(control, 2));
        /* And it may come back, and leave before any decision. */
        control_join(control, 2, 0, &control_apps[0], 2);
        post_io(control, 2, 0, 5);
        control_leave(control, 2, 0);
        control_decide(control, 2);
        assert_true(control_rate(control, 2) == 10);
        assert_true(control_rate(control, 0) == 0);
        control_free(control);
        policy_free(policy);
    }
}

static void a_completion_that_is_announced_early_is_believed(void **state)
{
    (void)state;
    for (int i = 0; policy_all[i]; i++) {
        struct policy *policy = open_policy(policy_all[i]);
        struct control *control = start_crowded(policy);
        control_complete(control, 1, 0);
        control_complete(control, 1, 2); /* somebody who maybe was never served */
        control_decide(control, 1);
        assert_int_equal(control_view(control, 1)->active_count, 0);
        assert_true(control_view(control, 1)->active_bmax == 0);
        post_io(control, 2, 2, 100);
        control_decide(control, 2);
        if (strncmp(policy->name, "periodic:", 9) != 0)
            assert_true(control_rate(control, 2) == 10);
        control_free(control);
        policy_free(policy);
    }
}

static void an_application_may_come_and_go_many_times_in_one_instant(void **state)
{
    (void)state;
    for (int i = 0; policy_all[i]; i++) {
        struct policy *policy = open_policy(policy_all[i]);
        struct control *control = start_control(policy);
        for (int times = 0; times < 100; times++) {
            control_join(control, 1, 0, &control_apps[0], 0);
            post_io(control, 1, 0, 100);
            if (times % 2)
                control_complete(control, 1, 0);
            control_leave(control, 1, 0);
        }
        control_decide(control, 1);
        assert_int_equal(control_view(control, 1)->active_count, 0);
        assert_true(control_next(control) == INFINITY);
        control_free(control);
        policy_free(policy);
    }
}

static void a_timer_is_asked_for_and_rings_once(void **state)
{
    (void)state;
    struct policy *policy = open_policy("periodic-greedy-yield:delta=0.5");
    struct control *control = start_control(policy);
    control_join(control, 0, 0, &control_apps[0], 0);
    control_join(control, 0, 2, &control_apps[2], 0);
    post_io(control, 3, 0, 100);
    control_decide(control, 3);
    assert_true(control_next(control) == 13); /* alone, it needs no timer */
    post_io(control, 4, 2, 100);
    control_decide(control, 4);
    assert_true(control_next(control) == 4.5);
    assert_false(control_woken(control, 4.25));
    assert_true(control_woken(control, 4.5));
    control_decide(control, 4.5);
    assert_false(control_woken(control, 4.5));
    assert_true(control_next(control) == 5);
    control_free(control);
    policy_free(policy);
}

static void an_io_that_was_posted_earlier_goes_first_though_it_is_told_later(void **state)
{
    (void)state;
    static const char *const names[] = {"fcfs", "set-10"};
    for (int i = 0; i < 2; i++) {
        struct policy *policy = open_policy(names[i]);
        struct control *control = start_control(policy);
        for (uint32_t id = 0; id < 3; id++)
            control_join(control, 2, id, &control_apps[id], 0);
        post_io(control, 2, 0, 100);
        control_decide(control, 2);
        assert_true(control_rate(control, 0) == 10);
        control_post(control, 3, 2, (struct control_io){100, 0, 0, false});
        control_post(control, 3, 1, (struct control_io){100, 0, 1, false});
        control_decide(control, 3);
        /* In the order 2, 1, 0, of which the first takes all. */
        assert_true(control_rate(control, 2) == 10);
        assert_true(control_rate(control, 1) == 0 && control_rate(control, 0) == 0);
        control_complete(control, 13, 2);
        control_decide(control, 13);
        assert_true(control_rate(control, 1) == 5 && control_rate(control, 0) == 5);
        control_free(control);
        policy_free(policy);
    }
}

static void a_round_does_not_wait_for_one_that_left_without_an_io(void **state)
{
    (void)state;
    struct policy *policy = open_policy("periodic:order=fifo");
    struct control *control = start_control(policy);
    control_join(control, 0, 0, &control_apps[0], 0);
    control_join(control, 0, 2, &control_apps[2], 0);
    post_io(control, 0, 0, 10);
    control_decide(control, 0);
    control_complete(control, 1, 0);
    post_io(control, 1, 0, 10);
    control_decide(control, 1);
    assert_true(control_rate(control, 0) == 0); /* the other has to be served first */
    control_leave(control, 2, 2);
    control_decide(control, 2);
    assert_true(control_rate(control, 0) == 10);
    control_free(control);
    policy_free(policy);
}

/* --- slivers ---------------------------------------------------------------------------------- */

/* 10 bytes at 10 bytes/s from `now` on, under own and under shared grants: at most 1e-9 of them may
 * be left, or what takes `rounding` seconds. */
static void expect_due(double now, double rounding)
{
    static const char *const policies[] = {"fcfs", "fair-share"};
    for (int i = 0; i < 2; i++) {
        struct policy *policy = open_policy(policies[i]);
        struct control *control = start_control(policy);
        control_join(control, 0, 0, &control_apps[0], 0);
        post_io(control, now, 0, 10);
        control_decide(control, now);
        double most = fmax(1e-9, rounding);
        assert_int_equal(control_due(control, now), CONTROL_NONE);
        assert_int_equal(control_due(control, now + 1 - 4 * most), CONTROL_NONE);
        assert_int_equal(control_due(control, now + 1 - 0.5 * most), 0);
        assert_true(control_next(control) == now + 1);
        control_free(control);
        policy_free(policy);
    }
}

static void an_io_is_done_when_a_billionth_of_it_is_left(void **state)
{
    (void)state;
    expect_due(0, 0);
    expect_due(1000, 0);
}

/* At 2^28 s, eight years and a half, times are 2^-24 s apart. */
static void an_io_is_done_when_times_cannot_tell(void **state)
{
    (void)state;
    expect_due(0x1p28, 0x1p-22);
}

/* --- what a strategy is told ------------------------------------------------------------------ */

static double lost_at_the_end;

static void share_a_half(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    (void)self;
    for (uint32_t i = 0; i < view->active_count; i++)
        weir_share(grants, view->active[i], 5);
    grants->scale = 1;
}

static void note_lost(void *self, const struct weir_view *view, uint32_t app)
{
    (void)self;
    lost_at_the_end = weir_lost(view, &view->runs[app]);
}

static void a_strategy_that_shares_sees_what_was_lost_when_an_io_completes(void **state)
{
    (void)state;
    static const struct weir_policy_ops ops = {.abi = WEIR_POLICY_ABI,
                                               .flags = WEIR_SHARES,
                                               .name = "half",
                                               .completed = note_lost,
                                               .decide = share_a_half};
    struct control *control = start_control(&(struct policy){.ops = &ops});
    control_join(control, 0, 0, &control_apps[0], 0);
    post_io(control, 1, 0, 100);
    control_decide(control, 1);
    /* 100 bytes at 5 bytes/s take 20 s, at bmax 10. */
    control_complete(control, 21, 0);
    expect_near(lost_at_the_end, 10, 1e-12);
    control_free(control);
}

/* --- memory ----------------------------------------------------------------------------------- */

static void what_has_happened_can_be_seen_after_the_end(void **state)
{
    (void)state;
    static const char *const policies[] = {"fcfs", "fair-share"}; /* own and shared grants */
    for (int i = 0; i < 2; i++) {
        struct policy *policy = open_policy(policies[i]);
        struct control *control = start_control(policy);
        control_join(control, 0, 0, &control_apps[0], 0);
        control_join(control, 0, 1, &control_apps[1], 0);
        post_io(control, 2, 0, 100);
        control_decide(control, 2);
        control_leave(control, 4, 1);
        control_stop(control);
        const struct weir_view *view = control_view(control, 6);
        assert_int_equal(view->active_count, 0);
        assert_true(weir_remaining(view, &view->runs[0]) == 60); /* 4 s at 10 */
        assert_true(view->runs[1].state == WEIR_ABSENT && view->runs[1].since == 4);
        assert_int_equal(control_decisions(control), 1);
        control_free(control);
        policy_free(policy);
    }
}

static void a_controller_of_nobody_has_nothing_to_do(void **state)
{
    (void)state;
    for (size_t p = 0; policy_all[p]; p++) {
        struct err err = {0};
        struct weir_setup setup = {.bandwidth = 10, .horizon = INFINITY};
        struct policy *policy = open_policy(policy_all[p]);
        struct control *control = control_new(policy, &setup, &err);
        assert_non_null(control);
        control_decide(control, 1);
        assert_true(control_next(control) == INFINITY);
        assert_int_equal(control_due(control, 2), CONTROL_NONE);
        control_free(control);
        policy_free(policy);
    }
}

/* A strategy of each kind: incremental, sharing, and one that grants anew each time. */
static void fail_to_start(const char *name)
{
    struct policy *policy = open_policy(name);
    long n = 0;
    for (struct control *control = NULL; !control; n++) {
        struct err err = {0};
        mem_fail_after(n);
        control = control_new(policy, &control_setup, &err);
        mem_fail_after(-1);
        if (!control)
            assert_non_null(strstr(err.text, "out of memory"));
        control_free(control);
    }
    assert_true(n > 5);
    control_free(NULL);
    policy_free(policy);
}

static void a_failing_allocation_is_an_error(void **state)
{
    (void)state;
    fail_to_start("set-10");
    fail_to_start("fair-share");
    fail_to_start("greedy-yield");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_application_is_joined_served_and_left),
        cmocka_unit_test(progress_and_loss_follow_the_rates),
        cmocka_unit_test(an_application_that_leaves_in_its_io_frees_its_bandwidth),
        cmocka_unit_test(a_completion_that_is_announced_early_is_believed),
        cmocka_unit_test(an_application_may_come_and_go_many_times_in_one_instant),
        cmocka_unit_test(a_timer_is_asked_for_and_rings_once),
        cmocka_unit_test(an_io_that_was_posted_earlier_goes_first_though_it_is_told_later),
        cmocka_unit_test(a_round_does_not_wait_for_one_that_left_without_an_io),
        cmocka_unit_test(an_io_is_done_when_a_billionth_of_it_is_left),
        cmocka_unit_test(an_io_is_done_when_times_cannot_tell),
        cmocka_unit_test(a_strategy_that_shares_sees_what_was_lost_when_an_io_completes),
        cmocka_unit_test(what_has_happened_can_be_seen_after_the_end),
        cmocka_unit_test(a_controller_of_nobody_has_nothing_to_do),
        cmocka_unit_test(a_failing_allocation_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "base/mem.h"
#include "control/control.h"
#include "support/small.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Three applications on a file system of 10 bytes/s. */
static const struct weir_app apps[] = {
    {.nodes = 1, .bmax = 10, .weight = 1},
    {.nodes = 1, .bmax = 5, .weight = 1, .release = -10},
    {.nodes = 1, .bmax = 10, .weight = 1, .release = 2},
};
static const struct weir_setup setup = {.bandwidth = 10, .horizon = INFINITY, .capacity = 3};

static struct control *start(const struct policy *policy)
{
    struct err err;
    struct control *control = control_new(policy, &setup, &err);
    assert_non_null(control);
    return control;
}

static struct policy *open_well(const char *name)
{
    struct err err;
    struct policy *policy = policy_open(name, &err);
    assert_non_null(policy);
    return policy;
}

static void post(struct control *control, double now, uint32_t id, double volume)
{
    control_post(control, now, id, (struct control_io){volume, 0, now});
}

/* --- in and out ------------------------------------------------------------------------------- */

static void an_application_is_joined_served_and_left(void **state)
{
    (void)state;
    struct policy *policy = open_well("fcfs");
    struct control *control = start(policy);
    const struct weir_view *view = control_view(control, 0);
    assert_int_equal(view->count, 3);
    assert_int_equal(view->runs[0].state, WEIR_ABSENT);
    assert_true(control_next(control) == INFINITY);

    control_join(control, 0, 0, &apps[0], 0);
    control_decide(control, 0);
    assert_int_equal(view->runs[0].state, WEIR_WORKING);
    assert_int_equal(control_decisions(control), 0); /* nobody is active: nothing to decide */

    control_post(control, 3, 0, (struct control_io){20, 3, 3});
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
    struct policy *policy = open_well("fcfs");
    struct control *control = start(policy);
    /* The first is fresh; the second is 10 s old and has lost 4 of them. */
    control_join(control, 0, 0, &apps[0], 0);
    control_join(control, 0, 1, &apps[1], 4);
    post(control, 0, 1, 20);
    post(control, 0, 0, 20);
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

static void an_application_that_leaves_in_its_io_frees_its_bandwidth(void **state)
{
    (void)state;
    for (int i = 0; policy_all[i]; i++) {
        struct policy *policy = open_well(policy_all[i]);
        struct control *control = start(policy);
        control_join(control, 0, 0, &apps[0], 0);
        control_join(control, 0, 2, &apps[2], 0);
        post(control, 0, 0, 100);
        post(control, 0, 2, 100);
        control_decide(control, 0);
        control_leave(control, 1, 0);
        control_decide(control, 1);
        /* Only the exclusive strategies may have given the other nothing before. */
        if (control_rate(control, 2) != 10)
            fail_msg("%s: the other gets %g", policy->name, control_rate(control, 2));
        /* And it may come back, and leave before any decision. */
        control_join(control, 2, 0, &apps[0], 2);
        post(control, 2, 0, 5);
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
        struct policy *policy = open_well(policy_all[i]);
        struct control *control = start(policy);
        control_join(control, 0, 0, &apps[0], 0);
        control_join(control, 0, 2, &apps[2], 0);
        post(control, 0, 0, 100);
        post(control, 0, 2, 100);
        control_decide(control, 0);
        control_complete(control, 1, 0);
        control_complete(control, 1, 2); /* somebody who maybe was never served */
        control_decide(control, 1);
        assert_int_equal(control_view(control, 1)->active_count, 0);
        assert_true(control_view(control, 1)->active_bmax == 0);
        post(control, 2, 2, 100);
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
        struct policy *policy = open_well(policy_all[i]);
        struct control *control = start(policy);
        for (int times = 0; times < 100; times++) {
            control_join(control, 1, 0, &apps[0], 0);
            post(control, 1, 0, 100);
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
    struct policy *policy = open_well("periodic-greedy-yield:delta=0.5");
    struct control *control = start(policy);
    control_join(control, 0, 0, &apps[0], 0);
    control_join(control, 0, 2, &apps[2], 0);
    post(control, 3, 0, 100);
    control_decide(control, 3);
    assert_true(control_next(control) == 13); /* alone, it needs no timer */
    post(control, 4, 2, 100);
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
        struct policy *policy = open_well(names[i]);
        struct control *control = start(policy);
        for (uint32_t id = 0; id < 3; id++)
            control_join(control, 2, id, &apps[id], 0);
        post(control, 2, 0, 100);
        control_decide(control, 2);
        assert_true(control_rate(control, 0) == 10);
        control_post(control, 3, 2, (struct control_io){100, 0, 0});
        control_post(control, 3, 1, (struct control_io){100, 0, 1});
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
    struct policy *policy = open_well("periodic:order=fifo");
    struct control *control = start(policy);
    control_join(control, 0, 0, &apps[0], 0);
    control_join(control, 0, 2, &apps[2], 0);
    post(control, 0, 0, 10);
    control_decide(control, 0);
    control_complete(control, 1, 0);
    post(control, 1, 0, 10);
    control_decide(control, 1);
    assert_true(control_rate(control, 0) == 0); /* the other has to be served first */
    control_leave(control, 2, 2);
    control_decide(control, 2);
    assert_true(control_rate(control, 0) == 10);
    control_free(control);
    policy_free(policy);
}

/* --- slivers ---------------------------------------------------------------------------------- */

static void less_than_a_nanosecond_of_io_counts_as_done(void **state)
{
    (void)state;
    struct policy *policy = open_well("fair-share");
    struct control *control = start(policy);
    control_join(control, 0, 0, &apps[0], 0);
    post(control, 0, 0, 10);
    control_decide(control, 0);
    /* At bmax it would take the rest of the second. */
    assert_int_equal(control_due(control, 1 - 2e-9), CONTROL_NONE);
    assert_int_equal(control_due(control, 1 - 0.5e-9), 0);
    control_free(control);
    policy_free(policy);
    /* Later it is a part of the time that has passed: 1e-9 * 1000 s. */
    policy = open_well("fcfs");
    control = start(policy);
    control_join(control, 0, 0, &apps[0], 0);
    post(control, 1000, 0, 10);
    control_decide(control, 1000);
    assert_int_equal(control_due(control, 1001 - 2e-6), CONTROL_NONE);
    assert_int_equal(control_due(control, 1001 - 0.5e-6), 0);
    control_free(control);
    policy_free(policy);
}

/* --- strategies that misbehave ---------------------------------------------------------------- */

/* What the bad strategy answers. */
static struct weir_grant answers[8];
static uint32_t answer_count;
static double answer_wake, answer_scale;

static void answer(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    (void)self;
    (void)view;
    for (uint32_t i = 0; i < answer_count; i++) {
        if (answers[i].shared)
            weir_share(grants, answers[i].app, answers[i].rate);
        else
            weir_grant(grants, answers[i].app, answers[i].rate);
    }
    grants->wake = answer_wake;
    grants->scale = answer_scale;
}

static const struct weir_policy_ops bad_ops = {
    .abi = WEIR_POLICY_ABI, .name = "bad", .decide = answer};
static struct policy bad = {.ops = &bad_ops};

/* Two active applications, and this answer to the first decision. */
static struct control *ask(uint32_t count, const struct weir_grant *list)
{
    struct control *control = start(&bad);
    control_join(control, 0, 0, &apps[0], 0);
    control_join(control, 0, 1, &apps[1], 0);
    post(control, 1, 0, 100);
    post(control, 1, 1, 100);
    memcpy(answers, list, count * sizeof(*list));
    answer_count = count;
    answer_wake = INFINITY;
    answer_scale = 1;
    control_decide(control, 1);
    return control;
}

static void grants_to_nobody_are_ignored(void **state)
{
    (void)state;
    /* 2 is absent, the others do not exist. */
    struct control *control =
        ask(4, (struct weir_grant[]){{4, 2, 0}, {4, 3, 0}, {4, UINT32_MAX, 0}, {4, 1, 0}});
    assert_true(control_rate(control, 0) == 0);
    assert_true(control_rate(control, 2) == 0);
    assert_int_equal(control_view(control, 1)->runs[2].state, WEIR_ABSENT);
    /* 4 grants were more than there is room for: the list holds one per application. */
    assert_true(control_rate(control, 1) == 0);
    control_decide(control, 2);
    control_join(control, 3, 2, &apps[2], 0);
    post(control, 3, 2, 10);
    assert_true(control_rate(control, 2) == 0);
    control_free(control);
}

static void rates_that_are_no_numbers_are_nothing(void **state)
{
    (void)state;
    static const double rates[] = {NAN, INFINITY, -INFINITY, -1, -0.0};
    for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++)
        for (uint32_t shared = 0; shared < 2; shared++) {
            struct control *control =
                ask(2, (struct weir_grant[]){{rates[i], 0, shared}, {5, 1, 0}});
            assert_true(control_rate(control, 0) == 0);
            assert_true(control_next(control) == 21); /* of the other: 100 / 5 */
            const struct weir_view *view = control_view(control, 11);
            expect_near(weir_remaining(view, &view->runs[0]), 100, 0);
            expect_near(weir_lost(view, &view->runs[0]), 10, 0);
            control_free(control);
        }
}

static void a_scale_that_is_no_number_is_nothing(void **state)
{
    (void)state;
    static const double scales[] = {NAN, INFINITY, -INFINITY, -1};
    for (size_t i = 0; i < sizeof(scales) / sizeof(*scales); i++) {
        struct control *control = ask(2, (struct weir_grant[]){{10, 0, 1}, {5, 1, 0}});
        assert_true(control_next(control) == 11);
        answer_scale = scales[i];
        control_decide(control, 2);
        assert_true(control_rate(control, 0) == 0);
        assert_true(control_next(control) == 21);
        answer_scale = 0.5;
        control_decide(control, 4);
        assert_true(control_rate(control, 0) == 5);
        expect_near(control_next(control), 21, 1e-12);
        const struct weir_view *view = control_view(control, 6);
        expect_near(weir_remaining(view, &view->runs[0]), 80, 1e-12); /* 1 s at 10, 2 s at 5 */
        control_free(control);
    }
}

static void a_timer_in_the_past_never_rings(void **state)
{
    (void)state;
    static const double dates[] = {-1, 0, 2, NAN, -INFINITY};
    for (size_t i = 0; i < sizeof(dates) / sizeof(*dates); i++) {
        struct control *control = ask(1, (struct weir_grant[]){{10, 0, 0}});
        answer_wake = dates[i];
        control_decide(control, 2);
        assert_false(control_woken(control, 2));
        assert_true(control_next(control) == 11);
        control_free(control);
    }
}

static void an_application_that_is_named_twice_gets_the_last_word(void **state)
{
    (void)state;
    struct control *control = ask(3, (struct weir_grant[]){{10, 0, 0}, {4, 0, 1}, {3, 0, 0}});
    assert_true(control_rate(control, 0) == 3);
    expect_near(control_next(control), 1 + 100 / 3.0, 1e-12);
    answer_count = 0;
    control_decide(control, 2);
    assert_true(control_rate(control, 0) == 0); /* not named: it loses what it had */
    assert_true(control_next(control) == INFINITY);
    control_free(control);
}

static void a_sliver_is_done_even_if_its_bandwidth_is_taken_away(void **state)
{
    (void)state;
    /* 100 bytes at 10 bytes/s from 1 on: 5 ns before 11 less than 1e-9 * 11 s are left. */
    struct control *control = ask(1, (struct weir_grant[]){{10, 0, 0}});
    double now = 11 - 5e-9;
    answer_count = 0;
    control_decide(control, now);
    assert_true(control_rate(control, 0) == 0);
    assert_true(control_next(control) == now);
    assert_int_equal(control_due(control, now), 0);
    control_free(control);
}

/* --- memory ----------------------------------------------------------------------------------- */

static void a_failing_allocation_is_an_error(void **state)
{
    (void)state;
    struct policy *policy = open_well("set-10");
    long n = 0;
    for (struct control *control = NULL; !control; n++) {
        struct err err = {""};
        mem_fail_after(n);
        control = control_new(policy, &setup, &err);
        mem_fail_after(-1);
        if (!control)
            assert_non_null(strstr(err.text, "out of memory"));
        control_free(control);
    }
    assert_true(n > 5);
    control_free(NULL);
    policy_free(policy);
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
        cmocka_unit_test(less_than_a_nanosecond_of_io_counts_as_done),
        cmocka_unit_test(grants_to_nobody_are_ignored),
        cmocka_unit_test(rates_that_are_no_numbers_are_nothing),
        cmocka_unit_test(a_scale_that_is_no_number_is_nothing),
        cmocka_unit_test(a_timer_in_the_past_never_rings),
        cmocka_unit_test(an_application_that_is_named_twice_gets_the_last_word),
        cmocka_unit_test(a_sliver_is_done_even_if_its_bandwidth_is_taken_away),
        cmocka_unit_test(a_failing_allocation_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Strategies that answer nonsense: the controller survives it. */
#include "common.h"
#include "control/check.h"
#include "support/small.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

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
    .abi = WEIR_POLICY_ABI, .flags = WEIR_SHARES, .name = "bad", .decide = answer};
static const struct weir_policy_ops undeclared_ops = {
    .abi = WEIR_POLICY_ABI, .name = "undeclared", .decide = answer};

/* Two active applications, and this answer to the first decision. */
static struct control *ask_one(const struct weir_policy_ops *ops, uint32_t count,
                               const struct weir_grant *list)
{
    struct control *control = start_control(&(struct policy){.ops = ops});
    control_join(control, 0, 0, &control_apps[0], 0);
    control_join(control, 0, 1, &control_apps[1], 0);
    post_io(control, 1, 0, 100);
    post_io(control, 1, 1, 100);
    memcpy(answers, list, count * sizeof(*list));
    answer_count = count;
    answer_wake = INFINITY;
    answer_scale = 1;
    control_decide(control, 1);
    return control;
}

static struct control *ask(uint32_t count, const struct weir_grant *list)
{
    return ask_one(&bad_ops, count, list);
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
    control_join(control, 3, 2, &control_apps[2], 0);
    post_io(control, 3, 2, 10);
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

static void a_shared_grant_of_a_strategy_that_does_not_share_is_nothing(void **state)
{
    (void)state;
    struct control *control =
        ask_one(&undeclared_ops, 2, (struct weir_grant[]){{10, 0, 1}, {5, 1, 0}});
    assert_true(control_rate(control, 0) == 0 && control_rate(control, 1) == 5);
    assert_true(control_next(control) == 21);
    assert_int_equal(control_due(control, 21), 1);
    control_free(control);
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
    static const double times[] = {-1, 0, 2, NAN, -INFINITY};
    for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
        struct control *control = ask(1, (struct weir_grant[]){{10, 0, 0}});
        answer_wake = times[i];
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
    /* 100 bytes at 10 bytes/s from 1 on: 5 ns before 11 less than 1e-9 of them is left. */
    struct control *control = ask(1, (struct weir_grant[]){{10, 0, 0}});
    double now = 11 - 5e-9;
    answer_count = 0;
    control_decide(control, now);
    assert_true(control_rate(control, 0) == 0);
    assert_true(control_next(control) == now);
    assert_int_equal(control_due(control, now), 0);
    control_free(control);
}

/* What the checker says of an answer to the first decision. */
static void expect_fault(const struct weir_policy_ops *ops, uint32_t count,
                         const struct weir_grant *list, const char *says)
{
    const struct policy policy = {.ops = ops};
    struct control *control = ask_one(ops, count, list);
    struct err err = {0};
    uint32_t app;
    int status = check_rules(control, &policy, 1, &app, &err);
    if (status != (says ? -1 : 0) || (says && !strstr(err.text, says)))
        fail_msg("'%s', expected '%s'", err.text, says ? says : "nothing");
    /* Only what is about one application names it: the first of the list. */
    if (status != 0)
        assert_true(app == CONTROL_NONE || app == list[0].app);
    control_free(control);
}
#define FAULT(ops, says, ...)                                                                      \
    expect_fault(&(ops), sizeof((struct weir_grant[]){__VA_ARGS__}) / sizeof(struct weir_grant),   \
                 (struct weir_grant[]){__VA_ARGS__}, says)

static void the_checker_finds_every_broken_rule(void **state)
{
    (void)state;
    static const struct weir_policy_ops diligent_ops = {.abi = WEIR_POLICY_ABI,
                                                        .flags = WEIR_WORK_CONSERVING,
                                                        .name = "diligent",
                                                        .decide = answer};
    FAULT(bad_ops, NULL, {5, 0, 0}, {5, 1, 0});
    FAULT(bad_ops, NULL, {5, 0, 1}, {5, 1, 1});
    FAULT(bad_ops, NULL, {5, 0, 0}, {0, 2, 0}); /* nothing, to one that does nothing */
    FAULT(bad_ops, "application 3 of 3", {4, 3, 0});
    FAULT(bad_ops, "without an I/O", {4, 2, 0});
    FAULT(bad_ops, "granted -1 bytes/s", {-1, 0, 0});
    FAULT(bad_ops, "granted nan bytes/s", {NAN, 0, 0});
    FAULT(bad_ops, "granted inf bytes/s", {INFINITY, 0, 1});
    FAULT(bad_ops, "twice", {3, 0, 0}, {4, 0, 0});
    FAULT(bad_ops, "twice", {3, 0, 0}, {3, 0, 0});
    FAULT(bad_ops, "twice", {3, 0, 0}, {3, 0, 1});
    FAULT(bad_ops, "granted 11 bytes/s, can take 10", {11, 0, 0});
    FAULT(bad_ops, "granted 11 bytes/s, can take 10", {11, 0, 1});
    FAULT(bad_ops, "granted 12 bytes/s in all, the file system has 10", {7, 0, 0}, {5, 1, 1});
    FAULT(undeclared_ops, "WEIR_SHARES", {5, 0, 1});
    FAULT(diligent_ops, "granted 9 bytes/s in all, 10 could be used", {9, 0, 0});
}

static void the_checker_finds_a_scale_and_a_timer_that_are_no_numbers(void **state)
{
    (void)state;
    const struct policy policy = {.ops = &bad_ops};
    struct control *control = ask(1, (struct weir_grant[]){{5, 0, 1}});
    struct err err = {0};
    uint32_t app;
    answer_scale = NAN;
    control_decide(control, 2);
    assert_int_equal(check_rules(control, &policy, 2, &app, &err), -1);
    assert_non_null(strstr(err.text, "a scale of nan"));
    answer_scale = 1;
    answer_wake = NAN;
    control_decide(control, 3);
    assert_int_equal(check_rules(control, &policy, 3, &app, &err), -1);
    assert_non_null(strstr(err.text, "a timer"));
    assert_true(app == CONTROL_NONE);
    control_free(control);
}

/* Three times as much wraps around to nearly nothing. */
static void a_strategy_that_wants_more_memory_than_there_can_be_gets_none(void **state)
{
    (void)state;
    const struct weir_policy_ops greedy[] = {
        {.abi = WEIR_POLICY_ABI, .name = "a", .decide = answer, .app_size = SIZE_MAX / 3 + 1},
        {.abi = WEIR_POLICY_ABI, .name = "s", .decide = answer, .state_size = SIZE_MAX},
        {.abi = WEIR_POLICY_ABI,
         .name = "b",
         .decide = answer,
         .state_size = 9,
         .app_size = SIZE_MAX / 3},
    };
    for (int i = 0; i < 3; i++) {
        struct err err = {0};
        assert_null(control_new(&(struct policy){.ops = &greedy[i]}, &control_setup, &err));
        assert_string_equal(err.text, "out of memory");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grants_to_nobody_are_ignored),
        cmocka_unit_test(rates_that_are_no_numbers_are_nothing),
        cmocka_unit_test(a_shared_grant_of_a_strategy_that_does_not_share_is_nothing),
        cmocka_unit_test(a_scale_that_is_no_number_is_nothing),
        cmocka_unit_test(a_timer_in_the_past_never_rings),
        cmocka_unit_test(an_application_that_is_named_twice_gets_the_last_word),
        cmocka_unit_test(a_sliver_is_done_even_if_its_bandwidth_is_taken_away),
        cmocka_unit_test(the_checker_finds_every_broken_rule),
        cmocka_unit_test(the_checker_finds_a_scale_and_a_timer_that_are_no_numbers),
        cmocka_unit_test(a_strategy_that_wants_more_memory_than_there_can_be_gets_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

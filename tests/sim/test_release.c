/* Schedules worked out by hand when the controller learns of the end of an I/O late. */
#include "support/small.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct small small;

#define EXPECT(policy, ...) small_expect(&small, policy, (const char *const[]){__VA_ARGS__})

static void start(double bandwidth, double latency)
{
    small_init(&small, bandwidth);
    small.release_latency = latency;
}

static void the_bandwidth_of_a_finished_transfer_is_held(void **state)
{
    (void)state;
    start(10, 0.5);
    small_add(&small, 10, "v20 w9");
    small_add(&small, 10, "v10 w1");
    /* The first is done at 2 and works on at once; the second gets the bandwidth only at 2.5. */
    EXPECT("fcfs", "0 io@10 2 work 11", "0 wait 2.5 io@10 3.5 work 4.5");
}

static void a_share_is_held_as_well(void **state)
{
    (void)state;
    start(10, 1);
    small_add(&small, 10, "v10 w9");
    small_add(&small, 10, "v20 w1");
    /* 5 each until 2; the half of the first stays unused until 3, when the second has 5 left. */
    EXPECT("fair-share", "0 io@5 2 work 11", "0 io@5 3 io@10 3.5 work 4.5");
}

static void who_posts_again_is_noticed_at_once(void **state)
{
    (void)state;
    start(10, 1);
    small_add(&small, 10, "v10 w0.5 v10 w9");
    small_add(&small, 10, "v10 w1");
    /* At 1.5 the first posts again, behind the second, which waits since 0. The second ends at 2.5,
     * and would be noticed at 3.5: it ends at 3.5 itself. */
    EXPECT("fcfs", "0 io@10 1 work 1.5 wait 3.5 io@10 4.5 work 13.5",
           "0 wait 1.5 io@10 2.5 work 3.5");
}

static void who_ends_with_its_transfer_leaves_at_once(void **state)
{
    (void)state;
    start(10, 1);
    small_add(&small, 10, "v10");
    small_add(&small, 10, "v10");
    EXPECT("fcfs", "0 io@10 1", "0 wait 1 io@10 2");
}

static void nothing_is_held_by_who_holds_nothing(void **state)
{
    (void)state;
    start(10, 1);
    small_add(&small, 4, "v4 w9");
    small_add(&small, 6, "v12");
    /* Both fit: that the first is noticed at 2 instead of 1 changes nothing. */
    EXPECT("greedy-yield", "0 io@4 1 work 10", "0 io@6 2");
}

static void time_that_was_noticed_late_is_not_lost(void **state)
{
    (void)state;
    start(10, 1);
    small_add(&small, 10, "v10 w9");
    small_add(&small, 10, "v20 w8");
    small_window(&small, 0, 2.5);
    struct outcome *outcome = small_run(&small, "fair-share", NULL);
    /* The first had half of its bmax for 2 s and has worked for 0.5 s since, unnoticed. */
    expect_near(outcome->apps[0].lost, 1, 1e-12);
    expect_near(outcome->spans[0].work, 0.5, 1e-12);
    expect_near(outcome->apps[1].lost, 1.25, 1e-12);
    outcome_free(outcome);
}

static void measures_count_what_was_really_moved(void **state)
{
    (void)state;
    start(10, 1);
    small_add(&small, 10, "v10 w9");
    small_add(&small, 10, "v20 w1");
    struct outcome *outcome = small_run(&small, "fair-share", NULL);
    expect_near(outcome->apps[0].done_ideal, 10, 1e-12);
    expect_near(outcome->apps[0].lost, 1, 1e-12);
    expect_near(outcome->apps[1].lost, 1.5, 1e-12);
    assert_int_equal(outcome->events, 6); /* two releases, posts and completions */
    outcome_free(outcome);
}

static void a_transfer_that_is_alone_is_not_slowed_under_any_strategy(void **state)
{
    (void)state;
    for (int i = 0; policy_all[i]; i++) {
        start(10, 0.25);
        small_add(&small, 10, "w1 v10 x3");
        EXPECT(policy_all[i], "0 work 1 io@10 2 work 3 io@10 4 work 5 io@10 6");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bandwidth_of_a_finished_transfer_is_held),
        cmocka_unit_test(a_share_is_held_as_well),
        cmocka_unit_test(who_posts_again_is_noticed_at_once),
        cmocka_unit_test(who_ends_with_its_transfer_leaves_at_once),
        cmocka_unit_test(nothing_is_held_by_who_holds_nothing),
        cmocka_unit_test(time_that_was_noticed_late_is_not_lost),
        cmocka_unit_test(measures_count_what_was_really_moved),
        cmocka_unit_test(a_transfer_that_is_alone_is_not_slowed_under_any_strategy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

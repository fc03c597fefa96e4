/* Schedules worked out by hand for the strategies that share the bandwidth by a key. */
#include "support/small.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct small small;

#define EXPECT(policy, ...) small_expect(&small, policy, (const char *const[]){__VA_ARGS__})

static void fair_share_gives_everybody_the_same_fraction_of_its_bmax(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "v20");
    small_add(&small, 5, "v5");
    small_add(&small, 2, "v0.5")->facts.release = 2;
    /* 0: 10 + 5 wanted, so 2/3 each: 6.67 and 3.33. 1.5: the second is done, the first has 10 left
     * and is alone. 2: 5 left, the third comes, 10/12 each: 8.33 and 1.67. 2.3: 0.5 / 1.67 = 0.3 s
     * later the third is done, the first has 5 - 2.5 left: 0.25 s. */
    EXPECT("fair-share", "0 io@6.666667 1.5 io@10 2 io@8.333333 2.3 io@10 2.55",
           "0 io@3.333333 1.5", "2 io@1.666667 2.3");
}

static void best_effort_fills_equal_shares_up_to_bmax(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "v8");
    small_add(&small, 10, "v16");
    small_add(&small, 2, "v6");
    /* 0: a third each would be 3.33, but the third takes only 2, so 4 for the others. 2: the first
     * is done; half each would be 5, the third takes 2, 8 are left: 8 / 8 = 2 / 2 = 1 s. */
    EXPECT("best-effort", "0 io@4 2", "0 io@4 2 io@8 3", "0 io@2 3");
}

static void fcfs_serves_by_posting_time_and_the_last_in_part(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 6, "v12");
    small_add(&small, 6, "w1 v9");
    small_add(&small, 6, "v9")->facts.release = 0.5;
    /* 0: the first, 6. 0.5: the third has 4 left over. 1: the second waits. 2: the first is done;
     * the third has 9 - 6 left and gets 6, the second 4. 2.5: the second has 7 left: 7/6 s. */
    EXPECT("fcfs", "0 io@6 2", "0 work 1 wait 2 io@4 2.5 io@6 3.666667", "0.5 io@4 2 io@6 2.5");
}

static void fcfs_breaks_ties_by_index(void **state)
{
    (void)state;
    small_init(&small, 5);
    small_add(&small, 5, "w1 v5");
    small_add(&small, 5, "w1 v5");
    small_add(&small, 5, "w1 v5");
    EXPECT("fcfs", "0 work 1 io@5 2", "0 work 1 wait 2 io@5 3", "0 work 1 wait 3 io@5 4");
    EXPECT("fcfs:priority", "0 work 1 io@5 2", "0 work 1 wait 2 io@5 3", "0 work 1 wait 3 io@5 4");
}

static void fcfs_counts_the_wait_before_time_0(void **state)
{
    (void)state;
    small_init(&small, 5);
    small_add(&small, 5, "v5");
    struct app *app = small_add(&small, 5, "v5 v5");
    small_age(app, 10, 6);
    small.rare[1].waiting = 3;
    /* Posted at -3, so before the first, posted at 0; its second I/O is posted at 1, after it. */
    EXPECT("fcfs", "0 wait 1 io@5 2", "0 io@5 1 wait 2 io@5 3");
}

static void consecutive_ios_queue_anew_and_zero_phases_take_no_time(void **state)
{
    (void)state;
    small_init(&small, 5);
    small_add(&small, 5, "w0 v0 v5 w0 v5");
    small_add(&small, 5, "v0 w0 v5 w0 v0");
    small_add(&small, 5, "w0 v0");
    EXPECT("fcfs", "0 io@5 1 wait 2 io@5 3", "0 wait 1 io@5 2", "");
    struct outcome *outcome = small_run(&small, "fcfs", NULL);
    assert_true(outcome->apps[2].completion == 0);
    outcome_free(outcome);
}

static void greedy_yield_serves_the_most_delayed(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "w5 v20 w1");
    small_add(&small, 10, "w4 v20");
    small_age(small_add(&small, 10, "w5.5 v5"), 10, 8);
    /* 4: the second is alone. 5: both have yield 1, the lower index takes over. 5.5: the third
     * has lost 2 of 15.5 s (.871), the second 0.5 of 5.5 (.909), the first nothing. 6: the third
     * is done; the second has lost 1 of 6, the first 0.5 of 6. The second has 10 left, until 7;
     * then the first 15 left, until 8.5. */
    EXPECT("greedy-yield", "0 work 5 io@10 5.5 wait 7 io@10 8.5 work 9.5",
           "0 work 4 io@10 5 wait 6 io@10 7", "0 work 5.5 io@10 6");
}

static void greedy_yield_takes_an_application_just_released_for_the_weakest(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_age(small_add(&small, 10, "v20"), 10, 1);
    small_add(&small, 10, "v10")->facts.release = 1;
    /* 1: the first has progress 2 of 11 s, the second is of age 0: its yield is 0. */
    EXPECT("greedy-yield", "0 io@10 1 wait 2 io@10 3", "1 io@10 2");
}

static void greedy_com_serves_the_shortest_remaining_transfer(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 8, "v40");
    small_add(&small, 8, "v16");
    small_add(&small, 4, "w1 v2");
    /* 0: 5 s against 2 s: the second 8, the first 2. 1: 4.75, 1 and 0.5 s: 4 for the third, 6 for
     * the second, nothing for the first. 1.5: the second has 5 bytes, 0.625 s; the first 38, less
     * 2 * 0.625 at 2.125: 36.75 / 8 = 4.59375 s. */
    EXPECT("greedy-com", "0 io@2 1 wait 1.5 io@2 2.125 io@8 6.71875",
           "0 io@8 1 io@6 1.5 io@8 2.125", "0 work 1 io@4 1.5");
}

static void greedy_com_breaks_ties_by_index(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "w2 v10");
    small_add(&small, 5, "w1 v10");
    small_add(&small, 10, "w1 v20");
    /* 1: both 2 s: 5 for the second, the other 5 for the third. 2: the second needs 1 s more, as
     * does the first, which has the lower index. 3: the second has 5 left and goes on, the third
     * has 15 left: 5 bytes/s for 1 s, then 10. */
    EXPECT("greedy-com", "0 work 2 io@10 3", "0 work 1 io@5 2 wait 3 io@5 4",
           "0 work 1 io@5 2 wait 3 io@5 4 io@10 5");
}

static void look_ahead_prefers_a_short_transfer_where_greedy_yield_does_not(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_age(small_add(&small, 1, "v100"), 10, 5);
    small_age(small_add(&small, 1, "v1 w1"), 1, 0.9);
    /* Yields .5 and .9. The first served first ends at 100, where the second would have
     * .9 / 101; the second first ends at 1, where the first has 5 / 11. */
    EXPECT("look-ahead-greedy-yield", "0 wait 1 io@1 101", "0 io@1 1 work 2");
    EXPECT("greedy-yield", "0 io@1 100", "0 wait 100 io@1 101 work 102");
}

static void look_ahead_sees_the_end_of_the_window(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_age(small_add(&small, 1, "v100"), 10, 5);
    small_age(small_add(&small, 1, "v1 w1"), 1, 0.9);
    small_window(&small, 0, 0.5);
    /* At 0.5: the first served first, 5.5 / 10.5 = .524 and .9 / 1.5 = .6, so .524; the second
     * first, 5 / 10.5 = .476. */
    EXPECT("look-ahead-greedy-yield", "0 io@1 0.5", "0 wait 0.5");
}

static void periodic_greedy_yield_decides_anew_delta_after_the_last_event(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_add(&small, 1, "w1 v2");
    small_add(&small, 1, "w1 v2");
    /* 1: equal, the first. 2: the second has lost 1 s. 3: both have lost 1 s, the first, which
     * ends at 4. */
    EXPECT("periodic-greedy-yield:delta=1", "0 work 1 io@1 2 wait 3 io@1 4",
           "0 work 1 wait 2 io@1 3 wait 4 io@1 5");
    /* Alone the four phases end at 1, 1, 3 and 3: a phase per 0.75 s. 1.75: the second. 2.5: both
     * have lost 0.75 s. 3.25: the first has 0.5 left, the second 1.25. 4: 0.5 and 0.5, both have
     * lost 1.5 s, the first until 4.5. */
    EXPECT("periodic-greedy-yield", "0 work 1 io@1 1.75 wait 2.5 io@1 3.25 wait 4 io@1 4.5",
           "0 work 1 wait 1.75 io@1 2.5 wait 3.25 io@1 4 wait 4.5 io@1 5");
    /* A third is released at 1.5: an event, at which the second is the weakest, and from which
     * the timer starts again: 2.5 (1 s lost by the first, 0.5 by the second), 3.5 (1 and 1.5). */
    small_add(&small, 1, "w10")->facts.release = 1.5;
    EXPECT("periodic-greedy-yield:delta=1", "0 work 1 io@1 1.5 wait 2.5 io@1 3.5 wait 4.5 io@1 5",
           "0 work 1 wait 1.5 io@1 2.5 wait 3.5 io@1 4.5", "1.5 work 11.5");
}

static void floor_protects_those_below_its_level(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_age(small_add(&small, 1, "v10"), 10, 4);
    small_age(small_add(&small, 1, "v1"), 10, 5);
    small_age(small_add(&small, 1, "v5"), 10, 3);
    /* Yields .4, .5, .3 at 0. Level .32: the third is below it. 5: 4/15 = .267 is, 5/15 is not. */
    EXPECT("floor:level=0.32", "0 wait 5 io@1 15", "0 wait 15 io@1 16", "0 io@1 5");
    /* Level .2: nobody is, the shortest first. 1: 4/11 and 3/11, nobody. */
    EXPECT("floor:level=0.2", "0 wait 6 io@1 16", "0 io@1 1", "0 wait 1 io@1 6");
    /* Level .45: the third, the first, by yield. 5: .267 and .333, both below: by yield. */
    EXPECT("floor:level=0.45", "0 wait 5 io@1 15", "0 wait 15 io@1 16", "0 io@1 5");
}

static void floor_auto_protects_the_weakest_of_all_running(void **state)
{
    (void)state;
    for (int working_is_weakest = 0; working_is_weakest < 2; working_is_weakest++) {
        small_init(&small, 1);
        small_age(small_add(&small, 1, "v10"), 10, 4);
        small_age(small_add(&small, 1, "v1"), 10, 5);
        small_age(small_add(&small, 1, "w20"), 10, working_is_weakest ? 3 : 9);
        /* The first is the weakest, with .4, unless the third is, which needs no bandwidth. */
        if (working_is_weakest)
            EXPECT("floor", "0 wait 1 io@1 11", "0 io@1 1", "0 work 20");
        else
            EXPECT("floor:level=auto", "0 io@1 10", "0 wait 10 io@1 11", "0 work 20");
    }
}

static void critical_yield_serves_the_one_whose_deadline_is_first(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_age(small_add(&small, 1, "v10"), 10, 4);
    small_age(small_add(&small, 1, "v1"), 10, 5);
    small_age(small_add(&small, 1, "v5"), 10, 3);
    /* 14/10, 6/10 and 8/10 at 0; 14/11 and 8/11 at 1. By yield the order is .4, .5, .3. */
    EXPECT("critical-yield", "0 wait 6 io@1 16", "0 io@1 1", "0 wait 1 io@1 6");
}

static void deadlines_are_compared_at_the_yield_that_all_can_reach(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_age(small_add(&small, 1, "v10"), 100, 90);
    small_age(small_add(&small, 1, "v5"), 2, 2);
    /* Critical yields 100/100 and 7/2. The old one first: yields of 100/110 and 7/17 at the ends of
     * the I/Os. The young one first: 7/7 and 100/115. So .87 can be reached, with deadlines at
     * 100/.87 - 100 = 15 and 7/.87 - 2 = 6.05. */
    EXPECT("critical-yield", "0 wait 5 io@1 15", "0 io@1 5");
    EXPECT("clearing", "0 wait 5 io@1 15", "0 io@1 5");
    /* As surplus sees it the old one is the weakest, with .9 + .1; 98 % of the 5 s count for the
     * young one, which is above that: 7 > 1 * (2 + 4.9). */
    EXPECT("surplus", "0 io@1 10", "0 wait 10 io@1 15");
}

static void surplus_protects_a_young_one_in_time(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_age(small_add(&small, 1, "v10"), 100, 90.5);
    small_age(small_add(&small, 1, "v50"), 2, 2);
    small_add(&small, 1, "w200");
    small_age(&small.apps[2], 100, 98);
    /* Critical yields 1.005, 26 and, at work, .98, which is the level. 52 <= .98 * (2 + .98 * 50) is
     * not true: none is weak, and the bytes decide: .025 * 100 * 10 against 25.02 * 2 * 50. */
    EXPECT("surplus", "0 io@1 10", "0 wait 10 io@1 60", "0 work 200");
    /* At an age of 70, with 40 s lost, 80 <= .98 * (70 + .3 * 50) is true. */
    small_age(&small.apps[1], 70, 30);
    EXPECT("surplus", "0 wait 50 io@1 60", "0 io@1 50", "0 work 200");
}

static void clearing_tries_to_spare_the_weakest(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_age(small_add(&small, 1, "v30"), 100, 70);
    small_age(small_add(&small, 1, "v1"), 100, 90);
    /* By critical yields, 1 and .91: the second one first, and the first ends at 31 with
     * 100/131. The other way round: 100/130 and 91/131, which is worse for the weakest. */
    EXPECT("clearing", "0 wait 1 io@1 31", "0 io@1 1");
    /* A length of 1000 and losses of 30 and 10: what is left to do may make up for it, or not. The
     * second, of 200: 1000/1030 and 200/240, or 1000/1031 and 200/210. */
    small.lengths[0] = 1000;
    small.lengths[1] = 200;
    EXPECT("clearing", "0 wait 1 io@1 31", "0 io@1 1");
    small_age(&small.apps[1], 100, 99);
    small.lengths[0] = 101;
    small.lengths[1] = 10000;
    /* 101/131 and 10000/10031 against 101/132 and 10000/10001. */
    EXPECT("clearing", "0 io@1 30", "0 wait 30 io@1 31");
}

static void timers_let_critical_yield_share_the_end_of_a_window(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_add(&small, 1, "v100");
    small_add(&small, 1, "v100");
    small_window(&small, 0, 4);
    EXPECT("critical-yield", "0 io@1 4", "0 wait 4");
    /* No phase ends in the window: a timer every second. The one that waits falls behind by a
     * second, and those that are equal go by index. */
    EXPECT("critical-yield:timers=1", "0 io@1 1 wait 2 io@1 3 wait 4",
           "0 wait 1 io@1 2 wait 3 io@1 4");
}

static void surplus_spends_what_others_have_above_the_weakest(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_age(small_add(&small, 1, "v5"), 10, 2);
    small_age(small_add(&small, 1, "v1"), 10, 9);
    /* Critical yields .7 and 1. The first is the weakest: it is protected. */
    EXPECT("surplus", "0 io@1 5", "0 wait 5 io@1 6");
    /* A third that works is the weakest, with .3: the others have .4 and .7 to lose, on 5 bytes and
     * on 1. */
    small_age(small_add(&small, 1, "w20"), 10, 3);
    EXPECT("surplus", "0 wait 1 io@1 6", "0 io@1 1", "0 work 20");
    EXPECT("critical-yield", "0 io@1 5", "0 wait 5 io@1 6", "0 work 20");
}

static void thrift_favours_those_that_work_long_for_their_io(void **state)
{
    (void)state;
    small_init(&small, 1);
    small_age(small_add(&small, 1, "v8"), 10, 7.3);
    small_age(small_add(&small, 1, "w4 v4"), 10, 8);
    small_age(small_add(&small, 1, "w30"), 10, 3);
    /* 4: both have 4 bytes left, critical yields of 1.093 and 1.143, and the third, which works,
     * has .5: the first has less to lose. */
    EXPECT("surplus", "0 io@1 8", "0 work 4 wait 8 io@1 12", "0 work 30");
    /* Its gain is 1, that of the second (4 + 4) / 4: prices of (.593 + .5) 4 and (.643 + .5) 4 / 2.
     */
    EXPECT("surplus:thrift=1", "0 io@1 4 wait 8 io@1 12", "0 work 4 io@1 8", "0 work 30");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fair_share_gives_everybody_the_same_fraction_of_its_bmax),
        cmocka_unit_test(best_effort_fills_equal_shares_up_to_bmax),
        cmocka_unit_test(fcfs_serves_by_posting_time_and_the_last_in_part),
        cmocka_unit_test(fcfs_breaks_ties_by_index),
        cmocka_unit_test(fcfs_counts_the_wait_before_time_0),
        cmocka_unit_test(consecutive_ios_queue_anew_and_zero_phases_take_no_time),
        cmocka_unit_test(greedy_yield_serves_the_most_delayed),
        cmocka_unit_test(greedy_yield_takes_an_application_just_released_for_the_weakest),
        cmocka_unit_test(greedy_com_serves_the_shortest_remaining_transfer),
        cmocka_unit_test(greedy_com_breaks_ties_by_index),
        cmocka_unit_test(look_ahead_prefers_a_short_transfer_where_greedy_yield_does_not),
        cmocka_unit_test(look_ahead_sees_the_end_of_the_window),
        cmocka_unit_test(periodic_greedy_yield_decides_anew_delta_after_the_last_event),
        cmocka_unit_test(floor_protects_those_below_its_level),
        cmocka_unit_test(floor_auto_protects_the_weakest_of_all_running),
        cmocka_unit_test(critical_yield_serves_the_one_whose_deadline_is_first),
        cmocka_unit_test(deadlines_are_compared_at_the_yield_that_all_can_reach),
        cmocka_unit_test(surplus_protects_a_young_one_in_time),
        cmocka_unit_test(clearing_tries_to_spare_the_weakest),
        cmocka_unit_test(timers_let_critical_yield_share_the_end_of_a_window),
        cmocka_unit_test(surplus_spends_what_others_have_above_the_weakest),
        cmocka_unit_test(thrift_favours_those_that_work_long_for_their_io),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Schedules worked out by hand where applications make large calls, which cannot be split. */
#include "support/small.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct small small;

#define EXPECT(policy, ...) small_expect(&small, policy, (const char *const[]){__VA_ARGS__})

static struct app *add(const char *phases, double calls)
{
    small.rare[small.workload.count].calls = calls;
    return small_add(&small, 10, phases);
}

static void a_large_call_alone_takes_its_time(void **state)
{
    (void)state;
    small_init(&small, 10);
    add("w1 v40 w1 v40", 40);
    EXPECT("fcfs", "0 work 1 io@10 5 work 6 io@10 10");
    EXPECT("fair-share", "0 work 1 io@10 5 work 6 io@10 10");
}

static void calls_in_the_store_share_it(void **state)
{
    (void)state;
    small_init(&small, 10);
    add("v40", 40);
    add("v10", 0);
    /* 5 each until the second is done at 2; the call has 30 left then. */
    EXPECT("fair-share", "0 io@5 2 io@10 5", "0 io@5 2");
}

static void a_call_in_the_store_cannot_be_taken_back(void **state)
{
    (void)state;
    small_init(&small, 10);
    add("v40 w9", 20);
    add("w1 v10 w1", 0);
    /* fcfs grants all to the first until it is done at 4, of which two calls are made. */
    EXPECT("fcfs", "0 io@10 4 work 13", "0 work 1 wait 4 io@10 5 work 6");
}

/* The first has a fourth of the grants, and half of the store while its call is in it. So it is
 * ahead by 5 when that returns at 2, and waits until 4; the second is behind by 5, and makes up for
 * it: it has all of the store, and ends when it would with grants alone, 30 / 7.5. */
static void who_is_ahead_waits_for_those_behind(void **state)
{
    (void)state;
    small_init(&small, 10);
    add("v30", 10);
    add("v30", 0)->facts.share = 3;
    struct outcome *outcome = small_run(&small, "fair-share", NULL);
    expect_near(outcome->apps[0].completion, 6, 0.01);
    expect_near(outcome->apps[1].completion, 4, 0.01);
    outcome_free(outcome);
}

/* The second ends at 1, behind by 2.5 for ever. The first is ahead by as much at 1.5, but nobody
 * gains if it waits: the store has had the time for all 15 bytes. */
static void nobody_waits_while_the_store_has_room(void **state)
{
    (void)state;
    small_init(&small, 10);
    add("v30", 10);
    add("v5", 0)->facts.share = 3;
    EXPECT("fair-share", "0 io@5 1 io@10 3.5", "0 io@5 1");
}

static void small_calls_are_as_if_there_were_none(void **state)
{
    (void)state;
    small_init(&small, 10);
    add("v40", 0.1); /* 10 ms */
    add("v10", 0);
    EXPECT("greedy-com", "0 wait 1 io@10 5", "0 io@10 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_large_call_alone_takes_its_time),
        cmocka_unit_test(calls_in_the_store_share_it),
        cmocka_unit_test(a_call_in_the_store_cannot_be_taken_back),
        cmocka_unit_test(who_is_ahead_waits_for_those_behind),
        cmocka_unit_test(nobody_waits_while_the_store_has_room),
        cmocka_unit_test(small_calls_are_as_if_there_were_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

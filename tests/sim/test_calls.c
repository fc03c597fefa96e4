/* Schedules worked out by hand where applications make large calls, which cannot be split. */
#include "gen/gen.h"
#include "support/small.h"
#include <math.h>
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

/* --- volumes that are not known ---------------------------------------------------------------- */

static const struct knowledge means = {.volumes = KNOWLEDGE_MEAN};

static struct workload *believe(void)
{
    struct err err;
    struct workload *expected = workload_believe(&small.workload, &means, &err);
    assert_non_null(expected);
    small.expected = expected;
    return expected;
}

/* All have worked for no time: what was lost, and what the bytes that were moved take alone, is the
 * time. */
static void watching_decide(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    (void)self;
    for (uint32_t i = 0; i < view->active_count; i++) {
        const struct weir_run *run = &view->runs[view->active[i]];
        double moved = run->volume - weir_remaining(view, run);
        expect_near(weir_lost(view, run) + moved / run->app->bmax, view->now, 1e-6);
        weir_grant(grants, view->active[i], view->bandwidth / view->active_count);
    }
}

/* The calls return at 24 and move 120, where 10 are expected. */
static void a_call_beyond_the_expected_volume_loses_no_time(void **state)
{
    static const struct weir_policy_ops ops = {
        .abi = WEIR_POLICY_ABI, .name = "watching", .decide = watching_decide};
    char name[] = "watching";
    const struct policy policy = {.ops = &ops, .name = name};
    (void)state;
    small_init(&small, 10);
    add("v240", 120);
    add("v240", 120);
    struct workload *expected = believe();
    outcome_free(small_run_policy(&small, &policy, NULL));
    workload_free(expected);
}

static uint32_t seed;

static double uniform(double low, double high)
{
    seed = seed * 1664525 + 1013904223;
    return low + (high - low) * (double)seed / 4294967296.0;
}

static void draw(void)
{
    int count = (int)uniform(1, 9);
    small_init(&small, 5e7);
    small.release_latency = 0.002;
    for (int i = 0; i < count; i++) {
        double volume = floor(5e7 * exp(uniform(-3, 0.9))), work = uniform(0.1, 3);
        small.rare[i].calls = fmin(volume, floor(5e7 * exp(uniform(-9, 0.7))));
        struct app *app =
            small_add_list(&small, 5e7, &(struct iteration){.work = work, .volume = volume}, 1);
        small_repeat(app, (uint32_t)uniform(1, 20));
        app->facts.release = uniform(0, 1) < 0.5 ? 0 : uniform(0, 2);
    }
}

/* A rest by rounding, of an expected volume or in the store, must not stop the time. */
static void any_mix_ends(void **state)
{
    static const char *const policies[] = {"fair-share", "greedy-com", "surplus", "min-dilation"};
    (void)state;
    for (uint32_t mix = 0; mix < 100; mix++) {
        seed = mix;
        draw();
        struct workload *expected = believe();
        for (size_t i = 0; i < sizeof policies / sizeof *policies; i++)
            outcome_free(small_run(&small, policies[i], NULL));
        workload_free(expected);
    }
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
        cmocka_unit_test(a_call_beyond_the_expected_volume_loses_no_time),
        cmocka_unit_test(any_mix_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

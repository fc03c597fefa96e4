/* Schedules worked out by hand on stores that lose bandwidth when several use them, and on stores
 * whose bandwidth varies (docs/model.md, Platform). */
#include "sim/sim.h"
#include "support/small.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct small small;
static struct store store;

#define EXPECT(policy, ...) small_expect(&small, policy, (const char *const[]){__VA_ARGS__})

/* A store of this bandwidth with g(k) = 1 / (1 + slope (k - 1)). */
static void lossy(double bandwidth, double slope)
{
    small_init(&small, bandwidth);
    store = (struct store){.curve.slope = slope};
    small.workload.platform.store = &store;
}

static void vary(double bandwidth, const struct health_change *changes, uint32_t count)
{
    small_init(&small, bandwidth);
    store = (struct store){.health = {.changes = changes, .count = count}};
    small.workload.platform.store = &store;
}

static void fair_share_serves_all_whatever_that_costs(void **state)
{
    (void)state;
    lossy(10, 0.2);
    for (int i = 0; i < 3; i++)
        small_add(&small, 10, "v100");
    /* 300 bytes at 10 / 1.4. */
    EXPECT("fair-share", "0 io@2.380952 42", "0 io@2.380952 42", "0 io@2.380952 42");
    EXPECT("best-effort", "0 io@2.380952 42", "0 io@2.380952 42", "0 io@2.380952 42");
}

static void strategies_that_order_serve_one_that_can_fill_the_store(void **state)
{
    static const char *const names[] = {"fcfs",         "greedy-com",
                                        "greedy-yield", "critical-yield",
                                        "surplus",      "floor",
                                        "clearing",     "set-10",
                                        "pace",         "look-ahead-greedy-yield",
                                        "min-dilation", "max-syseff:grants=whole",
                                        "list",         "groups"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        lossy(10, 0.2);
        for (int app = 0; app < 3; app++)
            small_add(&small, 10, "v100");
        EXPECT(names[i], "0 io@10 10", "0 wait 10 io@10 20", "0 wait 20 io@10 30");
    }
}

static void the_second_gets_what_two_can_move_beyond_the_first(void **state)
{
    static const char *const names[] = {
        "fcfs",     "greedy-com", "greedy-yield",           "critical-yield",
        "clearing", "set-10",     "look-ahead-greedy-yield"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        lossy(10, 0.25);
        small_add(&small, 6, "v60");
        small_add(&small, 6, "v60");
        /* B(2) = 8: 6 and 2. At 10 the second has 40 left, at 6. */
        EXPECT(names[i], "0 io@6 10", "0 io@2 10 io@6 16.66667");
    }
}

static void one_that_would_take_from_the_first_waits(void **state)
{
    (void)state;
    lossy(10, 0.25);
    small_add(&small, 9, "v90");
    small_add(&small, 9, "v90");
    /* B(2) = 8 < 9. */
    EXPECT("fcfs", "0 io@9 10", "0 wait 10 io@9 20");
    EXPECT("greedy-com", "0 io@9 10", "0 wait 10 io@9 20");
    EXPECT("surplus", "0 io@9 10", "0 wait 10 io@9 20");
}

/* Greedy by id, as if there were no curve. */
static void naive_decide(void *state, const struct weir_view *view, struct weir_grants *grants)
{
    double left = view->bandwidth;
    (void)state;
    for (uint32_t id = 0; id < view->count; id++) {
        if (view->runs[id].state != WEIR_ACTIVE)
            continue;
        double rate = fmin(view->runs[id].app->bmax, left);
        weir_grant(grants, id, rate);
        left -= rate;
    }
}

static void a_strategy_that_does_not_know_gets_what_the_store_gives(void **state)
{
    static const struct weir_policy_ops naive = {
        .abi = WEIR_POLICY_ABI, .name = "naive", .decide = naive_decide};
    struct err err;
    (void)state;
    lossy(10, 0.25);
    small_add(&small, 9, "v90");
    small_add(&small, 9, "v90");
    struct policy *policy = policy_wrap(&naive, NULL, &err);
    struct outcome *outcome = small_run_policy(&small, policy, NULL);
    /* It grants 9 + 1 and gets 7.2 + 0.8; at 12.5 the second has 80 left, at 9. */
    expect_near(outcome->apps[0].completion, 12.5, 1e-9);
    expect_near(outcome->apps[1].completion, 12.5 + 80 / 9.0, 1e-9);
    outcome_free(outcome);
    policy_free(policy);
}

static void a_table_holds_beyond_its_end(void **state)
{
    static const double factors[] = {1, 0.9, 0.6};
    (void)state;
    lossy(10, 0);
    store.curve = (struct curve){.factors = factors, .count = 3};
    for (int i = 0; i < 4; i++)
        small_add(&small, 1.5, "v15");
    /* Four can use 6, and have 6. */
    EXPECT("fair-share", "0 io@1.5 10", "0 io@1.5 10", "0 io@1.5 10", "0 io@1.5 10");
    EXPECT("fcfs", "0 io@1.5 10", "0 io@1.5 10", "0 io@1.5 10", "0 io@1.5 10");
}

static void a_store_that_varies_moves_what_it_can(void **state)
{
    static const struct health_change changes[] = {{5, 0.5}, {15, 2}};
    (void)state;
    for (size_t i = 0; policy_all[i]; i++) {
        vary(10, changes, 2);
        small_add(&small, 10, "v150");
        /* 50 + 50 + 50 / 10: its bmax stays 10. */
        EXPECT(policy_all[i], "0 io@10 5 io@5 15 io@10 20");
    }
}

static void grants_that_are_kept_fall_with_the_bandwidth_and_rise_again(void **state)
{
    static const struct health_change changes[] = {{2, 0.5}, {6, 1}};
    (void)state;
    vary(10, changes, 2);
    small_add(&small, 6, "v30");
    small_add(&small, 6, "v30");
    /* 0: 6 and 4. 2: 5 for the first, which has 18 left. 6: it has no more than 0 left of... 18 -
     * 20 < 0: done at 5.6; the second gets 5 from there, 22 - 2 left at 6, then 6. */
    EXPECT("fcfs", "0 io@6 2 io@5 5.6", "0 io@4 2 wait 5.6 io@5 6 io@6 9.333333");
    EXPECT("greedy-com", "0 io@6 2 io@5 5.6", "0 io@4 2 wait 5.6 io@5 6 io@6 9.333333");
    /* One at a time, at 6: the grant is lowered to 5 and raised again. */
    EXPECT("list", "0 io@6 2 io@5 5.6", "0 wait 5.6 io@5 6 io@6 10.66667");
}

static void nothing_moves_in_an_outage(void **state)
{
    static const struct health_change changes[] = {{1, 0}, {4, 1}};
    (void)state;
    for (size_t i = 0; policy_all[i]; i++) {
        vary(10, changes, 2);
        small_add(&small, 10, "v20");
        EXPECT(policy_all[i], "0 io@10 1 wait 4 io@10 5");
    }
}

static void an_outage_that_does_not_end_stalls_the_run(void **state)
{
    static const struct health_change changes[] = {{1, 0}};
    struct err err;
    (void)state;
    vary(10, changes, 1);
    small_add(&small, 10, "v20");
    struct policy *policy = policy_open("fcfs", &err);
    assert_int_equal(
        workload_set_window(&small.workload, (struct window){.kind = WINDOW_NONE}, &err), 0);
    assert_null(sim_run(&small.workload, policy, NULL, &err));
    assert_non_null(strstr(err.text, "stalled at 1 s"));
    /* The same with changes that repeat, and never help. */
    static const struct health_change again[] = {{0, 0}, {1, 0}};
    store.health = (struct health){.changes = again, .count = 2, .period = 2};
    assert_null(sim_run(&small.workload, policy, NULL, &err));
    assert_non_null(strstr(err.text, "stalled"));
    policy_free(policy);
}

static void changes_repeat_after_their_period(void **state)
{
    static const struct health_change changes[] = {{0, 1}, {1, 0.5}};
    (void)state;
    vary(10, changes, 2);
    store.health.period = 2;
    small_add(&small, 10, "v40");
    /* 10, 5, 10, 5, 10. */
    EXPECT("fcfs", "0 io@10 1 io@5 2 io@10 3 io@5 4 io@10 5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fair_share_serves_all_whatever_that_costs),
        cmocka_unit_test(strategies_that_order_serve_one_that_can_fill_the_store),
        cmocka_unit_test(the_second_gets_what_two_can_move_beyond_the_first),
        cmocka_unit_test(one_that_would_take_from_the_first_waits),
        cmocka_unit_test(a_strategy_that_does_not_know_gets_what_the_store_gives),
        cmocka_unit_test(a_table_holds_beyond_its_end),
        cmocka_unit_test(a_store_that_varies_moves_what_it_can),
        cmocka_unit_test(grants_that_are_kept_fall_with_the_bandwidth_and_rise_again),
        cmocka_unit_test(nothing_moves_in_an_outage),
        cmocka_unit_test(an_outage_that_does_not_end_stalls_the_run),
        cmocka_unit_test(changes_repeat_after_their_period),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

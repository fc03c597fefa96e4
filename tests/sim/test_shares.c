/* Schedules worked out by hand of users with shares. */
#include "metric/metric.h"
#include "support/small.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct small small;

static const char *const user_names[] = {"ada", "bob", "eve"};
static const char *const account_names[] = {"physics", "chemistry"};
static const struct share_account accounts[] = {{"physics", NULL, 3}, {"chemistry", NULL, 1}};
static const struct share_user users[] = {{"ada", "physics", 2}};
static struct shares shares;
static struct owner owners[SMALL_APPS];
enum { ADA = 1, BOB, EVE };
enum { PHYSICS = 1, CHEMISTRY };

static void begin(double bandwidth, unsigned levels)
{
    small_init(&small, bandwidth);
    shares = (struct shares){.levels = levels,
                             .period = 1,
                             .accounts = accounts,
                             .account_count = 2,
                             .users = users,
                             .user_count = 1};
    small.workload.parties[PARTY_USER] = (struct parties){user_names, 3};
    small.workload.parties[PARTY_ACCOUNT] = (struct parties){account_names, 2};
    small.workload.shares = &shares;
    small.workload.owners = owners;
}

static struct app *add(uint32_t user, uint32_t account, double bmax, const char *phases)
{
    struct app *app = small_add(&small, bmax, phases);
    owners[app - small.apps] = (struct owner){{user, account}};
    return app;
}

#define EXPECT(policy, ...) small_expect(&small, policy, (const char *const[]){__VA_ARGS__})

/* physics has 9 of 12: ada 6, bob 3; eve 3, of which her applications have 2 and 1 by bmax. 4: ada
 * is done, bob has all of physics. 6: bob too; eve has all, 4 to 8, and 12 and 6 are left: 18 / 12
 * = 1.5 s. */
static void fair_share_follows_the_tree_exactly(void **state)
{
    (void)state;
    begin(12, SHARES_LEVELS);
    add(ADA, PHYSICS, 12, "v24");
    add(BOB, PHYSICS, 12, "v30");
    add(EVE, CHEMISTRY, 12, "v24");
    add(EVE, CHEMISTRY, 6, "v12");
    EXPECT("fair-share", "0 io@6 4", "0 io@3 4 io@9 6", "0 io@2 6 io@8 7.5", "0 io@1 6 io@4 7.5");
    /* Equal parts for eve's two, and the same otherwise: 1.5 each until 6, then 6 each, which is
     * all that the second can use. It is done at 6.5, and the first has 24 - 12 left. */
    EXPECT("best-effort", "0 io@6 4", "0 io@3 4 io@9 6", "0 io@1.5 6 io@6 6.5 io@12 7.5",
           "0 io@1.5 6 io@6 6.5");
}

/* bob can use 1 of his 3: ada has the other 2. Then chemistry can use only 1 of 3. */
static void what_a_user_cannot_use_is_lent(void **state)
{
    (void)state;
    begin(12, SHARES_LEVELS);
    add(ADA, PHYSICS, 12, "v16");
    add(BOB, PHYSICS, 1, "v2");
    add(EVE, CHEMISTRY, 12, "v6");
    EXPECT("fair-share", "0 io@8 2", "0 io@1 2", "0 io@3 2");
    begin(12, SHARES_LEVELS);
    add(ADA, PHYSICS, 12, "v16");
    add(BOB, PHYSICS, 3, "v6");
    add(EVE, CHEMISTRY, 1, "v2");
    EXPECT("fair-share", "0 io@8 2", "0 io@3 2", "0 io@1 2");
}

/* 8 and 4 nodes: 8 and 4 of 12, whoever's they are, although all have the same bmax. */
static void by_size_applications_have_parts_by_their_nodes(void **state)
{
    (void)state;
    begin(12, 1u << SHARE_SIZE);
    add(ADA, 0, 12, "v16")->facts.nodes = 8;
    add(ADA, 0, 12, "v8")->facts.nodes = 4;
    EXPECT("fair-share", "0 io@8 2", "0 io@4 2");
    /* Within a user: bob's has all of his half. */
    begin(12, 1u << SHARE_USER | 1u << SHARE_SIZE);
    shares.user_count = 0;
    add(ADA, 0, 12, "v8")->facts.nodes = 8;
    add(ADA, 0, 12, "v4")->facts.nodes = 4;
    add(BOB, 0, 12, "v12")->facts.nodes = 1;
    EXPECT("fair-share", "0 io@4 2", "0 io@2 2", "0 io@6 2");
}

/* Weights 2 and 1, period 1 s of 12: under fcfs ada has 12, of which 8 are hers. She is 12 ahead at
 * 3, and held. bob, who got nothing, goes first: he has 12 and 4 are his, so ada's lead is gone in
 * 12 / 8 = 1.5 s. She is free at 4.5, and the older of the two: again 12 ahead at 7.5. */
static void the_one_that_got_less_than_its_part_goes_first(void **state)
{
    (void)state;
    begin(12, 1u << SHARE_USER);
    add(ADA, 0, 12, "v60");
    add(BOB, 0, 12, "v30");
    EXPECT("fcfs", "0 io@12 3 wait 4.5 io@12 6.5", "0 wait 3 io@12 4.5 wait 6.5 io@12 7.5");
}

/* As above until 3, when ada is held; bob can use only 7, so 5 are lent to ada. Her part is 8, so
 * her lead falls by 3 per second: 7 - 3 = 4 after 4 s. But at 6 bob is done. */
static void one_that_is_held_gets_what_the_others_cannot_use(void **state)
{
    (void)state;
    begin(12, 1u << SHARE_USER);
    add(ADA, 0, 12, "v75");
    add(BOB, 0, 7, "v21");
    EXPECT("fcfs", "0 io@12 3 io@5 6 io@12 8", "0 wait 3 io@7 6");
}

/* greedy-com serves eve's short I/Os before ada's long one for ever. With equal weights, eve is 12
 * ahead after 2 s and held, until ada has had as much; then again: half each over time. */
static void short_transfers_of_one_user_do_not_starve_another(void **state)
{
    (void)state;
    begin(12, 1u << SHARE_USER);
    shares.user_count = 0;
    add(ADA, 0, 12, "v48");
    add(EVE, 0, 12, "v6 x16");
    struct outcome *outcome = small_run(&small, "greedy-com", NULL);
    expect_near(outcome->apps[0].completion, 8, 1e-9);
    expect_near(outcome->apps[1].completion, 12, 1e-9);
    outcome_free(outcome);
    small.workload.shares = NULL;
    outcome = small_run(&small, "greedy-com", NULL);
    expect_near(outcome->apps[0].completion, 12, 1e-9);
    expect_near(outcome->apps[1].completion, 8, 1e-9);
    outcome_free(outcome);
}

/* bob is idle: all is ada's, and she is not ahead when he comes. */
static void bandwidth_that_others_left_unused_is_not_held_against_a_user(void **state)
{
    (void)state;
    begin(12, 1u << SHARE_USER);
    shares.user_count = 0;
    add(ADA, 0, 12, "v132");
    add(BOB, 0, 12, "w9 v12");
    /* At 9 he comes; ada, first come, is 12 ahead at 11: by then she has moved all. */
    EXPECT("fcfs", "0 io@12 11", "0 work 9 wait 11 io@12 12");
}

/* Both fit, but list serves one: of the 6 granted 3 are ada's, and she is 12 ahead at 4. Her lead
 * is gone at 8, but list interrupts no I/O. */
static void one_at_a_time_stays_one_at_a_time(void **state)
{
    (void)state;
    begin(12, 1u << SHARE_USER);
    shares.user_count = 0;
    add(ADA, 0, 6, "v30");
    add(BOB, 0, 6, "v30");
    EXPECT("list", "0 io@6 4 wait 9 io@6 10", "0 wait 4 io@6 9");
}

/* What both are ahead or behind when they end together does not grow while neither wants anything:
 * after a long time of work all is as after a short one. */
static void time_in_which_none_wants_bandwidth_is_not_charged(void **state)
{
    (void)state;
    double ends[2][2];
    for (int slow = 0; slow < 2; slow++) {
        double work = slow ? 1000 : 1;
        begin(10, 1u << SHARE_USER);
        add(ADA, 0, 7, slow ? "v70 w1000 v700" : "v70 w1 v700");
        add(BOB, 0, 7, slow ? "v30 w1000 v700" : "v30 w1 v700");
        struct outcome *outcome = small_run(&small, "fcfs", NULL);
        for (int id = 0; id < 2; id++)
            ends[slow][id] = outcome->apps[id].completion - work;
        outcome_free(outcome);
    }
    expect_near(ends[1][0], ends[0][0], 1e-6);
    expect_near(ends[1][1], ends[0][1], 1e-6);
}

/* Both post at 1. ada has 4 of 12 until 3, and then is alone: 8 + 24 bytes in 4 s. bob has 8 of 12
 * until 3: 16 bytes in 2 s. In the window from 2 on ada moves 4 + 24 in 3 s, and bob 8 in 1 s. */
static void users_are_measured_while_they_want_bandwidth(void **state)
{
    (void)state;
    static const struct share_user weights[] = {{"bob", NULL, 2}};
    for (int window = 0; window < 2; window++) {
        begin(12, 1u << SHARE_USER);
        shares.users = weights;
        add(ADA, PHYSICS, 12, "w1 v8 v24");
        add(BOB, CHEMISTRY, 12, "w1 v16 w2");
        add(EVE, CHEMISTRY, 12, "w1");
        if (window)
            small_window(&small, 2, 5);
        struct outcome *outcome = small_run(&small, "fair-share", NULL);
        struct weir_party_metrics users_[3], accounts_[2];
        metrics_compute_parties(&small.workload, outcome, PARTY_USER, users_);
        metrics_compute_parties(&small.workload, outcome, PARTY_ACCOUNT, accounts_);
        expect_near(users_[0].bytes, window ? 4 + 24 : 32, 1e-9);
        expect_near(users_[0].io_time, window ? 3 : 4, 1e-9);
        expect_near(users_[0].bandwidth_share, window ? 28 / 36.0 : 32 / 48.0, 1e-9);
        expect_near(users_[1].bytes, window ? 8 : 16, 1e-9);
        expect_near(users_[1].io_time, window ? 1 : 2, 1e-9);
        expect_near(users_[1].bandwidth_share, 8 / 12.0, 1e-9);
        assert_true(users_[2].bytes == 0 && isnan(users_[2].bandwidth_share));
        /* eve has gone before the window. */
        assert_true(accounts_[1].applications == (window ? 1 : 2));
        assert_true(accounts_[0].applications == 1);
        /* bob needs 5 s where 1 + 16 / 12 + 2 would do; eve, of the same account, no longer. */
        if (!window) {
            expect_near(accounts_[1].max_stretch, 5 / (3 + 16 / 12.0), 1e-9);
            expect_near(accounts_[1].mean_stretch, (1 + 5 / (3 + 16 / 12.0)) / 2, 1e-9);
        }
        outcome_free(outcome);
    }
}

/* ada works for 1 s, is first served, and held when the window ends: the work is not lost. */
static void one_that_is_held_keeps_what_it_has_done(void **state)
{
    (void)state;
    begin(12, 1u << SHARE_USER);
    shares.user_count = 0;
    add(ADA, 0, 12, "w1 v60");
    add(BOB, 0, 12, "w1 v60");
    small_window(&small, 0, 4);
    struct outcome *outcome = small_run(&small, "fcfs", NULL);
    for (int id = 0; id < 2; id++)
        expect_near(outcome->spans[id].work, 1, 1e-12);
    /* ada has moved 24 of the 36 that she would have moved alone, bob 12. */
    expect_near(outcome->spans[0].lost, 1, 1e-12);
    expect_near(outcome->spans[1].lost, 2, 1e-12);
    outcome_free(outcome);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fair_share_follows_the_tree_exactly),
        cmocka_unit_test(what_a_user_cannot_use_is_lent),
        cmocka_unit_test(by_size_applications_have_parts_by_their_nodes),
        cmocka_unit_test(the_one_that_got_less_than_its_part_goes_first),
        cmocka_unit_test(one_that_is_held_gets_what_the_others_cannot_use),
        cmocka_unit_test(short_transfers_of_one_user_do_not_starve_another),
        cmocka_unit_test(bandwidth_that_others_left_unused_is_not_held_against_a_user),
        cmocka_unit_test(one_at_a_time_stays_one_at_a_time),
        cmocka_unit_test(one_that_is_held_keeps_what_it_has_done),
        cmocka_unit_test(time_in_which_none_wants_bandwidth_is_not_charged),
        cmocka_unit_test(users_are_measured_while_they_want_bandwidth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

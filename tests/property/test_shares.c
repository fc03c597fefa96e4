/* What is true of shares on top of every strategy, whatever the scenario. Each run is checked:
 * nobody exceeds its bmax nor all together B, those that waste nothing still do not, and every byte
 * is moved. */
#include "common.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct small small;

static const char *const user_names[] = {"ada", "bob", "eve"};
static const char *const account_names[] = {"physics", "chemistry"};
static const struct share_account accounts[] = {
    {"physics", NULL, 3}, {"chemistry", NULL, 1}, {"stars", "physics", 0.5}};
static const struct share_user users[] = {{"ada", "physics", 2}, {"bob", NULL, 5}};
static struct shares shares;
static struct owner owners[SMALL_APPS];

/* Every set of levels that a file can have; not both of the last two. */
static const unsigned level_sets[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

static void roll(uint32_t seed, unsigned flags, unsigned levels)
{
    dice_roll(&small, seed, flags);
    shares = (struct shares){.levels = levels,
                             .period = seed % 3 ? 0.5 : 20,
                             .accounts = accounts,
                             .account_count = 3,
                             .users = users,
                             .user_count = 2};
    small.workload.shares = &shares;
    small.workload.owners = owners;
    small.workload.parties[PARTY_USER] = (struct parties){user_names, 3};
    small.workload.parties[PARTY_ACCOUNT] = (struct parties){account_names, 2};
    for (uint32_t id = 0; id < small.workload.count; id++) {
        owners[id] = (struct owner){{(seed + id) % 4, (seed / 4 + id / 2) % 3}};
    }
}

/* Calls `examine` for scenarios with these flags under every strategy. */
typedef void examine(const struct policy *policy, uint32_t seed);
static void for_all(unsigned flags, uint32_t scenarios, examine *examine_one)
{
    for (int i = 0; policy_all[i]; i++) {
        struct err err;
        struct policy *policy = policy_open(policy_all[i], &err);
        assert_non_null(policy);
        for (uint32_t seed = 0; seed < scenarios; seed++) {
            roll(seed, flags, level_sets[seed % (sizeof level_sets / sizeof *level_sets)]);
            examine_one(policy, seed);
        }
        policy_free(policy);
    }
}

static void finish_everything(const struct policy *policy, uint32_t seed)
{
    struct timeline timeline = {0};
    double bytes[SMALL_APPS] = {0};
    (void)seed;
    struct outcome *outcome = small_run_policy(&small, policy, &timeline);
    for (size_t i = 0; i < timeline.count; i++) {
        const struct segment *segment = &timeline.segments[i];
        bytes[segment->app] += (segment->end - segment->start) * segment->rate;
    }
    for (uint32_t id = 0; id < small.workload.count; id++) {
        const struct weir_app *facts = &small.apps[id].facts;
        assert_false(isnan(outcome->apps[id].completion));
        expect_near(bytes[id], facts->total_io * facts->bmax, 1e-7);
        assert_true(outcome->apps[id].lost >= -1e-9);
        expect_near(outcome->apps[id].completion - facts->release,
                    facts->progress + facts->total_work + facts->total_io + outcome->apps[id].lost,
                    1e-8);
    }
    timeline_fini(&timeline);
    outcome_free(outcome);
}

static void every_byte_moves_under_every_strategy(void **state)
{
    (void)state;
    for_all(DICE_RELEASES, 44, finish_everything);
    for_all(DICE_GRID | DICE_IDENTICAL, 22, finish_everything);
    for_all(DICE_MANY, 4, finish_everything);
}

static void end_with_late_releases(const struct policy *policy, uint32_t seed)
{
    (void)seed;
    small.release_latency = 0.25;
    struct outcome *outcome = small_run_policy(&small, policy, NULL);
    for (uint32_t id = 0; id < small.workload.count; id++)
        assert_true(isfinite(outcome->apps[id].completion));
    outcome_free(outcome);
}

static void late_releases_of_bandwidth_change_nothing_about_that(void **state)
{
    (void)state;
    for_all(DICE_RELEASES, 11, end_with_late_releases);
}

static void end_with_the_window(const struct policy *policy, uint32_t seed)
{
    struct timeline timeline = {0};
    double end = small.workload.window.kind == WINDOW_FIXED ? small.workload.window.end : INFINITY;
    (void)seed;
    struct outcome *outcome = small_run_policy(&small, policy, &timeline);
    assert_true(timeline.count > 0);
    for (size_t i = 0; i < timeline.count; i++)
        assert_true(timeline.segments[i].end <= end);
    timeline_fini(&timeline);
    outcome_free(outcome);
}

static void nothing_happens_after_a_window(void **state)
{
    (void)state;
    for_all(DICE_RELEASES | DICE_WINDOW, 11, end_with_the_window);
}

/* One party has all, and is never ahead: what the strategy alone would do. Under one that divides,
 * the sums are taken in another order. */
static void be_alone(const struct policy *policy, uint32_t seed)
{
    shares.levels = 1u << (seed % 2 ? SHARE_USER : SHARE_ACCOUNT);
    for (uint32_t id = 0; id < small.workload.count; id++)
        owners[id] = (struct owner){{1, 1}};
    struct outcome *with = small_run_policy(&small, policy, NULL);
    small.workload.shares = NULL;
    struct outcome *without = small_run_policy(&small, policy, NULL);
    bool divides = policy->ops->flags & (WEIR_SHARES | WEIR_DIVIDES);
    for (uint32_t id = 0; id < small.workload.count; id++) {
        if (divides)
            expect_near(with->apps[id].completion, without->apps[id].completion, 1e-9);
        else
            assert_memory_equal(&with->apps[id], &without->apps[id], sizeof *with->apps);
    }
    outcome_free(with);
    outcome_free(without);
}

static void shares_of_a_single_user_change_nothing(void **state)
{
    (void)state;
    for_all(DICE_RELEASES, 20, be_alone);
}

/* Bytes that each application has moved. */
static void add_up_bytes(const struct timeline *timeline, double *bytes)
{
    for (size_t i = 0; i < timeline->count; i++) {
        const struct segment *segment = &timeline->segments[i];
        bytes[segment->app] += (segment->end - segment->start) * segment->rate;
    }
}

/* Two users with one application each that want all, for ever: by the weights 1 and 3 under every
 * strategy, to the period. Strategies that serve in rounds are not free to. */
static void two_users_who_want_all_get_it_by_their_weights(void **state)
{
    (void)state;
    static const struct share_user weights[] = {{"ada", NULL, 1}, {"bob", NULL, 3}};
    for (int i = 0; policy_all[i]; i++) {
        if (strncmp(policy_all[i], "periodic:", 9) == 0)
            continue;
        small_init(&small, 10);
        small.workload.parties[PARTY_USER] = (struct parties){user_names, 3};
        shares = (struct shares){
            .levels = 1u << SHARE_USER, .period = 2, .users = weights, .user_count = 2};
        small.workload.shares = &shares;
        small.workload.owners = owners;
        for (uint32_t user = 1; user <= 2; user++) {
            struct app *app = small_add(&small, 10, user == 1 ? "v50" : "v7");
            small_repeat(app, user == 1 ? 40 : 286);
            owners[user - 1] = (struct owner){{user, 0}};
        }
        small_window(&small, 0, 200);
        struct timeline timeline = {0};
        double bytes[2] = {0};
        outcome_free(small_run(&small, policy_all[i], &timeline));
        add_up_bytes(&timeline, bytes);
        timeline_fini(&timeline);
        /* 2000 bytes in all; ahead by at most 20 and one event. */
        if (!(fabs(bytes[0] - 500) <= 21 && fabs(bytes[1] - 1500) <= 21))
            fail_msg("%s: %g and %g", policy_all[i], bytes[0], bytes[1]);
    }
}

/* All want all for ever: physics 3 and chemistry 1, in physics ada 2 and bob 1, and each has
 * several applications. None is ahead of its part by more than the period, on any level. */
static void nobody_is_ahead_of_its_part_by_more_than_the_period(void **state)
{
    (void)state;
    static const struct {
        uint32_t user, account;
        double part;
    } all[] = {{1, 1, 0.25}, {1, 1, 0.25}, {2, 1, 0.25}, {3, 2, 0.125}, {3, 2, 0.125}};
    for (int i = 0; policy_all[i]; i++) {
        if (strncmp(policy_all[i], "periodic:", 9) == 0)
            continue;
        roll(0, 0, 7);
        small_init(&small, 10);
        shares.period = 2;
        shares.user_count = 1;
        small.workload.shares = &shares;
        small.workload.owners = owners;
        small.workload.parties[PARTY_USER] = (struct parties){user_names, 3};
        small.workload.parties[PARTY_ACCOUNT] = (struct parties){account_names, 2};
        for (uint32_t k = 0; k < 5; k++) {
            small_repeat(small_add(&small, 10, k % 2 ? "v50" : "v7"), 1000);
            owners[k] = (struct owner){{all[k].user, all[k].account}};
        }
        small_window(&small, 0, 300);
        struct timeline timeline = {0};
        double bytes[5] = {0}, by_user[4] = {0}, by_account[3] = {0};
        outcome_free(small_run(&small, policy_all[i], &timeline));
        add_up_bytes(&timeline, bytes);
        timeline_fini(&timeline);
        for (uint32_t k = 0; k < 5; k++) {
            double ahead = bytes[k] - 3000 * all[k].part;
            by_user[all[k].user] += ahead;
            by_account[all[k].account] += ahead;
            if (ahead > 20.01)
                fail_msg("%s: application %u is ahead by %g", policy_all[i], k, ahead);
        }
        for (uint32_t k = 1; k < 4; k++)
            if (by_user[k] > 20.01 || (k < 3 && by_account[k] > 20.01))
                fail_msg("%s: user %u is ahead by %g", policy_all[i], k, by_user[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_moves_under_every_strategy),
        cmocka_unit_test(late_releases_of_bandwidth_change_nothing_about_that),
        cmocka_unit_test(nothing_happens_after_a_window),
        cmocka_unit_test(shares_of_a_single_user_change_nothing),
        cmocka_unit_test(two_users_who_want_all_get_it_by_their_weights),
        cmocka_unit_test(nobody_is_ahead_of_its_part_by_more_than_the_period),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What is true of every strategy, or of some, whatever the scenario. */
#include "base/random.h"
#include "common.h"
#include "metric/metric.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct small small, other;

/* Calls `examine` for scenarios with these flags under every strategy. */
typedef void examine(const struct policy *policy, uint32_t seed);
static void for_all(unsigned flags, uint32_t scenarios, examine *examine_one)
{
    for (int i = 0; policy_all[i]; i++) {
        struct err err;
        struct policy *policy = policy_open(policy_all[i], &err);
        assert_non_null(policy);
        for (uint32_t seed = 0; seed < scenarios; seed++) {
            dice_roll(&small, seed, flags);
            examine_one(policy, seed);
        }
        policy_free(policy);
    }
}

/* --- every strategy --------------------------------------------------------------------------- */

/* What a timeline says of one application. */
struct account {
    double end, work, bytes, lost;
};

static struct account *add_up(const struct timeline *timeline, struct account *accounts)
{
    for (uint32_t id = 0; id < small.workload.count; id++)
        accounts[id] = (struct account){.end = fmax(0, small.apps[id].facts.release)};
    for (size_t i = 0; i < timeline->count; i++) {
        const struct segment *segment = &timeline->segments[i];
        struct account *account = &accounts[segment->app];
        double length = segment->end - segment->start, bmax = small.apps[segment->app].facts.bmax;
        assert_true(length > 0);
        assert_true(fabs(segment->start - account->end) <= 1e-12 * segment->start);
        account->end = segment->end;
        account->work += segment->kind == SEGMENT_WORK ? length : 0;
        account->bytes += length * segment->rate;
        account->lost += segment->kind == SEGMENT_WORK ? 0 : length * (1 - segment->rate / bmax);
    }
    return accounts;
}

static void account_for_everything(const struct policy *policy, uint32_t seed)
{
    struct timeline timeline = {0};
    struct account accounts[SMALL_APPS];
    struct outcome *outcome = small_run_policy(&small, policy, &timeline);
    (void)seed;
    add_up(&timeline, accounts);
    for (uint32_t id = 0; id < small.workload.count; id++) {
        const struct app *app = &small.apps[id];
        const struct app_outcome *result = &outcome->apps[id];
        double volume = app->facts.total_io * app->facts.bmax;
        double before = fmax(0, fmax(0, -app->facts.release) - app->facts.progress);
        expect_near(result->lost,
                    app->facts.release < outcome->end ? before + accounts[id].lost : 0, 1e-8);
        if (isnan(result->completion)) {
            assert_true(small.workload.window.kind == WINDOW_FIXED);
            assert_true(accounts[id].bytes <= volume * (1 + 1e-9) + 1e-6);
            if (app->facts.release < outcome->end)
                expect_near(accounts[id].end, outcome->end, 1e-12);
        } else {
            expect_near(accounts[id].end, result->completion, 1e-12);
            expect_near(accounts[id].work, app->facts.total_work, 1e-9);
            expect_near(accounts[id].bytes, volume, 1e-7);
        }
    }
    timeline_fini(&timeline);
    outcome_free(outcome);
}

static void every_second_and_every_byte_is_accounted_for(void **state)
{
    (void)state;
    for_all(DICE_RELEASES | DICE_WINDOW, 400, account_for_everything);
    for_all(DICE_RELEASES | DICE_WINDOW | DICE_GRID | DICE_IDENTICAL, 400, account_for_everything);
    for_all(DICE_FULL, 200, account_for_everything);
}

static void account_for_a_late_release(const struct policy *policy, uint32_t seed)
{
    small.release_latency = seed % 2 ? 0.01 : 1.5;
    account_for_everything(policy, seed);
}

static void nothing_is_missing_when_the_end_of_a_transfer_is_noticed_late(void **state)
{
    (void)state;
    for_all(DICE_RELEASES | DICE_WINDOW, 100, account_for_a_late_release);
    for_all(DICE_RELEASES | DICE_WINDOW | DICE_GRID | DICE_IDENTICAL, 100,
            account_for_a_late_release);
}

static void run_alone(const struct policy *policy, uint32_t seed)
{
    small.workload.count = 1;
    struct outcome *outcome = small_run_policy(&small, policy, NULL);
    struct weir_app_metrics metrics;
    metrics_compute_app(&small.workload, outcome, 0, &metrics);
    if (!(fabs(metrics.stretch - 1) <= 1e-9 && fabs(metrics.yield - 1) <= 1e-9))
        fail_msg("%s, seed %u: stretch %.17g, yield %.17g", policy->name, seed, metrics.stretch,
                 metrics.yield);
    outcome_free(outcome);
}

static void one_application_alone_has_stretch_1(void **state)
{
    (void)state;
    for_all(0, 100, run_alone);
    for_all(DICE_GRID, 100, run_alone);
}

static void run_twice(const struct policy *policy, uint32_t seed)
{
    struct outcome *a = small_run_policy(&small, policy, NULL);
    struct outcome *b = small_run_policy(&small, policy, NULL);
    (void)seed;
    assert_memory_equal(a->apps, b->apps, small.workload.count * sizeof(*a->apps));
    assert_true(a->events == b->events && a->decisions == b->decisions && a->end == b->end);
    outcome_free(a);
    outcome_free(b);
}

static void two_runs_give_the_same_bits(void **state)
{
    (void)state;
    for_all(DICE_RELEASES | DICE_WINDOW, 60, run_twice);
}

static void slow_nobody(const struct policy *policy, uint32_t seed)
{
    struct outcome *outcome = small_run_policy(&small, policy, NULL);
    struct weir_metrics metrics;
    metrics_compute(&small.workload, outcome, &metrics);
    double longest = 0, sum = 0;
    for (uint32_t id = 0; id < small.workload.count; id++) {
        longest = fmax(longest, app_ideal(&small.apps[id]));
        sum += small.apps[id].facts.total_io * small.apps[id].facts.bmax / 10;
        struct weir_app_metrics app;
        metrics_compute_app(&small.workload, outcome, id, &app);
        assert_true(app.stretch >= 1 - 1e-9);
        /* Without a past, yield and stretch are each other's inverse at the end. */
        expect_near(app.yield * app.stretch, 1, 1e-9);
    }
    assert_true(metrics.makespan >= fmax(longest, sum) * (1 - 1e-9));
    if (strncmp(policy->name, "list:", 5) == 0 && !(metrics.makespan <= 2 * fmax(longest, sum)))
        fail_msg("%s, seed %u: makespan %g against %g", policy->name, seed, metrics.makespan,
                 fmax(longest, sum));
    outcome_free(outcome);
}

/* Thesis, theorem 3. */
static void no_list_order_takes_more_than_twice_the_lower_bound(void **state)
{
    (void)state;
    for_all(DICE_FULL, 300, slow_nobody);
    for_all(DICE_FULL | DICE_GRID | DICE_IDENTICAL, 300, slow_nobody);
}

/* --- some strategies -------------------------------------------------------------------------- */

static void compare(const char *a, const char *b, uint32_t seed)
{
    struct outcome *x = small_run(&small, a, NULL), *y = small_run(&small, b, NULL);
    for (uint32_t id = 0; id < small.workload.count; id++)
        if (!(fabs(x->apps[id].completion - y->apps[id].completion) <=
              1e-9 * fmax(1, x->apps[id].completion)))
            fail_msg("%s and %s, seed %u, application %u: %.17g, %.17g", a, b, seed, id,
                     x->apps[id].completion, y->apps[id].completion);
    outcome_free(x);
    outcome_free(y);
}

static void fair_share_is_best_effort_when_all_bmax_are_equal(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 2000; seed++) {
        dice_roll(&small, seed, DICE_SAME | DICE_RELEASES | (seed % 2 ? DICE_GRID : 0));
        compare("fair-share", "best-effort", seed);
    }
}

/* Served alone, in full and to the end, is what fcfs does when nobody leaves anything over. */
static void list_fifo_is_fcfs_when_everybody_saturates_the_file_system(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 1000; seed++) {
        dice_roll(&small, seed, DICE_FULL | DICE_RELEASES | (seed % 2 ? DICE_GRID : 0));
        compare("fcfs", "list:order=fifo", seed);
        compare("fcfs", "fcfs:priority", seed);
    }
}

static void extreme_parameters_are_other_strategies(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 1000; seed++) {
        dice_roll(&small, seed, DICE_RELEASES | (seed % 2 ? DICE_GRID : 0));
        /* Nobody is below 0. */
        compare("floor:level=0", "greedy-com", seed);
        compare("min-max:gamma=0", "max-syseff", seed);
        /* A timer that never rings. */
        compare("periodic-greedy-yield:delta=1e9", "greedy-yield", seed);
    }
}

/* --- the order of applications ---------------------------------------------------------------- */

/* The same applications in the opposite order. */
static void reverse(void)
{
    uint32_t count = small.workload.count;
    other.workload = small.workload;
    other.workload.apps = other.apps;
    for (uint32_t id = 0; id < count; id++)
        other.apps[id] = small.apps[count - 1 - id];
}

static void order_does_not_matter(const char *policy, unsigned flags)
{
    for (uint32_t seed = 0; seed < 500; seed++) {
        dice_roll(&small, seed, flags);
        reverse();
        struct outcome *x = small_run(&small, policy, NULL), *y = small_run(&other, policy, NULL);
        for (uint32_t id = 0; id < small.workload.count; id++) {
            double there = y->apps[small.workload.count - 1 - id].completion;
            if (!(fabs(x->apps[id].completion - there) <= 1e-9 * fmax(1, there)))
                fail_msg("%s, seed %u, application %u: %.17g, reversed %.17g", policy, seed, id,
                         x->apps[id].completion, there);
        }
        outcome_free(x);
        outcome_free(y);
    }
}

static void sharing_does_not_depend_on_the_order_of_applications(void **state)
{
    (void)state;
    order_does_not_matter("fair-share", DICE_RELEASES | DICE_GRID | DICE_IDENTICAL);
    order_does_not_matter("best-effort", DICE_RELEASES | DICE_GRID | DICE_IDENTICAL);
}

/* With numbers that are never equal the index has nothing to decide. */
static void keys_that_differ_do_not_depend_on_the_order_of_applications(void **state)
{
    (void)state;
    order_does_not_matter("greedy-com", 0);
    order_does_not_matter("list:order=shortest-io", 0);
    order_does_not_matter("list:order=longest-io", 0);
    order_does_not_matter("list:order=most-remaining", 0);
    order_does_not_matter("list:order=shortest-remaining", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_second_and_every_byte_is_accounted_for),
        cmocka_unit_test(nothing_is_missing_when_the_end_of_a_transfer_is_noticed_late),
        cmocka_unit_test(one_application_alone_has_stretch_1),
        cmocka_unit_test(two_runs_give_the_same_bits),
        cmocka_unit_test(no_list_order_takes_more_than_twice_the_lower_bound),
        cmocka_unit_test(fair_share_is_best_effort_when_all_bmax_are_equal),
        cmocka_unit_test(list_fifo_is_fcfs_when_everybody_saturates_the_file_system),
        cmocka_unit_test(extreme_parameters_are_other_strategies),
        cmocka_unit_test(sharing_does_not_depend_on_the_order_of_applications),
        cmocka_unit_test(keys_that_differ_do_not_depend_on_the_order_of_applications),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

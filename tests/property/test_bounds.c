/* No schedule passes a bound: neither that of a strategy, nor one of all that serve the
 * applications in some order between two events. */
#include "bound/bound.h"
#include "bound/optimum.h"
#include "bound/prices.h"
#include "common.h"
#include "metric/metric.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct small small;

static void expect_at_most(double value, double bound, const char *what, uint32_t seed)
{
    if (!isnan(value) && !isnan(bound) && value > bound + 1e-7 * fmax(1, fabs(bound)))
        fail_msg("seed %u: %s is %.17g, the bound %.17g", seed, what, value, bound);
}

/* The bound on SysEfficiency, where it was looked for. */
static double priced = NAN;

/* Checks the run of one strategy. */
static struct weir_metrics check_run(const struct policy *policy, const struct bounds *bounds,
                                     uint32_t seed)
{
    struct weir_metrics metrics;
    struct outcome *outcome = small_run_policy(&small, policy, NULL);
    metrics_compute(&small.workload, outcome, &metrics);
    outcome_free(outcome);
    expect_at_most(metrics.min_yield, bounds->min_yield, "MinYield", seed);
    expect_at_most(metrics.efficiency, bounds->efficiency, "Efficiency", seed);
    expect_at_most(-metrics.makespan, -bounds->makespan, "-makespan", seed);
    expect_at_most(-metrics.max_stretch, -bounds->max_stretch, "-max stretch", seed);
    expect_at_most(metrics.sys_efficiency, priced, "SysEfficiency", seed);
    return metrics;
}

static struct bounds find_bounds(void)
{
    struct bounds bounds;
    assert_int_equal(workload_set_window(&small.workload, small.workload.window, NULL), 0);
    assert_int_equal(bounds_find(&small.workload, &bounds, NULL), 0);
    return bounds;
}

static void no_strategy_passes_a_bound(void **state)
{
    (void)state;
    static const char *const names[] = {"fair-share",     "fcfs",    "greedy-yield", "greedy-com",
                                        "critical-yield", "surplus", "set-10",       NULL};
    struct policy *policies[7];
    for (int i = 0; names[i]; i++)
        assert_non_null(policies[i] = policy_open(names[i], NULL));
    for (uint32_t seed = 0; seed < 2000; seed++) {
        dice_roll(&small, seed, DICE_RELEASES | DICE_WINDOW | (seed % 4 == 0 ? DICE_GRID : 0));
        struct bounds bounds = find_bounds();
        for (int i = 0; names[i]; i++) {
            struct weir_metrics metrics = check_run(policies[i], &bounds, seed);
            double efficiency;
            assert_int_equal(bounds_efficiency(&small.workload, metrics.min_yield * (1 - 1e-9),
                                               &efficiency, NULL),
                             0);
            expect_at_most(metrics.efficiency, efficiency, "Efficiency at its MinYield", seed);
        }
    }
    for (int i = 0; names[i]; i++)
        policy_free(policies[i]);
}

/* SysEfficiency is bounded for applications that start together: the same workloads without their
 * releases. It must also be worth something: on some of them it is below what is possible alone. */
static void no_strategy_passes_the_bound_on_sys_efficiency(void **state)
{
    (void)state;
    static const char *const names[] = {"fair-share",     "fcfs",     "greedy-yield", "greedy-com",
                                        "critical-yield", "clearing", "max-syseff",   "pace"};
    enum { NAMES = sizeof names / sizeof *names };
    struct policy *policies[NAMES];
    int bounded = 0, useful = 0;
    for (int i = 0; i < NAMES; i++)
        assert_non_null(policies[i] = policy_open(names[i], NULL));
    for (uint32_t seed = 0; seed < 60; seed++) {
        dice_roll(&small, seed, seed % 4 == 0 ? DICE_GRID : 0);
        struct bounds bounds = find_bounds();
        assert_int_equal(prices_find(&small.workload, &priced, NULL), 0);
        bounded += !isnan(priced);
        for (int i = 0; i < NAMES; i++) {
            struct weir_metrics metrics = check_run(policies[i], &bounds, seed);
            useful += i == 0 && priced < (1 - 1e-3) * metrics.sys_efficiency_bound;
        }
    }
    priced = NAN;
    print_message("SysEfficiency: %d bounds, %d of them useful\n", bounded, useful);
    assert_true(bounded > 50);
    assert_true(useful > 20);
    for (int i = 0; i < NAMES; i++)
        policy_free(policies[i]);
}

/* --- all schedules -------------------------------------------------------------------------- */

enum { DEPTH = 64, MOST_SCHEDULES = 600 };

/* At the d-th decision the one with index choice[d] among `options[d]` is served first. */
static struct {
    uint32_t choice[DEPTH], options[DEPTH], depth;
} tree;

static void follow_tree(void *state, const struct weir_view *view, struct weir_grants *grants)
{
    (void)state;
    uint32_t depth = tree.depth < DEPTH ? tree.depth++ : DEPTH - 1;
    uint32_t first = tree.choice[depth] % view->active_count;
    double left = view->bandwidth;
    tree.options[depth] = view->active_count;
    for (uint32_t i = 0; i < view->active_count; i++) {
        uint32_t id = view->active[(first + i) % view->active_count];
        double rate = fmin(view->runs[id].app->bmax, left);
        weir_grant(grants, id, rate);
        left -= rate;
    }
}

/* The next path; false if that was the last. */
static bool next_path(void)
{
    while (tree.depth-- > 0) {
        if (++tree.choice[tree.depth] < tree.options[tree.depth])
            return true;
        tree.choice[tree.depth] = 0;
    }
    return false;
}

static const struct weir_policy_ops ops = {
    .abi = WEIR_POLICY_ABI, .name = "any order", .decide = follow_tree};

/* The best of all orders of service; false if there are too many. */
static bool try_all(const struct policy *policy, const struct bounds *bounds, uint32_t seed,
                    double *best)
{
    *best = 0;
    for (uint32_t d = 0; d < DEPTH; d++)
        tree.choice[d] = 0;
    for (int i = 0; i < MOST_SCHEDULES; i++) {
        tree.depth = 0;
        *best = fmax(*best, check_run(policy, bounds, seed).min_yield);
        if (!next_path())
            return true;
    }
    return false;
}

/* And they are not far away from the best. */
/* Few applications with few I/Os each. */
static void roll_few(uint32_t seed, unsigned flags)
{
    dice_roll(&small, seed, flags);
    small.workload.count = small.workload.count > 3 ? 3 : small.workload.count;
    for (uint32_t id = 0; id < small.workload.count; id++) {
        if (small.apps[id].facts.iterations > 3)
            small.apps[id].facts.iterations = 3;
        app_profile(&small.apps[id]);
    }
}

static void no_schedule_at_all_passes_the_bound_on_sys_efficiency(void **state)
{
    (void)state;
    struct policy *policy = policy_wrap(&ops, NULL, NULL);
    for (uint32_t seed = 0; seed < 60; seed++) {
        double best;
        roll_few(seed, seed % 4 == 0 ? DICE_GRID : 0);
        struct bounds bounds = find_bounds();
        assert_int_equal(prices_find(&small.workload, &priced, NULL), 0);
        try_all(policy, &bounds, seed, &best);
    }
    priced = NAN;
    policy_free(policy);
}

static void no_schedule_at_all_passes_a_bound(void **state)
{
    (void)state;
    struct policy *policy = policy_wrap(&ops, NULL, NULL);
    double reached = 0, bound = 0;
    for (uint32_t seed = 0; seed < 10000; seed++) {
        double best;
        roll_few(seed, DICE_WINDOW | (seed % 4 == 0 ? DICE_GRID : DICE_RELEASES));
        struct bounds bounds = find_bounds();
        try_all(policy, &bounds, seed, &best);
        reached += best;
        bound += bounds.min_yield;
    }
    policy_free(policy);
    print_message("MinYield: bound %.4f, best schedule %.4f\n", bound / 10000, reached / 10000);
    assert_true(reached > 0.9 * bound);
}

/* --- the optimum ------------------------------------------------------------------------------ */

/* Workloads whose applications can each use the whole bandwidth. */
static void roll_wide(uint32_t seed, bool window)
{
    dice_roll(&small, seed, window ? DICE_WINDOW : DICE_RELEASES);
    small.workload.count = small.workload.count > 3 ? 3 : small.workload.count;
    for (uint32_t id = 0; id < small.workload.count; id++) {
        small.apps[id].facts.bmax = small.workload.platform.bandwidth;
        if (small.apps[id].facts.iterations > 4)
            small.apps[id].facts.iterations = 4;
        app_profile(&small.apps[id]);
    }
}

static void the_optimum_is_the_best_of_all_schedules(void **state)
{
    (void)state;
    struct policy *policy = policy_wrap(&ops, NULL, NULL);
    const struct optimum_effort effort = {.most = 100000};
    uint32_t compared = 0, proved = 0;
    for (uint32_t seed = 0; seed < 3000; seed++) {
        struct optimum optimum;
        double best;
        bool window = seed % 2;
        roll_wide(seed, window);
        struct bounds bounds = find_bounds();
        assert_int_equal(optimum_find(&small.workload, &effort, &optimum, NULL), 0);
        bool all = try_all(policy, &bounds, seed, &best);
        expect_at_most(best, optimum.bound, "the best order", seed);
        expect_at_most(optimum.bound, bounds.min_yield, "the bound by search", seed);
        proved += optimum.proved;
        if (!optimum.proved || !all)
            continue;
        /* Inside a window two I/Os that do not end may share what is left, in any proportion. */
        expect_at_most(best - OPTIMUM_GAP, optimum.reached, "the best order", seed);
        if (!window)
            expect_at_most(optimum.reached, best, "the optimum", seed);
        compared++;
    }
    policy_free(policy);
    assert_true(compared > 2000 && proved > 2900);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_strategy_passes_a_bound),
        cmocka_unit_test(no_strategy_passes_the_bound_on_sys_efficiency),
        cmocka_unit_test(no_schedule_at_all_passes_the_bound_on_sys_efficiency),
        cmocka_unit_test(no_schedule_at_all_passes_a_bound),
        cmocka_unit_test(the_optimum_is_the_best_of_all_schedules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

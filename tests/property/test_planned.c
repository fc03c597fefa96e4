/* What is true of the strategies that follow a plan, however little the scenario is like it. */
#include "common.h"
#include "plan/persched.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct small small;

static const char *const strategies[] = {"plan", "apio", "apio:barrier",
                                         "replan"};
enum { STRATEGIES = sizeof strategies / sizeof *strategies };

/* A plan of the mean lengths, or NULL where there is nothing to plan. */
static struct plan *make_plan(void)
{
    struct err err = {0};
    struct tasks tasks;
    struct persched options = persched_defaults;
    struct plan *plan = NULL;
    options.search = PLAN_SEARCH_PAPER;
    for (uint32_t id = 0; id < small.workload.count; id++)
        app_profile(&small.apps[id]);
    if (tasks_init(&tasks, &small.workload, &err) == 0)
        plan = persched_plan(&tasks, &options, &err);
    if (plan && plan_validate(plan, &tasks, &err) < 0) {
        plan_free(plan);
        plan = NULL;
    }
    tasks_fini(&tasks);
    return plan;
}

/* Bandwidths, bytes and the end of the run are checked by the simulator itself. */
static struct outcome *run(const char *name, const struct plan *plan)
{
    struct err err = {0};
    struct policy *policy = policy_open(name, &err);
    assert_non_null(policy);
    small.plan = plan;
    struct outcome *outcome = small_run_policy(&small, policy, NULL);
    small.plan = NULL;
    policy_free(policy);
    return outcome;
}

static uint32_t run_all(unsigned flags, uint32_t seeds)
{
    uint32_t planned = 0;
    for (uint32_t seed = 0; seed < seeds; seed++) {
        dice_roll(&small, seed, flags);
        struct plan *plan = make_plan();
        planned += plan != NULL;
        for (int s = 0; plan && s < STRATEGIES; s++) {
            struct outcome *first = run(strategies[s], plan), *second = run(strategies[s], plan);
            assert_memory_equal(first->apps, second->apps,
                                small.workload.count * sizeof *first->apps);
            for (uint32_t id = 0; id < small.workload.count; id++)
                assert_true(small.workload.window.kind == WINDOW_FIXED ||
                            isfinite(first->apps[id].completion));
            outcome_free(first);
            outcome_free(second);
        }
        plan_free(plan);
    }
    return planned;
}

static void no_rule_is_broken_and_everybody_ends_when_lengths_are_not_as_planned(void **state)
{
    (void)state;
    uint32_t planned = run_all(0, 300) + run_all(DICE_RELEASES, 300) + run_all(DICE_GRID, 300) +
                       run_all(DICE_RELEASES | DICE_WINDOW, 300) +
                       run_all(DICE_FULL | DICE_RELEASES, 300);
    assert_true(planned > 500);
}

static void one_application_alone_is_never_delayed_by_apio(void **state)
{
    (void)state;
    uint32_t planned = 0;
    for (uint32_t seed = 0; seed < 100; seed++) {
        dice_roll(&small, seed, 0);
        small.workload.count = 1;
        struct plan *plan = make_plan();
        if (!plan)
            continue;
        struct outcome *outcome = run("apio", plan);
        expect_near(outcome->apps[0].completion, app_ideal(&small.apps[0]), 1e-9);
        outcome_free(outcome);
        plan_free(plan);
        planned++;
    }
    assert_true(planned > 50);
}

/* Moves everything to `seconds` later. */
static void shift_all(double seconds)
{
    for (uint32_t id = 0; id < small.workload.count; id++)
        small.apps[id].facts.release += seconds;
}

static void a_run_many_periods_later_is_the_same(void **state)
{
    (void)state;
    static const double shifts[] = {86400, 365 * 86400.0, 3650 * 86400.0};
    uint32_t planned = 0;
    for (uint32_t seed = 0; seed < 200; seed++) {
        dice_roll(&small, seed, 0);
        struct plan *plan = make_plan();
        planned += plan != NULL;
        for (int i = 0; plan && i < 3 * STRATEGIES; i++) {
            double shift = floor(shifts[i % 3] / plan->period) * plan->period;
            struct outcome *now = run(strategies[i / 3], plan);
            shift_all(shift);
            struct outcome *later = run(strategies[i / 3], plan);
            shift_all(-shift);
            for (uint32_t id = 0; id < small.workload.count; id++) {
                double a = now->apps[id].completion, b = later->apps[id].completion - shift;
                if (!(fabs(a - b) <= 1e-6 * now->end))
                    fail_msg("%s, seed %u, application %u: %.9g, %g s later %.9g",
                             strategies[i / 3], seed, id, a, shift, b);
            }
            outcome_free(now);
            outcome_free(later);
        }
        plan_free(plan);
    }
    assert_true(planned > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_rule_is_broken_and_everybody_ends_when_lengths_are_not_as_planned),
        cmocka_unit_test(one_application_alone_is_never_delayed_by_apio),
        cmocka_unit_test(a_run_many_periods_later_is_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

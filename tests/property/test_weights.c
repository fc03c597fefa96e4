/* A higher weight means served earlier: under every strategy, at the first decision in which the
 * weight of an application makes a difference, that application gets at least as much as before. */
#include "base/random.h"
#include "common.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct small small;

/* What an application gets at a time; -1 while it works or is not there. */
static double rate_at(const struct timeline *timeline, uint32_t app, double time)
{
    for (size_t i = 0; i < timeline->count; i++) {
        const struct segment *segment = &timeline->segments[i];
        if (segment->app == app && segment->start <= time && time < segment->end)
            return segment->kind == SEGMENT_WORK ? -1 : segment->rate;
    }
    return -1;
}

static bool differ_at(const struct timeline *a, const struct timeline *b, double time)
{
    for (uint32_t app = 0; app < small.workload.count; app++)
        if (fabs(rate_at(a, app, time) - rate_at(b, app, time)) > 1e-9)
            return true;
    return false;
}

/* Runs are compared this long after each change, since shares round the times of changes. */
#define AFTER 1e-7

/* The first time at which two runs differ, INFINITY if they never do. */
static double first_difference(const struct timeline *a, const struct timeline *b)
{
    const struct timeline *both[] = {a, b};
    double first = INFINITY;
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < both[side]->count; i++) {
            double time = both[side]->segments[i].start + AFTER;
            if (time < first && differ_at(a, b, time))
                first = time;
        }
    return first;
}

/* Raises the weight of one application of the scenario. A live controller that is told a weight
 * raises the share with it (docs/reference/live.md). Returns how much more it got when that first mattered,
 * 0 if it never did. */
static double gain_by_weight(const struct policy *policy, uint32_t seed)
{
    struct timeline before = {0}, after = {0};
    struct random dice = random_at(seed, 0, 1);
    uint32_t app = random_below(&dice, small.workload.count);
    double factor = random_between(&dice, 1.1, 20), gain = 0;
    outcome_free(small_run_policy(&small, policy, &before));
    small.apps[app].facts.weight *= factor;
    small.apps[app].facts.share = (float)factor;
    outcome_free(small_run_policy(&small, policy, &after));
    double first = first_difference(&before, &after);
    if (first < INFINITY)
        gain = rate_at(&after, app, first) - rate_at(&before, app, first);
    if (gain < -1e-9)
        fail_msg("%s, seed %u: application %u of %g times the weight gets %g less at %g",
                 policy->name, seed, app, factor, -gain, first);
    timeline_fini(&before);
    timeline_fini(&after);
    return gain;
}

static bool uses_weights(const char *policy)
{
    static const char *const names[] = {"fair-share", "min-dilation", "max-syseff", "min-max",
                                        "replan"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(policy, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static void a_higher_weight_is_served_earlier_under_every_strategy_that_uses_it(void **state)
{
    (void)state;
    for (int i = 0; policy_all[i]; i++) {
        struct err err;
        struct policy *policy = policy_open(policy_all[i], &err);
        double gain = 0;
        assert_non_null(policy);
        for (uint32_t seed = 0; seed < 400; seed++) {
            dice_roll(&small, seed, DICE_RELEASES | (seed % 2 ? DICE_GRID | DICE_IDENTICAL : 0));
            gain += gain_by_weight(policy, seed);
        }
        if (uses_weights(policy_all[i]) != (gain > 0))
            fail_msg("%s: gains %g in all", policy_all[i], gain);
        policy_free(policy);
    }
}

/* Before anything is finished every dilation is without bound: weights decide from the start. */
static void a_weight_counts_from_the_first_iteration(void **state)
{
    (void)state;
    for (int i = 0; policy_all[i]; i++) {
        if (!uses_weights(policy_all[i]) || strcmp(policy_all[i], "fair-share") == 0)
            continue;
        small_init(&small, 1);
        small_add(&small, 1, "w1 v1");
        small_add(&small, 1, "w1 v1")->facts.weight = 2;
        const char *const lanes[] = {"0 work 1 wait 2 io@1 3", "0 work 1 io@1 2"};
        small_expect(&small, policy_all[i], lanes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_higher_weight_is_served_earlier_under_every_strategy_that_uses_it),
        cmocka_unit_test(a_weight_counts_from_the_first_iteration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

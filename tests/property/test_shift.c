/* A run that happens later is the same run. */
#include "base/random.h"
#include "common.h"
#include "plan/persched.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define DAY  86400.0
#define YEAR (365 * DAY)

static struct small small;

/* A random scenario in which everything takes `pace` times as long; all is released in the first
 * seconds. Some have tiny I/Os beside huge ones. Of some the ends of I/Os are noticed late. */
static void roll(uint32_t seed, unsigned flags, double pace)
{
    static const double sizes[] = {1e-4, 1, 1e3};
    struct random dice = random_at(seed, flags, 1);
    bool mixed = seed / 8 % 2 == 1;
    dice_roll(&small, seed, flags);
    for (uint32_t id = 0; id < small.workload.count; id++) {
        struct app *app = &small.apps[id];
        for (uint32_t k = 0; k < app->facts.iterations; k++) {
            small.iterations[id][k].work *= pace;
            small.iterations[id][k].volume *= pace * (mixed ? sizes[id % 3] : 1);
        }
        app->facts.period *= pace;
        app->facts.release = pace * random_between(&dice, 0, 4);
        app_profile(app);
    }
    small.release_latency = seed % 3 == 0 ? 0.05 * pace : 0;
    struct window *window = &small.workload.window;
    window->start *= pace;
    window->end *= pace;
}

static void shift(double seconds)
{
    for (uint32_t id = 0; id < small.workload.count; id++)
        small.apps[id].facts.release += seconds;
    if (small.workload.window.kind == WINDOW_FIXED) {
        small.workload.window.start += seconds;
        small.workload.window.end += seconds;
    }
}

/* Runs now and `seconds` later, and compares: to a part in a million of the time it takes. */
static void compare(const struct policy *policy, uint32_t seed, double seconds)
{
    struct outcome *now = small_run_policy(&small, policy, NULL);
    shift(seconds);
    struct outcome *later = small_run_policy(&small, policy, NULL);
    shift(-seconds);
    for (uint32_t id = 0; id < small.workload.count; id++) {
        const struct app_outcome *a = &now->apps[id], *b = &later->apps[id];
        double most = 1e-6 * now->end;
        bool both = isnan(a->completion) && isnan(b->completion);
        if (!(both || fabs(b->completion - seconds - a->completion) <= most) ||
            !(fabs(b->lost - a->lost) <= most) || !(fabs(b->done_ideal - a->done_ideal) <= most))
            fail_msg("%s, seed %u, application %u: complete at %.9g, %g s later at %.9g; lost %.9g "
                     "and %.9g",
                     policy->name, seed, id, a->completion, seconds, b->completion - seconds,
                     a->lost, b->lost);
    }
    outcome_free(now);
    outcome_free(later);
}

/* Phases take seconds, or tens of milliseconds. */
static const double paces[] = {1, 0.1};

/* Up to six applications: with tens of them, strategies that compare yields decide between some
 * that are equal to the last digits of the time, and go on differently. Releases that differ by
 * 4 ns, the precision of a time after a year, have the same effect. */
static void a_run_ten_years_later_is_the_same_under_every_strategy(void **state)
{
    (void)state;
    static const unsigned flags[] = {0, DICE_WINDOW, DICE_FULL, DICE_SAME};
    for (int i = 0; policy_all[i]; i++) {
        struct err err;
        struct policy *policy = policy_open(policy_all[i], &err);
        assert_non_null(policy);
        for (uint32_t seed = 0; seed < 300; seed++) {
            roll(seed, flags[seed % 4], paces[seed / 4 % 2]);
            compare(policy, seed, 0);
            compare(policy, seed, DAY);
            compare(policy, seed, YEAR);
            compare(policy, seed, 10 * YEAR);
        }
        policy_free(policy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_ten_years_later_is_the_same_under_every_strategy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

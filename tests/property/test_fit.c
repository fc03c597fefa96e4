/* Strategies with WEIR_GRANTS_ALL are not asked where all active applications fit: nothing else
 * changes, and an event costs the same however many are active. */
#include "common.h"
#include "sim/sim.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static struct small small;

static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void expect_same_bits(const char *name, uint32_t seed, const struct policy *policy,
                             const struct policy *asked)
{
    struct outcome *a = small_run_policy(&small, policy, NULL);
    struct outcome *b = small_run_policy(&small, asked, NULL);
    if (a->events != b->events || a->decisions != b->decisions)
        fail_msg("%s, seed %u: other events or decisions", name, seed);
    for (uint32_t id = 0; id < small.workload.count; id++)
        if (!same(a->apps[id].completion, b->apps[id].completion) ||
            !same(a->apps[id].lost, b->apps[id].lost))
            fail_msg("%s, seed %u, application %u: %.17g, if asked %.17g", name, seed, id,
                     a->apps[id].completion, b->apps[id].completion);
    outcome_free(a);
    outcome_free(b);
}

/* From a file system that is always congested to one that never is. */
static void play(const char *name, unsigned flags, uint32_t seeds)
{
    struct err err;
    struct policy *policy = policy_open(name, &err), *asked = policy_open(name, &err);
    assert_true(policy && asked);
    struct weir_policy_ops plain = *policy->ops;
    plain.flags &= ~(unsigned)WEIR_GRANTS_ALL;
    asked->ops = &plain;
    for (uint32_t seed = 0; seed < seeds; seed++) {
        dice_roll(&small, seed, flags);
        small.workload.platform.bandwidth *= 1 + seed % 4;
        small.progress_age = seed % 5 == 4 ? 2.5 : 0;
        expect_same_bits(name, seed, policy, asked);
    }
    policy_free(policy);
    policy_free(asked);
}

static void not_being_asked_where_all_fit_changes_no_bit(void **state)
{
    (void)state;
    int flagged = 0;
    for (int i = 0; policy_registry[i]; i++) {
        const struct weir_policy_ops *ops = policy_registry[i];
        if (!(ops->flags & WEIR_GRANTS_ALL))
            continue;
        flagged++;
        play(ops->name, DICE_RELEASES | DICE_WINDOW, 200);
        play(ops->name, DICE_GRID | DICE_IDENTICAL | DICE_RELEASES, 200);
        play(ops->name, DICE_MANY | DICE_GRID | DICE_IDENTICAL, 12);
    }
    assert_true(flagged >= 11);
}

/* --- the cost --------------------------------------------------------------------------------- */

enum { MANY = 8000 };

/* Seconds of processor time for many applications that all fit, most of them active at a time. */
static double spend(const struct workload *workload, const char *name)
{
    struct err err;
    struct policy *policy = policy_open(name, &err);
    assert_non_null(policy);
    clock_t start = clock();
    struct outcome *outcome = sim_run(workload, policy, NULL, &err);
    double spent = (double)(clock() - start) / CLOCKS_PER_SEC;
    assert_non_null(outcome);
    outcome_free(outcome);
    policy_free(policy);
    return spent;
}

static double spend_least(const struct workload *workload, const char *name)
{
    double least = INFINITY;
    for (int i = 0; i < 3; i++)
        least = fmin(least, spend(workload, name));
    return least;
}

/* Asked at every event, greedy-yield would take some 10 times, look-ahead 100 times as long. */
static void without_congestion_an_event_costs_the_same_whatever_the_number_of_applications(
    void **state)
{
    (void)state;
    const struct iteration iteration = {.work = 1, .volume = 1000};
    struct app *apps = calloc(MANY, sizeof *apps);
    struct workload workload = {.apps = apps, .count = MANY};
    assert_non_null(apps);
    small_init(&small, MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        /* The iterations of the first serve all. */
        apps[i] = i == 0 ? *small_add_list(&small, 1, &iteration, 1) : apps[0];
        apps[i].facts.release = 0.125 * i;
    }
    workload.platform = small.workload.platform;
    workload.window = small.workload.window;
    double fcfs = spend_least(&workload, "fcfs");
    for (int i = 0; policy_registry[i]; i++)
        if (policy_registry[i]->flags & WEIR_GRANTS_ALL) {
            double own = spend_least(&workload, policy_registry[i]->name);
            if (own > 4 * fcfs + 0.005)
                fail_msg("%s: %g s, fcfs %g s", policy_registry[i]->name, own, fcfs);
        }
    free(apps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(not_being_asked_where_all_fit_changes_no_bit),
        cmocka_unit_test(
            without_congestion_an_event_costs_the_same_whatever_the_number_of_applications),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

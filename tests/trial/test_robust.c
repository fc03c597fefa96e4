/* A plan keeps what it promises where phases vary a little. */
#include "gen/family.h"
#include "gen/gen.h"
#include "trial/planned.h"
#include "trial/trial.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Each phase is longer or shorter by up to this part, */
#define NOISE 0.001
/* and this part of the promised SysEfficiency remains. */
#define KEPT 0.99

/* The SysEfficiency of a run to completion under the plan, with noise, over what it promises. */
static double keep(const struct workload *workload, const struct policy *policy, uint64_t seed)
{
    struct err err;
    struct tasks tasks;
    struct row row;
    struct plan *plan = trial_plan(workload, policy, NULL, &err);
    struct workload *noisy = workload_perturb(workload, NOISE, seed, &err);
    assert_true(plan && noisy && tasks_init(&tasks, workload, &err) == 0);
    struct trial trial = {.workload = noisy, .policy = policy, .options = {.plan = plan}};
    if (trial_run(&trial, &row, &err) < 0)
        fail_msg("%s", err.text);
    double kept = row.metrics.sys_efficiency / plan_sys_efficiency(plan, &tasks);
    row_fini(&row);
    tasks_fini(&tasks);
    workload_free(noisy);
    plan_free(plan);
    return kept;
}

static void expect_kept(const char *name, double set, uint64_t seed)
{
    struct err err;
    double values[FAMILY_MOST_PARAMS];
    const struct family *family = family_find(name, &err);
    struct policy *policy = policy_open("plan", &err);
    assert_true(family && policy);
    family_defaults(family, values);
    if (set > 0)
        values[0] = set;
    struct scenario *scenario = family_make(family, values, seed, &err);
    assert_non_null(scenario);
    scenario->window = (struct window){.kind = WINDOW_NONE};
    for (uint32_t i = 0; i < scenario->count; i++) /* beginning and end count less */
        scenario->apps[i].iterations *= 5;
    struct workload *workload = workload_realise(scenario, &err);
    assert_non_null(workload);
    double kept = keep(workload, policy, seed);
    if (!(kept >= KEPT))
        fail_msg("%s %g, seed %u: %.4f of the promise", name, set, (unsigned)seed, kept);
    workload_free(workload);
    scenario_free(scenario);
    policy_free(policy);
}

static void it_does_on_the_sets_of_jupiter(void **state)
{
    (void)state;
    static const int sets[] = {1, 2, 4}; /* the most crowded ones, and one with a little room */
    for (int i = 0; i < 3; i++)
        expect_kept("jupiter", sets[i], 1);
}

static void it_does_on_random_sets(void **state)
{
    (void)state;
    expect_kept("intrepid", 0, 1);
    expect_kept("mira", 0, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_does_on_the_sets_of_jupiter),
        cmocka_unit_test(it_does_on_random_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

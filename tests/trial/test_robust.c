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

/* With a hundred iterations or so, so that the beginning and the end count little. */
static void expect_kept_of(struct scenario *scenario, uint64_t seed)
{
    struct err err;
    struct policy *policy = policy_open("plan", &err);
    assert_true(policy && scenario);
    scenario->window = (struct window){.kind = WINDOW_NONE};
    for (uint32_t i = 0; i < scenario->count; i++) {
        struct app_spec *app = &scenario->apps[i];
        app->iterations *= 5;
        app->work = (struct amount){.mean = amount_mean(&app->work)}; /* varied below */
    }
    struct workload *workload = workload_realise(scenario, &err);
    assert_non_null(workload);
    double kept = keep(workload, policy, seed);
    if (!(kept >= KEPT))
        fail_msg("%s, seed %u: %.4f of the promise", scenario->name, (unsigned)seed, kept);
    workload_free(workload);
    scenario_free(scenario);
    policy_free(policy);
}

/* A family with up to two parameters. */
static void expect_kept(const char *name, const char *set, const char *load)
{
    struct err err;
    double values[FAMILY_MOST_PARAMS];
    const struct family *family = family_find(name, &err);
    assert_non_null(family);
    family_defaults(family, values);
    assert_true((!set || family_set(family, set, values, &err) == 0) &&
                (!load || family_set(family, load, values, &err) == 0));
    expect_kept_of(family_make(family, values, 1, &err), 1);
}

/* The most crowded sets, and one with a little room. */
static void it_does_on_the_sets_of_jupiter(void **state)
{
    (void)state;
    expect_kept("jupiter", "set=1", NULL);
    expect_kept("jupiter", "set=2", NULL);
    expect_kept("jupiter", "set=4", NULL);
}

static void it_does_on_random_sets(void **state)
{
    (void)state;
    expect_kept("intrepid", NULL, NULL);
    expect_kept("mira", NULL, NULL);
}

static void it_does_on_the_sets_of_apio_under_load(void **state)
{
    (void)state;
    expect_kept("apio", "set=1", "load=1");
    expect_kept("apio", "set=6", "load=1");
}

/* The jobs of tests/cluster/mix.sh, ten times as long. */
static void it_does_on_the_mix_of_the_cluster(void **state)
{
    (void)state;
    static const struct iteration each[] = {{0.5, 25e6}, {0.25, 10e6}, {0.125, 2.5e6}};
    static const uint32_t times[] = {6, 12, 28};
    struct scenario *scenario = scenario_new("mix", 3);
    assert_non_null(scenario);
    scenario->platform = (struct platform){.bandwidth = 49.5e6, .node_bandwidth = 49.5e6};
    for (int i = 0; i < 3; i++) {
        scenario->apps[i].name = "job";
        scenario->apps[i].nodes = 2;
        scenario->apps[i].iterations = times[i];
        scenario->apps[i].work.mean = each[i].work;
        scenario->apps[i].io.mean = each[i].volume;
    }
    expect_kept_of(scenario, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_does_on_the_sets_of_jupiter),
        cmocka_unit_test(it_does_on_random_sets),
        cmocka_unit_test(it_does_on_the_sets_of_apio_under_load),
        cmocka_unit_test(it_does_on_the_mix_of_the_cluster),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

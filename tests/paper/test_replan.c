/* What planning while applications run gains on the ten Jupiter sets, over the strategies that only
 * react: the best of them all in SysEfficiency, and a file system that shares evenly. */
#include "persched.h"
#include "policy/policy.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* All applications run all the time, in a window after they were learnt: a strategy gains nothing
 * by letting some of them end first. Alone, each would be busy for 20 LONGER of the longest
 * iterations, so none ends in it. */
enum { LONGER = 5 };
#define LEARNT 0.2

static void watch(struct workload *workload)
{
    double shortest = INFINITY;
    for (uint32_t id = 0; id < workload->count; id++) {
        workload->apps[id].facts.iterations *= LONGER;
        app_profile(&workload->apps[id]);
        shortest = fmin(shortest, app_ideal(&workload->apps[id]));
    }
    workload->window =
        (struct window){.kind = WINDOW_FIXED, .start = LEARNT * shortest, .end = shortest};
}

/* How much of all nodes works, and how much slower than alone the slowest is. */
struct result {
    double efficiency, stretch;
};

static struct result run(const struct workload *workload, const char *policy)
{
    struct weir_metrics metrics = simulate(workload, policy);
    double nodes = 0;
    for (uint32_t id = 0; id < workload->count; id++)
        nodes += workload->apps[id].facts.nodes;
    return (struct result){metrics.utilization * nodes / fmax(nodes, workload->platform.nodes),
                           1 / metrics.min_yield};
}

/* The strategy with the highest efficiency of those that only react. */
static const char *find_best(const struct workload *workload, struct result *best)
{
    const char *name = "none";
    for (int i = 0; policy_all[i]; i++) {
        if (strncmp(policy_all[i], "replan", 6) == 0)
            continue;
        struct result result = run(workload, policy_all[i]);
        if (result.efficiency <= best->efficiency)
            continue;
        name = policy_all[i];
        *best = result;
    }
    return name;
}

static void planning_while_they_run_is_as_good_as_the_best_and_better_than_sharing(void **state)
{
    (void)state;
    printf("     SysEfficiency                           largest stretch\n"
           "set    even planned    best  replan   bound    even planned    best  replan  best\n");
    for (int set = 1; set <= JUPITER_SETS; set++) {
        struct planning jupiter = planning_open(make_jupiter(set));
        struct plan_bounds bounds;
        struct result best = {0};
        assert_int_equal(bounds_compute(&jupiter.tasks, &bounds), 0);
        watch(jupiter.workload);
        const char *name = find_best(jupiter.workload, &best);
        struct result even = run(jupiter.workload, "best-effort");
        struct result planned = run(jupiter.workload, "replan:online=best-effort");
        struct result replan = run(jupiter.workload, "replan");
        printf("%3d  %.4f  %.4f  %.4f  %.4f  %.4f  %.4f  %.4f  %.4f  %.4f  %s\n", set,
               even.efficiency, planned.efficiency, best.efficiency, replan.efficiency,
               bounds.sys_efficiency_bandwidth, even.stretch, planned.stretch, best.stretch,
               replan.stretch, name);
        assert_true(planned.efficiency >= even.efficiency * (1 - 1e-3));
        assert_true(replan.efficiency >= best.efficiency * (1 - 2e-3));
        planning_close(&jupiter);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planning_while_they_run_is_as_good_as_the_best_and_better_than_sharing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

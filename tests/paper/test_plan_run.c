/* The plans of the ten Jupiter sets, run in the simulator: what a plan promises per period is what
 * a long run gets. */
#include "persched.h"
#include <stdio.h>

/* The initial phase costs an application up to one distance between its instances, and the last
 * iterations of some run beside less company than planned; both become small in a long run. */
enum { LONGER = 20 };

/* All applications run this many times as long. */
static void lengthen(struct workload *workload)
{
    for (uint32_t id = 0; id < workload->count; id++) {
        workload->apps[id].facts.iterations *= LONGER;
        app_profile(&workload->apps[id]);
    }
}

static void a_long_run_has_the_efficiency_and_the_dilation_of_its_plan(void **state)
{
    (void)state;
    printf("set  SysEfficiency: plan  run  apio | Dilation: plan  run  apio\n");
    for (int set = 1; set <= JUPITER_SETS; set++) {
        struct planning jupiter = planning_open(make_jupiter(set));
        struct plan *plan = planning_run(&jupiter, PLAN_SEARCH_PAPER, jupiter_starts[set - 1]);
        double efficiency = plan_sys_efficiency(plan, &jupiter.tasks);
        double dilation = plan_max_dilation(plan, &jupiter.tasks);
        lengthen(jupiter.workload);
        struct weir_metrics run = simulate_plan(jupiter.workload, "plan", plan);
        struct weir_metrics apio = simulate_plan(jupiter.workload, "apio", plan);
        printf("%3d %.6f %.6f %.6f | %.5f %.5f %.5f\n", set, efficiency, run.sys_efficiency,
               apio.sys_efficiency, dilation, run.dilation, apio.dilation);
        assert_near(run.sys_efficiency / efficiency, 1, 2e-3);
        assert_near(run.dilation / dilation, 1, 2e-3);
        /* To move instances forward into what is free harms nobody when all lengths are known. */
        assert_true(apio.sys_efficiency >= run.sys_efficiency * (1 - 1e-4));
        assert_true(apio.dilation <= run.dilation * (1 + 1e-4));
        plan_free(plan);
        planning_close(&jupiter);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_run_has_the_efficiency_and_the_dilation_of_its_plan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Our search on the ten Jupiter sets, as far as it goes by itself. */
#include "persched.h"
#include <stdio.h>

static void it_is_never_worse_than_published_and_within_two_permille_of_the_bound(void **state)
{
    (void)state;
    printf("set  published       ours      bound   gap %%\n");
    for (int set = 1; set <= JUPITER_SETS; set++) {
        struct planning planning = planning_open(make_jupiter(set));
        struct plan_bounds bounds;
        assert_int_equal(bounds_compute(&planning.tasks, &bounds), 0);
        planning.options.jobs = 2;
        struct plan *plan = planning_run(&planning, PLAN_SEARCH_BEST, 0);
        double ours = plan_sys_efficiency(plan, &planning.tasks);
        double gap = 1 - ours / bounds.sys_efficiency_bandwidth;
        printf("%3d %10.6f %10.6f %10.6f %7.3f\n", set, published[set - 1].sys_efficiency, ours,
               bounds.sys_efficiency_bandwidth, 100 * gap);
        planning_validate(&planning, plan);
        assert_true(ours > published[set - 1].sys_efficiency * (1 - 1e-6));
        assert_true(gap >= 0 && gap < 0.002);
        plan_free(plan);
        planning_close(&planning);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_never_worse_than_published_and_within_two_permille_of_the_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* PerSched (Aupy et al. 2017) on the ten Jupiter sets: what the published program prints, to six
 * digits, and our own search beside it. */
#include "persched.h"
#include <math.h>
#include <stdio.h>

static void assert_six_digits(double ours, double theirs)
{
    assert_near(ours, theirs, 5.5e-6 * pow(10, floor(log10(theirs))));
}

static void the_published_search_gives_the_published_digits(void **state)
{
    (void)state;
    printf("set  SysEfficiency   Dilation          T\n");
    for (int set = 1; set <= SETS; set++) {
        struct planning planning = planning_open(make_jupiter(set));
        struct plan *plan = planning_run(&planning, PLAN_SEARCH_PAPER, published[set - 1].start);
        double efficiency = plan_sys_efficiency(plan, &planning.tasks);
        double dilation = plan_max_dilation(plan, &planning.tasks);
        printf("%3d %14.7f %10.5f %10.2f\n", set, efficiency, dilation, plan->period);
        assert_six_digits(efficiency, published[set - 1].sys_efficiency);
        assert_six_digits(dilation, published[set - 1].dilation);
        assert_six_digits(plan->period, published[set - 1].period);
        plan_free(plan);
        planning_close(&planning);
    }
}

static void on_set_1_the_bounds_show_that_persched_is_nearly_optimal(void **state)
{
    (void)state;
    struct planning planning = planning_open(make_jupiter(1));
    struct plan_bounds bounds;
    assert_int_equal(bounds_compute(&planning.tasks, &bounds), 0);
    /* Ten of w = 76.8 s, v = 235.8 GB, p = 64 and bmax = 0.64 GB/s, so tio = 368.4375 s, on N = 640
     * and B = 3 GB/s. B / v = 0.0127226 instances per second in all, each 64 * 76.8 node-seconds:
     * 0.0127226 * 64 * 76.8 / 640 = 0.0977099. Without contention each has 76.8 / 445.2375 =
     * 0.1724922. Dilation: 10 * 235.8 / (445.2375 * 3) = 1.7653500. */
    assert_near(bounds.sys_efficiency_bandwidth, 0.0977099, 1e-7);
    assert_near(bounds.sys_efficiency, 0.1724922, 1e-7);
    assert_near(bounds.dilation_bandwidth, 1.7653500, 1e-7);
    planning_close(&planning);
}

static bool is_enough(void *left)
{
    return --*(int *)left < 0;
}

static void our_search_is_valid_and_no_worse_even_when_it_is_cut_short(void **state)
{
    (void)state;
    for (int set = 1; set <= SETS; set++) {
        struct planning planning = planning_open(make_jupiter(set));
        double start = published[set - 1].start;
        int left = 1;
        planning.options.stop = is_enough;
        planning.options.context = &left;
        struct plan *theirs = planning_run(&planning, PLAN_SEARCH_PAPER, start);
        struct plan *ours = planning_run(&planning, PLAN_SEARCH_BEST, start);
        planning_validate(&planning, ours);
        assert_true(plan_sys_efficiency(ours, &planning.tasks) >=
                    plan_sys_efficiency(theirs, &planning.tasks));
        plan_free(theirs);
        plan_free(ours);
        planning_close(&planning);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_search_gives_the_published_digits),
        cmocka_unit_test(on_set_1_the_bounds_show_that_persched_is_nearly_optimal),
        cmocka_unit_test(our_search_is_valid_and_no_worse_even_when_it_is_cut_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

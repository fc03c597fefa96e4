/* Our search on the random sets of Intrepid and Mira (Aupy et al. 2017, section 4.4), 100 each:
 * never worse than the published one, and on average at most half as far from the bound; and as
 * good as the best online strategy, no more. */
#include "persched.h"
#include "policy/policy.h"
#include <math.h>
#include <stdio.h>

enum { RANDOM_SETS = 100 };

static double gap(const struct planning *planning, const struct plan *plan)
{
    struct plan_bounds bounds;
    assert_int_equal(bounds_compute(&planning->tasks, &bounds), 0);
    return 1 - plan_sys_efficiency(plan, &planning->tasks) / bounds.sys_efficiency_bandwidth;
}

static void compare(const struct family *family)
{
    double published_gap = 0, our_gap = 0;
    double slides = 0, all = 0; /* ours / that of the best online strategy */
    for (uint64_t seed = 1; seed <= RANDOM_SETS; seed++) {
        struct planning planning = planning_open(make_random(family, seed));
        planning.options.jobs = 2;
        struct plan *paper = planning_run(&planning, PLAN_SEARCH_PAPER, 0);
        struct plan *ours = planning_run(&planning, PLAN_SEARCH_BEST, 0);
        planning_validate(&planning, ours);
        if (plan_validate(paper, &planning.tasks, NULL) == 0)
            assert_true(gap(&planning, ours) <= gap(&planning, paper) + 1e-9);
        published_gap += gap(&planning, paper) / RANDOM_SETS;
        our_gap += gap(&planning, ours) / RANDOM_SETS;
        double efficiency = plan_sys_efficiency(ours, &planning.tasks) / RANDOM_SETS;
        slides += efficiency / planning_online(&planning, slides_strategies).sys_efficiency;
        all += efficiency / planning_online(&planning, policy_all).sys_efficiency;
        plan_free(paper);
        plan_free(ours);
        planning_close(&planning);
    }
    printf("%-10s mean gap to the bound: published %.2f %%, ours %.2f %%\n", family->name,
           100 * published_gap, 100 * our_gap);
    printf("%-10s ours: SysEfficiency %+.2f %% beside the best of the slides, %+.2f %% beside the "
           "best of all\n",
           family->name, 100 * (slides - 1), 100 * (all - 1));
    assert_true(our_gap <= published_gap / 2);
    assert_true(fabs(slides - 1) < 0.02 && fabs(all - 1) < 0.01);
}

static void on_intrepid_the_mean_gap_is_at_most_half(void **state)
{
    (void)state;
    compare(&family_intrepid);
}

static void on_mira_the_mean_gap_is_at_most_half(void **state)
{
    (void)state;
    compare(&family_mira);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_intrepid_the_mean_gap_is_at_most_half),
        cmocka_unit_test(on_mira_the_mean_gap_is_at_most_half),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

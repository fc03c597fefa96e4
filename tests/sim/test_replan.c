/* replan in virtual time: applications that repeat themselves get a plan, the others do not. */
#include "sim/sim.h"
#include "support/small.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct small small;

/* Three that would use 1.2 times the bandwidth of 10 bytes/s; alone, an iteration takes 10 s. */
static void start(void)
{
    small_init(&small, 10);
    small_add(&small, 10, "w6 v40 x50");
    small_add(&small, 10, "w6 v40 x50");
    small_add(&small, 10, "w6 v40 x50");
}

/* The work of all per second and application, when the last one ends. */
static double efficiency(const char *policy)
{
    struct outcome *outcome = small_run(&small, policy, NULL);
    double sum = 0;
    for (uint32_t id = 0; id < small.workload.count; id++)
        sum += small.apps[id].facts.total_work / outcome->apps[id].completion;
    outcome_free(outcome);
    return sum / small.workload.count;
}

static void two_runs_are_the_same(void **state)
{
    (void)state;
    start();
    struct outcome *first = small_run(&small, "replan", NULL);
    struct outcome *second = small_run(&small, "replan", NULL);
    assert_memory_equal(first->apps, second->apps, small.workload.count * sizeof *first->apps);
    outcome_free(first);
    outcome_free(second);
}

static void a_plan_replaces_a_strategy_that_shares(void **state)
{
    (void)state;
    start();
    for (uint32_t id = 0; id < 3; id++)
        app_profile(&small.apps[id]);
    /* When all move at the same time, each gets a third: an iteration takes 6 + 12 s, and work is a
     * third of it. In turn it takes 12 s, what the bandwidth allows, and work is a half. */
    expect_near(efficiency("best-effort"), 6.0 / 18, 1e-9);
    double planned = efficiency("replan:online=best-effort");
    assert_true(planned > 0.47 && planned < 0.5);
}

static void without_steady_iterations_it_is_the_online_strategy(void **state)
{
    (void)state;
    static const struct iteration uneven[] = {{6, 40}, {9, 10}, {2, 80}, {12, 40}, {1, 5},
                                              {7, 60}, {3, 20}, {8, 90}, {5, 10}};
    small_init(&small, 10);
    for (int i = 0; i < 3; i++)
        small_add_list(&small, 10, uneven + i, 7);
    struct outcome *online = small_run(&small, "greedy-yield", NULL);
    struct outcome *both = small_run(&small, "replan:online=greedy-yield", NULL);
    assert_memory_equal(online->apps, both->apps, 3 * sizeof *online->apps);
    outcome_free(online);
    outcome_free(both);
}

static void one_that_comes_in_between_is_served_and_planned_later(void **state)
{
    (void)state;
    start();
    struct app *late = small_add(&small, 10, "w6 v40 x20");
    late->facts.release = 100;
    struct outcome *outcome = small_run(&small, "replan:online=best-effort", NULL);
    /* While four are there an iteration takes 16 s if all are treated alike, and 22 s if they move
     * at the same time, as they do for its first three iterations. */
    double took = outcome->apps[3].completion - 100;
    assert_true(took >= 20 * 10 && took < 3 * 22 + 17 * 17);
    outcome_free(outcome);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_runs_are_the_same),
        cmocka_unit_test(a_plan_replaces_a_strategy_that_shares),
        cmocka_unit_test(without_steady_iterations_it_is_the_online_strategy),
        cmocka_unit_test(one_that_comes_in_between_is_served_and_planned_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

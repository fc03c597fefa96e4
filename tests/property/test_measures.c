/* What is true of the measures of a run, whenever its applications are there. */
#include "common.h"
#include "metric/metric.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct small small;

/* A random scenario whose releases are spread this much wider, so that many do not run together. */
static void roll(uint32_t seed, double spread)
{
    dice_roll(&small, seed, DICE_RELEASES | DICE_WINDOW | (seed % 3 == 0 ? DICE_GRID : 0));
    small.workload.platform.nodes = 0;
    for (uint32_t id = 0; id < small.workload.count; id++) {
        struct weir_app *facts = &small.apps[id].facts;
        facts->release *= facts->release > 0 ? spread : 1;
        facts->release += facts->release >= 0 && spread > 1 ? id * spread : 0;
        small.workload.platform.nodes = fmax(small.workload.platform.nodes, facts->nodes);
    }
    struct window window = small.workload.window;
    window.end =
        window.kind == WINDOW_FIXED ? window.start + (window.end - window.start) * spread : 0;
    assert_int_equal(workload_set_window(&small.workload, window, NULL), 0);
}

static struct weir_metrics measure(const char *policy)
{
    struct weir_metrics metrics;
    struct outcome *outcome = small_run(&small, policy, NULL);
    metrics_compute(&small.workload, outcome, &metrics);
    outcome_free(outcome);
    return metrics;
}

static void expect_share(double value, const char *name, uint32_t seed)
{
    if (!isnan(value) && !(value >= 0 && value <= 1 + 1e-9))
        fail_msg("seed %u: %s is %.17g", seed, name, value);
}

static const char *const strategies[] = {"fair-share", "fcfs", "greedy-com", NULL};
static const double spreads[] = {1, 4, 40};

static void no_efficiency_is_above_1(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 600; seed++)
        for (int i = 0; strategies[i]; i++) {
            roll(seed, spreads[seed % 3]);
            struct weir_metrics metrics = measure(strategies[i]);
            expect_share(metrics.efficiency, "efficiency", seed);
            expect_share(metrics.utilization, "utilization", seed);
            expect_share(metrics.sys_efficiency, "sys_efficiency", seed);
            expect_share(metrics.sys_efficiency_bound, "sys_efficiency_bound", seed);
            expect_share(metrics.min_yield, "min_yield", seed);
            assert_true(metrics.io_pressure >= 0);
            assert_true(metrics.io_pressure <= small.workload.count * (1 + 1e-9));
        }
}

/* As the papers print them, of applications that are all there at some time of the run. */
static void measures_of_applications_that_run_together_are_the_papers(void **state)
{
    (void)state;
    uint32_t together = 0, apart = 0;
    for (uint32_t seed = 0; seed < 600; seed++) {
        roll(seed, spreads[seed % 3]);
        double nodes = 0, sum = 0, work = 0;
        for (uint32_t id = 0; id < small.workload.count; id++)
            nodes += small.apps[id].facts.nodes;
        small.workload.platform.nodes = nodes + seed % 2;
        if (small.workload.window.kind != WINDOW_NONE || !small.workload.occupancy.together) {
            apart++;
            continue;
        }
        together++;
        struct outcome *outcome = small_run(&small, "fcfs", NULL);
        struct weir_metrics metrics;
        metrics_compute(&small.workload, outcome, &metrics);
        for (uint32_t id = 0; id < small.workload.count; id++) {
            const struct weir_app *facts = &small.apps[id].facts;
            double age = outcome->apps[id].completion - facts->release;
            sum += facts->nodes * (outcome->apps[id].done_work / age);
            work += facts->nodes * outcome->spans[id].work;
        }
        assert_true(metrics.sys_efficiency == sum / small.workload.platform.nodes);
        assert_true(metrics.utilization == work / (nodes * (outcome->end - outcome->start)));
        outcome_free(outcome);
    }
    assert_true(together > 50 && apart > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_efficiency_is_above_1),
        cmocka_unit_test(measures_of_applications_that_run_together_are_the_papers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

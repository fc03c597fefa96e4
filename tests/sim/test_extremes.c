/* Amounts and times that are very small or very large, under every strategy. */
#include "metric/metric.h"
#include "support/small.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define DAY  86400.0
#define YEAR (365 * DAY)

static struct small small;

static const struct extreme {
    const char *what;
    double bandwidth, work, volume, release;
    double tolerance; /* of the stretch: twice what a time is good to, per iteration */
} extremes[] = {
    {"milliseconds at day 100", 1e9, 10e-3, 5e6, 100 * DAY, 1e-6},
    {"microseconds at day 100", 1e9, 10e-6, 5e3, 100 * DAY, 1e-3},
    {"a byte at day 100", 1e9, 1e-3, 1, 100 * DAY, 1e-4},
    {"after ten years", 1e9, 1, 1e9, 10 * YEAR, 1e-6},
    {"after ten years, milliseconds", 1e9, 1e-3, 1e6, 10 * YEAR, 1e-3},
    {"a byte", 1e9, 1, 1, 0, 1e-9},
    {"a byte at full speed", 1e13, 1e-9, 1, 0, 1e-9},
    {"a byte after no work", 1e13, 0, 1, 0, 1e-9},
    {"a byte in a second", 1, 1, 1, 0, 1e-9},
    {"1 EB", 1e13, 1, 1e18, 0, 1e-9},
    {"1 EB at a byte per second", 1, 1, 1e18, 0, 1e-9},
    {"1 EB at a byte per second, after ten years", 1, 1, 1e18, 10 * YEAR, 1e-9},
    {"1 EB after no work", 1e13, 0, 1e18, 0, 1e-9},
};
enum { EXTREMES = sizeof extremes / sizeof *extremes, TIMES = 40 };

static struct app *add(const struct extreme *extreme, double bmax, double times)
{
    struct iteration one = {extreme->work, extreme->volume * times};
    struct app *app = small_add_list(&small, bmax * extreme->bandwidth, &one, 1);
    small_repeat(app, TIMES);
    app->facts.release = extreme->release;
    return app;
}

static void expect_stretch(const char *policy, const struct extreme *extreme, uint32_t id,
                           double least)
{
    struct outcome *outcome = small_run(&small, policy, NULL);
    struct weir_app_metrics metrics;
    metrics_compute_app(&small.workload, outcome, id, &metrics);
    bool alone = small.workload.count == 1;
    if (!(metrics.stretch >= least - extreme->tolerance) ||
        (alone && !(metrics.stretch <= 1 + extreme->tolerance)))
        fail_msg("%s, %s: stretch %.17g", policy, extreme->what, metrics.stretch);
    outcome_free(outcome);
}

static void one_application_alone_has_stretch_1_at_all_sizes_and_times(void **state)
{
    (void)state;
    for (int i = 0; i < EXTREMES; i++)
        for (int p = 0; policy_all[p]; p++) {
            small_init(&small, extremes[i].bandwidth);
            add(&extremes[i], 1, 1);
            expect_stretch(policy_all[p], &extremes[i], 0, 1);
        }
}

/* The checker finds what was not moved. */
static void a_crowd_moves_all_its_bytes_at_all_sizes_and_times(void **state)
{
    (void)state;
    for (int i = 0; i < EXTREMES; i++)
        for (int p = 0; policy_all[p]; p++) {
            small_init(&small, extremes[i].bandwidth);
            add(&extremes[i], 1, 1);
            add(&extremes[i], 1, 1);
            add(&extremes[i], 0.3, 0.7);
            add(&extremes[i], 1e-3, 0.01);
            for (uint32_t id = 0; id < small.workload.count; id++)
                expect_stretch(policy_all[p], &extremes[i], id, 1);
        }
}

/* The second posts first, by a microsecond. */
static void the_first_to_post_is_served_first_at_any_time(void **state)
{
    (void)state;
    static const char *const policies[] = {"fcfs", "set-10", "list:order=fifo",
                                           "periodic:order=fifo", "groups"};
    static const double times[] = {0, 100, DAY, YEAR, 10 * YEAR};
    for (int p = 0; p < 5; p++)
        for (int d = 0; d < 5; d++) {
            small_init(&small, 10);
            small_add(&small, 10, "w1.000001 v100")->facts.release = times[d];
            small_add(&small, 10, "w1 v100")->facts.release = times[d];
            struct outcome *outcome = small_run(&small, policies[p], NULL);
            expect_near(outcome->apps[1].completion - times[d], 11, 1e-6);
            expect_near(outcome->apps[0].completion - times[d], 21, 1e-6);
            outcome_free(outcome);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_application_alone_has_stretch_1_at_all_sizes_and_times),
        cmocka_unit_test(a_crowd_moves_all_its_bytes_at_all_sizes_and_times),
        cmocka_unit_test(the_first_to_post_is_served_first_at_any_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

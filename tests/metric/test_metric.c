#include "metric/metric.h"
#include "support/small.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct small small;

static struct metrics measure(struct app_outcome *apps, struct app_span *spans, double start,
                              double end)
{
    const struct outcome outcome = {.start = start,
                                    .end = end,
                                    .events = 12,
                                    .decisions = 7,
                                    .count = small.workload.count,
                                    .apps = apps,
                                    .spans = spans};
    struct metrics metrics;
    memset(&metrics, 0xff, sizeof(metrics));
    metrics_compute(&small.workload, &outcome, &metrics);
    return metrics;
}

static struct app_metrics measure_app(struct app_outcome *apps, uint32_t id, double end)
{
    const struct outcome outcome = {.end = end, .count = small.workload.count, .apps = apps};
    struct app_metrics metrics;
    metrics_compute_app(&small.workload, &outcome, id, &metrics);
    return metrics;
}

/* N = 4. The first, on 2 nodes, works 8 s and transfers 2 s alone, and ends at 16. The second, on
 * 1 node, works 2 s and transfers 2 s alone, and ends at 9, 8 s after its release. */
static struct app_outcome whole[] = {
    {.completion = 16, .lost = 6, .done_work = 8, .done_ideal = 10},
    {.completion = 9, .lost = 4, .done_work = 2, .done_ideal = 4},
};
static struct app_span whole_spans[] = {{.lost = 6, .work = 8}, {.lost = 4, .work = 2}};

static void prepare_whole(void)
{
    small_init(&small, 10);
    small_add(&small, 10, "w6 v20 w2")->facts.nodes = 2;
    small_add(&small, 5, "w2 v10")->facts.release = 1;
    small.workload.platform.nodes = 4;
    small.workload.io_pressure = 0.45;
}

static void a_run_to_completion_has_every_measure(void **state)
{
    (void)state;
    prepare_whole();
    struct metrics metrics = measure(whole, whole_spans, 0, 16);
    assert_true(metrics.makespan == 16);
    expect_near(metrics.min_yield, 4 / 8.0, 1e-15);
    expect_near(metrics.mean_yield, (10 / 16.0 + 4 / 8.0) / 2, 1e-15);
    /* The first is there for 16 s and makes 10 s of progress, the second 4 s; 3 nodes, 16 s. */
    expect_near(metrics.efficiency, (2 * 10 + 1 * 4) / (3 * 16.0), 1e-15);
    expect_near(metrics.utilization, (2 * 8 + 1 * 2) / (3 * 16.0), 1e-15);
    /* rho~ is 8/16 and 2/8, rho 8/10 and 2/4. */
    expect_near(metrics.sys_efficiency, (2 * 0.5 + 1 * 0.25) / 4, 1e-15);
    expect_near(metrics.sys_efficiency_bound, (2 * 0.8 + 1 * 0.5) / 4, 1e-15);
    expect_near(metrics.dilation, 0.5 / 0.25, 1e-15);
    expect_near(metrics.max_stretch, 8 / 4.0, 1e-15);
    expect_near(metrics.mean_stretch, (16 / 10.0 + 8 / 4.0) / 2, 1e-15);
    /* 8 s for an I/O of 2 s, and 6 s for one of 2 s. */
    expect_near(metrics.io_slowdown, sqrt(4 * 3), 1e-14);
    assert_true(metrics.io_pressure == 0.45);
    assert_true(metrics.events == 12 && metrics.decisions == 7);
}

static void each_application_has_its_own_measures(void **state)
{
    (void)state;
    prepare_whole();
    struct app_metrics first = measure_app(whole, 0, 16), second = measure_app(whole, 1, 16);
    assert_true(first.completion == 16 && second.completion == 9);
    expect_near(first.yield, 10 / 16.0, 1e-15);
    expect_near(first.stretch, 1.6, 1e-15);
    expect_near(first.dilation, 1.6, 1e-15); /* (8/10) / (8/16) */
    expect_near(first.efficiency, 0.5, 1e-15);
    expect_near(second.yield, 0.5, 1e-15);
    expect_near(second.stretch, 2, 1e-15);
    expect_near(second.dilation, 2, 1e-15);
    expect_near(second.efficiency, 0.25, 1e-15);
}

static void previous_progress_counts_in_the_stretch(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_age(small_add(&small, 10, "w6 v20"), 10, 7);
    /* 10 s old with 7 s of progress at 0; 8 s to do, done at 12: 22 s for 15 s. */
    struct app_outcome apps[] = {{.completion = 12, .lost = 7, .done_work = 11, .done_ideal = 15}};
    struct app_metrics metrics = measure_app(apps, 0, 12);
    expect_near(metrics.stretch, 22 / 15.0, 1e-15);
    expect_near(metrics.yield, 15 / 22.0, 1e-15);
}

/* Window [10, 20], nodes 2, 1, 1. The first goes on through all of it, 30 s old at its end; the
 * second comes at 12 and goes on; the third ends at 15. */
static struct app_outcome cut[] = {
    {.completion = NAN, .lost = 6, .done_work = 8, .done_ideal = 20},
    {.completion = NAN, .lost = 2},
    {.completion = 15, .lost = 1, .done_work = 8, .done_ideal = 14},
};
static struct app_span cut_spans[] = {{.lost = 2, .work = 6}, {.lost = 2, .work = 3}, {.work = 3}};

static void prepare_cut(void)
{
    small_init(&small, 10);
    small_age(small_add(&small, 10, "w100 v10"), 10, 6);
    small.apps[0].facts.nodes = 2;
    small_add(&small, 10, "w3 v100")->facts.release = 12;
    small_add(&small, 10, "w8 v60");
    small_window(&small, 10, 20);
}

static void a_window_measures_what_happens_inside(void **state)
{
    (void)state;
    prepare_cut();
    struct metrics metrics = measure(cut, cut_spans, 10, 20);
    /* Yields 1 - 6/30, 1 - 2/8 and 1 - 1/15. */
    expect_near(metrics.min_yield, 0.75, 1e-15);
    expect_near(metrics.mean_yield, (0.8 + 0.75 + 14 / 15.0) / 3, 1e-15);
    /* Progress 10 - 2, 8 - 2 and 5; work 6, 3 and 3; 10 s of 4 nodes. */
    expect_near(metrics.efficiency, (2 * 8 + 6 + 5) / 40.0, 1e-15);
    expect_near(metrics.utilization, (2 * 6 + 3 + 3) / 40.0, 1e-15);
    /* 10 - 6 = 4 s for 2, 8 - 3 = 5 s for 3, 5 - 3 = 2 s for 2. */
    expect_near(metrics.io_slowdown, cbrt(2 * 5 / 3.0), 1e-14);
}

static void what_has_no_meaning_is_no_number(void **state)
{
    (void)state;
    prepare_cut();
    struct metrics metrics = measure(cut, cut_spans, 10, 20);
    assert_true(isnan(metrics.makespan));
    assert_true(isnan(metrics.max_stretch) && isnan(metrics.mean_stretch));
    assert_true(isnan(metrics.dilation)); /* the second has not finished anything */
    struct app_metrics first = measure_app(cut, 0, 20), second = measure_app(cut, 1, 20);
    assert_true(isnan(first.completion) && isnan(first.stretch));
    expect_near(first.dilation, 30 / 20.0, 1e-15);
    expect_near(first.efficiency, 8 / 30.0, 1e-15);
    assert_true(isnan(second.dilation) && second.efficiency == 0);
}

static void without_io_there_is_no_io_slowdown(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "w5");
    struct app_outcome apps[] = {{.completion = 5, .done_work = 5, .done_ideal = 5}};
    struct metrics metrics = measure(apps, &(struct app_span){.work = 5}, 0, 5);
    assert_true(isnan(metrics.io_slowdown));
    assert_true(metrics.utilization == 1 && metrics.efficiency == 1 && metrics.max_stretch == 1);
}

static void an_application_that_has_not_come_yet_has_no_values(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "w5 v10")->facts.release = 30;
    struct app_outcome apps[] = {{.completion = NAN}};
    struct app_metrics metrics = measure_app(apps, 0, 20);
    assert_true(isnan(metrics.yield));
    assert_true(isnan(metrics.completion) && isnan(metrics.stretch) && isnan(metrics.dilation));
    assert_true(isnan(metrics.efficiency));
    /* And where nobody has come, nobody is the best or the worst. */
    struct metrics all = measure(apps, &(struct app_span){0}, 0, 20);
    assert_true(isnan(all.min_yield) && isnan(all.mean_yield) && isnan(all.dilation));
    assert_true(isnan(all.max_stretch) && isnan(all.mean_stretch) && isnan(all.sys_efficiency));
    assert_true(all.efficiency == 0 && all.utilization == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_to_completion_has_every_measure),
        cmocka_unit_test(each_application_has_its_own_measures),
        cmocka_unit_test(previous_progress_counts_in_the_stretch),
        cmocka_unit_test(a_window_measures_what_happens_inside),
        cmocka_unit_test(what_has_no_meaning_is_no_number),
        cmocka_unit_test(without_io_there_is_no_io_slowdown),
        cmocka_unit_test(an_application_that_has_not_come_yet_has_no_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

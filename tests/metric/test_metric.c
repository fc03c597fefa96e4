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

static struct weir_metrics measure(struct app_outcome *apps, struct app_span *spans, double start,
                                   double end)
{
    const struct outcome outcome = {.start = start,
                                    .end = end,
                                    .events = 12,
                                    .decisions = 7,
                                    .count = small.workload.count,
                                    .apps = apps,
                                    .spans = spans};
    struct weir_metrics metrics;
    memset(&metrics, 0xff, sizeof(metrics));
    metrics_compute(&small.workload, &outcome, &metrics);
    return metrics;
}

static struct weir_app_metrics measure_app(struct app_outcome *apps, uint32_t id, double end)
{
    const struct outcome outcome = {.end = end, .count = small.workload.count, .apps = apps};
    struct weir_app_metrics metrics;
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
    small.workload.occupancy.nodes = 3;
}

static void a_run_to_completion_has_every_measure(void **state)
{
    (void)state;
    prepare_whole();
    struct weir_metrics metrics = measure(whole, whole_spans, 0, 16);
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
    struct weir_app_metrics first = measure_app(whole, 0, 16), second = measure_app(whole, 1, 16);
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
    struct weir_app_metrics metrics = measure_app(apps, 0, 12);
    expect_near(metrics.stretch, 22 / 15.0, 1e-15);
    expect_near(metrics.yield, 15 / 22.0, 1e-15);
}

/* 8 s of phases that end a rounding error earlier are 8 s; half of them is something else. */
static void rounding_makes_nothing_faster_than_alone(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "w6 v20");
    struct app_outcome apps[] = {
        {.completion = nextafter(8, 0), .lost = 0, .done_work = 6, .done_ideal = 8}};
    assert_true(measure_app(apps, 0, 8).stretch == 1);
    assert_true(measure_app(apps, 0, 8).dilation == 1);
    apps[0].completion = 4;
    assert_true(measure_app(apps, 0, 8).stretch == 0.5);
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
    small.workload.occupancy.nodes = 4;
}

static void a_window_measures_what_happens_inside(void **state)
{
    (void)state;
    prepare_cut();
    struct weir_metrics metrics = measure(cut, cut_spans, 10, 20);
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
    struct weir_metrics metrics = measure(cut, cut_spans, 10, 20);
    assert_true(isnan(metrics.makespan));
    assert_true(isnan(metrics.max_stretch) && isnan(metrics.mean_stretch));
    assert_true(isnan(metrics.dilation)); /* the second has not finished anything */
    struct weir_app_metrics first = measure_app(cut, 0, 20), second = measure_app(cut, 1, 20);
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
    small.workload.occupancy.nodes = 1;
    struct app_outcome apps[] = {{.completion = 5, .done_work = 5, .done_ideal = 5}};
    struct weir_metrics metrics = measure(apps, &(struct app_span){.work = 5}, 0, 5);
    assert_true(isnan(metrics.io_slowdown));
    assert_true(metrics.utilization == 1 && metrics.efficiency == 1 && metrics.max_stretch == 1);
}

static void an_application_that_has_not_come_yet_has_no_values(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "w5 v10")->facts.release = 30;
    struct app_outcome apps[] = {{.completion = NAN}};
    struct weir_app_metrics metrics = measure_app(apps, 0, 20);
    assert_true(isnan(metrics.yield));
    assert_true(isnan(metrics.completion) && isnan(metrics.stretch) && isnan(metrics.dilation));
    assert_true(isnan(metrics.efficiency));
    /* And where nobody has come, nobody is the best or the worst. */
    struct weir_metrics all = measure(apps, &(struct app_span){0}, 0, 20);
    assert_true(isnan(all.min_yield) && isnan(all.mean_yield) && isnan(all.dilation));
    assert_true(isnan(all.max_stretch) && isnan(all.mean_stretch) && isnan(all.sys_efficiency));
    assert_true(isnan(all.weighted_sys_efficiency) && isnan(all.sys_efficiency_bound));
    assert_true(isnan(all.weighted_dilation) && isnan(all.weighted_stretch));
    assert_true(isnan(all.efficiency) && isnan(all.utilization));
}

/* Sets the window, or none, and with it what is in use at once. */
static void place(struct window window)
{
    assert_int_equal(workload_set_window(&small.workload, window, NULL), 0);
}

/* One whole run after the other on all 4 nodes, undelayed: 8 of 10 s of work in [0, 10], 5 of 10 s
 * in [20, 30]. The machine is full twice; it works for (4 * 8 + 4 * 5) of 4 * 30 s. */
static void jobs_that_run_one_after_the_other_do_not_count_twice(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "w8 v20")->facts.nodes = 4;
    small_add(&small, 10, "w5 v50")->facts.nodes = 4;
    small.apps[1].facts.release = 20;
    small.workload.platform.nodes = 4;
    place((struct window){.kind = WINDOW_NONE});
    struct app_outcome apps[] = {{.completion = 10, .done_work = 8, .done_ideal = 10},
                                 {.completion = 30, .done_work = 5, .done_ideal = 10}};
    struct app_span spans[] = {{.work = 8}, {.work = 5}};
    struct weir_metrics metrics = measure(apps, spans, 0, 30);
    expect_near(metrics.sys_efficiency, (0.8 + 0.5) / 2, 1e-15);
    expect_near(metrics.sys_efficiency_bound, (0.8 + 0.5) / 2, 1e-15);
    expect_near(metrics.efficiency, 80 / 120.0, 1e-15);
    expect_near(metrics.utilization, 52 / 120.0, 1e-15);
    /* 70 bytes, while 20 s of jobs could have had 200. */
    expect_near(metrics.io_pressure, 0.35, 1e-15);
    /* On a machine of 8 nodes half of them are in use at most. */
    small.workload.platform.nodes = 8;
    expect_near(measure(apps, spans, 0, 30).sys_efficiency, (0.8 + 0.5) / 4, 1e-15);
}

/* Alone the first would end at 10, when the second starts: one node in use. In the window [10, 20]
 * the first still has 4 s to go, and the second goes through: 14 s of node time held in 10 s, all
 * of it progress. */
static void delays_that_hold_more_nodes_never_give_more_than_all(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "w10");
    small_add(&small, 10, "w10")->facts.release = 10;
    small.workload.platform.nodes = 1;
    place((struct window){.kind = WINDOW_FIXED, .start = 10, .end = 20});
    struct app_outcome apps[] = {{.completion = 14, .lost = 4, .done_work = 10, .done_ideal = 10},
                                 {.completion = 20, .done_work = 10, .done_ideal = 10}};
    struct app_span spans[] = {{.work = 4}, {.work = 10}};
    struct weir_metrics metrics = measure(apps, spans, 10, 20);
    expect_near(metrics.efficiency, 1, 1e-15);
    expect_near(metrics.utilization, 1, 1e-15);
    /* Both are 1 node of 2 there; 1.4 in use on a machine of 1, which is taken to be full. */
    expect_near(metrics.sys_efficiency, (10 / 14.0 + 1) / 2, 1e-15);
}

/* 64 nodes twice at the same time on 64: a mistake, about which there is a warning. */
static void more_nodes_than_there_are_count_as_a_full_machine(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "w8 v20")->facts.nodes = 64;
    small_add(&small, 10, "w8 v20")->facts.nodes = 64;
    small.workload.platform.nodes = 64;
    place((struct window){.kind = WINDOW_NONE});
    struct app_outcome apps[] = {{.completion = 10, .done_work = 8, .done_ideal = 10},
                                 {.completion = 12, .lost = 2, .done_work = 8, .done_ideal = 10}};
    struct weir_metrics metrics =
        measure(apps, (struct app_span[]){{.work = 8}, {.lost = 2, .work = 8}}, 0, 12);
    expect_near(metrics.sys_efficiency, (8 / 10.0 + 8 / 12.0) / 2, 1e-15);
}

/* Window [10, 20]. The first ended at 8 and the second at 10; the third comes at 12 and ends at 16,
 * 3 s of its 4 without delay; the fourth comes at 20. */
static void only_what_is_there_in_the_window_counts(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "w4 v40")->facts.nodes = 100;
    small_add(&small, 10, "w8 v20")->facts.nodes = 100;
    small_add(&small, 10, "w2 v10")->facts.nodes = 2;
    small_add(&small, 10, "w5")->facts.nodes = 100;
    small.apps[2].facts.release = 12;
    small.apps[3].facts.release = 20;
    small.workload.platform.nodes = 4;
    place((struct window){.kind = WINDOW_FIXED, .start = 10, .end = 20});
    struct app_outcome apps[] = {{.completion = 8, .lost = 4, .done_work = 4, .done_ideal = 8},
                                 {.completion = 10, .lost = 9, .done_work = 1, .done_ideal = 10},
                                 {.completion = 16, .lost = 1, .done_work = 2, .done_ideal = 3},
                                 {.completion = NAN}};
    struct app_span spans[] = {{.work = 0}, {.work = 0}, {.lost = 1, .work = 2}, {.work = 0}};
    struct weir_metrics metrics = measure(apps, spans, 10, 20);
    assert_true(metrics.min_yield == 0.75 && metrics.mean_yield == 0.75);
    expect_near(metrics.max_stretch, 4 / 3.0, 1e-15);
    expect_near(metrics.dilation, 4 / 3.0, 1e-15);
    expect_near(metrics.efficiency, 3 / 10.0, 1e-15);
    expect_near(metrics.utilization, 2 / 10.0, 1e-15);
    expect_near(metrics.sys_efficiency, 2 * (2 / 4.0) / 4, 1e-15);
    /* 10 of the 30 bytes that could be moved while it would be there. */
    expect_near(metrics.io_pressure, 10 / 30.0, 1e-15);
}

/* The second has nothing left to do that would take time: at its age of 0 nothing has a meaning. */
static void a_job_of_no_length_has_no_part_in_the_measures(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "w8 v20");
    small_add(&small, 10, "w0")->facts.nodes = 7;
    small.apps[1].facts.release = 3;
    place((struct window){.kind = WINDOW_NONE});
    struct app_outcome apps[] = {{.completion = 10, .done_work = 8, .done_ideal = 10},
                                 {.completion = 3}};
    struct app_span spans[] = {{.work = 8}, {.work = 0}};
    struct weir_metrics metrics = measure(apps, spans, 0, 10);
    assert_true(metrics.max_stretch == 1 && metrics.mean_stretch == 1 && metrics.dilation == 1);
    assert_true(metrics.min_yield == 1 && metrics.mean_yield == 1 && metrics.efficiency == 1);
    expect_near(metrics.sys_efficiency, 0.8 / 2, 1e-15);
    expect_near(metrics.io_pressure, 0.2, 1e-15);
    struct weir_app_metrics nothing = measure_app(apps, 1, 10);
    assert_true(nothing.completion == 3 && isnan(nothing.yield) && isnan(nothing.stretch));
    assert_true(isnan(nothing.dilation) && isnan(nothing.efficiency));
}

/* 004 section 3.2 with w = 3 and 1/2: (1/4)(2 * 3 * 8/16 + 1 * 1/2 * 2/8), and the larger of
 * 3 * 1.6 and 1/2 * 2. */
static void weights_multiply_what_an_application_contributes(void **state)
{
    (void)state;
    prepare_whole();
    struct weir_metrics metrics = measure(whole, whole_spans, 0, 16);
    assert_true(metrics.weighted_sys_efficiency == metrics.sys_efficiency);
    assert_true(metrics.weighted_dilation == metrics.dilation);
    assert_true(metrics.weighted_stretch == metrics.max_stretch);
    small.apps[0].facts.weight = 3;
    small.apps[1].facts.weight = 0.5;
    metrics = measure(whole, whole_spans, 0, 16);
    expect_near(metrics.weighted_sys_efficiency, (3 + 0.125) / 4, 1e-15);
    expect_near(metrics.weighted_dilation, 4.8, 1e-15);
    expect_near(metrics.weighted_stretch, 4.8, 1e-15);
    expect_near(metrics.sys_efficiency, (2 * 0.5 + 1 * 0.25) / 4, 1e-15);
    assert_true(metrics.max_stretch == 2 && metrics.dilation == 2);
    /* 1/2 * 2 is the largest if the first weighs less than 1/1.6. */
    small.apps[0].facts.weight = 0.25;
    expect_near(measure(whole, whole_spans, 0, 16).weighted_stretch, 1, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_to_completion_has_every_measure),
        cmocka_unit_test(each_application_has_its_own_measures),
        cmocka_unit_test(previous_progress_counts_in_the_stretch),
        cmocka_unit_test(rounding_makes_nothing_faster_than_alone),
        cmocka_unit_test(a_window_measures_what_happens_inside),
        cmocka_unit_test(what_has_no_meaning_is_no_number),
        cmocka_unit_test(without_io_there_is_no_io_slowdown),
        cmocka_unit_test(an_application_that_has_not_come_yet_has_no_values),
        cmocka_unit_test(jobs_that_run_one_after_the_other_do_not_count_twice),
        cmocka_unit_test(delays_that_hold_more_nodes_never_give_more_than_all),
        cmocka_unit_test(more_nodes_than_there_are_count_as_a_full_machine),
        cmocka_unit_test(only_what_is_there_in_the_window_counts),
        cmocka_unit_test(a_job_of_no_length_has_no_part_in_the_measures),
        cmocka_unit_test(weights_multiply_what_an_application_contributes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

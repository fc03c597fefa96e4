#include "base/mem.h"
#include "common.h"
#include "report/description.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct description describe(const struct workload *workload)
{
    struct description description;
    assert_int_equal(description_init(&description, workload, NULL), 0);
    return description;
}

/* The sample: 100 and 50 bytes; alone both work [0, 10] and write [10, 20], at 10 and 5 of 10 B/s,
 * so demand / B is 0 in the first 35 of 70 parts and 1.5 in the others. */
static void demand_is_that_of_each_application_alone(void **state)
{
    (void)state;
    struct description description = describe(&sample_workload);
    assert_true(description.volume == 150);
    assert_true(description.start == 0 && description.end == 20);
    for (int part = 0; part < DESCRIPTION_PARTS; part++)
        assert_near(description.demand[part], part < 35 ? 0 : 1.5, 1e-9);
    description_fini(&description);
}

/* In [5, 15] they write during the second half only. */
static void a_window_shows_what_falls_into_it(void **state)
{
    (void)state;
    struct workload workload = sample_workload;
    workload.window = (struct window){.kind = WINDOW_FIXED, .start = 5, .end = 15};
    struct description description = describe(&workload);
    assert_true(description.start == 5 && description.end == 15);
    assert_near(description.demand[34], 0, 1e-9);
    assert_near(description.demand[35], 1.5, 1e-9);
    assert_near(description.demand[69], 1.5, 1e-9);
    description_fini(&description);
}

/* Iterations of 20 s: round(log10 20) = 1. */
static void applications_are_counted_by_their_set(void **state)
{
    (void)state;
    struct description description = describe(&sample_workload);
    for (int n = MAGNITUDE_FIRST; n <= MAGNITUDE_LAST; n++)
        assert_int_equal(description.sets[n - MAGNITUDE_FIRST], n == 1 ? 2 : 0);
    assert_true(description.shortest == 20 && description.longest == 20);
    description_fini(&description);
}

/* 10 s of work and 100 B at 10 B/s, ten times; the same for all, so that there is nothing to find
 * out unless the list says it one by one. */
static void periods_are_looked_for_where_phases_vary(void **state)
{
    (void)state;
    struct iteration iterations[10];
    for (size_t k = 0; k < 10; k++)
        iterations[k] = (struct iteration){10, 100};
    struct app apps[2];
    for (uint32_t i = 0; i < 2; i++) {
        apps[i] = (struct app){.facts = {.nodes = 1, .bmax = 10, .iterations = 10},
                               .name = i ? "listed" : "periodic",
                               .stride = i,
                               .iterations = iterations,
                               .room = INFINITY};
        app_profile(&apps[i]);
    }
    struct workload workload = sample_workload;
    workload.apps = apps;
    struct description description = describe(&workload);
    assert_true(description.rows[0].detected.length == 0);
    assert_near(description.rows[1].detected.length, 20, 1e-6);
    assert_true(description.rows[1].detected.confidence > 0.7);
    FILE *out = capture_begin();
    description_print(&description, out);
    char *text = capture_end();
    assert_non_null(strstr(text, "\nI/O repeats      listed: every 20 s, confidence 0.7"));
    assert_null(strstr(text, "periodic: every"));
    free(text);
    description_fini(&description);
}

/* 2 iterations of 10 s and 30 B at 10 B/s, and 4 of 20 s: means 3, 15 s, 30 B, 18 s; alone 26 s and
 * 92 s. A declared period counts in place of the real one: (8 + 23) / 2. */
static void replicas_share_a_row_of_means(void **state)
{
    (void)state;
    static const struct iteration iterations[] = {{10, 30}, {20, 30}};
    struct app apps[3] = {{.facts = {.nodes = 3, .bmax = 10, .period = 8, .iterations = 2},
                           .name = "a",
                           .replica = 1,
                           .iterations = &iterations[0],
                           .room = INFINITY},
                          {.facts = {.nodes = 3, .bmax = 10, .iterations = 4},
                           .name = "a",
                           .replica = 2,
                           .iterations = &iterations[1],
                           .room = INFINITY}};
    apps[2] = apps[0];
    apps[2].name = "b";
    apps[2].replica = 0;
    for (int i = 0; i < 3; i++)
        app_profile(&apps[i]);
    struct workload workload = sample_workload;
    workload.apps = apps;
    workload.count = 3;
    struct description description = describe(&workload);
    assert_int_equal(description.row_count, 2);
    const struct description_row *row = description.rows;
    assert_string_equal(row->name, "a");
    assert_int_equal(row->count, 2);
    assert_true(row->nodes == 3 && row->iterations == 3 && row->work == 15 && row->volume == 30);
    assert_near(row->period, 15.5, 1e-12);
    assert_near(row->ideal, 59, 1e-12);
    assert_string_equal(row[1].name, "b");
    assert_int_equal(row[1].count, 1);
    description_fini(&description);
}

/* Somebody waits in [10, 20] of [0, 30]; in the window [15, 30], for 5 s of 15. */
static void congestion_is_the_time_in_which_somebody_is_slowed_down(void **state)
{
    (void)state;
    struct runs runs = sample_runs();
    struct description description = describe(&sample_workload);
    assert_true(isnan(description.congested));
    assert_int_equal(description_add_run(&description, runs.list, &sample_timeline, NULL), 0);
    assert_near(description.congested, 1. / 3, 1e-12);
    description_fini(&description);

    struct workload workload = sample_workload;
    workload.window = (struct window){.kind = WINDOW_FIXED, .start = 15, .end = 30};
    description = describe(&workload);
    assert_int_equal(description_add_run(&description, runs.list, &sample_timeline, NULL), 0);
    assert_near(description.congested, 1. / 3, 1e-12);
    description_fini(&description);
    runs_fini(&runs);
}

/* [1, 2], [0, 3], [5, 6] and [4.5, 6.5] in the order of their ends, on two applications: 5 of 10 s.
 */
static void time_in_which_several_are_slowed_down_counts_once(void **state)
{
    (void)state;
    struct segment segments[] = {
        {.start = 1, .end = 2, .rate = 1, .app = 0, .kind = SEGMENT_IO},
        {.start = 0, .end = 3, .rate = 1, .app = 1, .kind = SEGMENT_IO},
        {.start = 5, .end = 6, .rate = 1, .app = 0, .kind = SEGMENT_IO},
        {.start = 4.5, .end = 6.5, .rate = 1, .app = 1, .kind = SEGMENT_IO},
        {.start = 6, .end = 10, .rate = 10, .app = 0, .kind = SEGMENT_IO},
    };
    struct timeline timeline = {.segments = segments, .count = 5, .capacity = 5};
    struct runs runs = sample_runs();
    struct description description = describe(&sample_workload);
    assert_int_equal(description_add_run(&description, runs.list, &timeline, NULL), 0);
    assert_near(description.congested, 0.5, 1e-12);
    description_fini(&description);
    runs_fini(&runs);
}

static void what_does_not_fit_on_the_machine_is_not_simulated(void **state)
{
    (void)state;
    struct workload workload = sample_workload;
    struct description description = describe(&workload);
    assert_null(description_obstacle(&description));
    workload.platform.nodes = 2; /* of 3 */
    workload.occupancy.mean = 2; /* while the others do not last */
    assert_null(description_obstacle(&description));
    workload.occupancy.mean = 2.5;
    assert_non_null(strstr(description_obstacle(&description), "too few nodes"));
    description_fini(&description);
}

static void no_line_is_wider_than_the_screen(void **state)
{
    (void)state;
    struct runs runs = sample_runs();
    struct description description = describe(&sample_workload);
    assert_int_equal(description_add_run(&description, runs.list, &sample_timeline, NULL), 0);
    /* All sets, all of them full, and a demand far above the bandwidth. */
    for (int n = MAGNITUDE_FIRST; n <= MAGNITUDE_LAST; n++)
        description.sets[n - MAGNITUDE_FIRST] = 100000;
    description.demand[3] = 123456;
    FILE *out = capture_begin();
    description_print(&description, out);
    char *text = capture_end();
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 80);
    free(text);
    description_fini(&description);
    runs_fini(&runs);
}

/* Rows 0.5 apart would do for 1.5, but at most eight of 0.25 are still fine: six of them. The row
 * of the bandwidth is drawn through. */
static void the_timeline_marks_the_bandwidth(void **state)
{
    (void)state;
    struct description description = describe(&sample_workload);
    FILE *out = capture_begin();
    description_print(&description, out);
    char *text = capture_end();
    assert_non_null(strstr(text, "\n     1.5 |                                   ####"));
    assert_non_null(strstr(text, "\n       1 |-----------------------------------####"));
    assert_null(strstr(text, "1.75 |"));
    free(text);
    description_fini(&description);
}

static void running_out_of_memory_is_an_error(void **state)
{
    (void)state;
    struct description description;
    struct err err = {0};
    mem_fail_after(0);
    assert_int_equal(description_init(&description, &sample_workload, &err), -1);
    mem_fail_after(-1);
    assert_string_equal(err.text, "out of memory");
    description_fini(&description);
    struct runs runs = sample_runs();
    description = describe(&sample_workload);
    mem_fail_after(0);
    assert_int_equal(description_add_run(&description, runs.list, &sample_timeline, &err), -1);
    mem_fail_after(-1);
    description_fini(&description);
    runs_fini(&runs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(demand_is_that_of_each_application_alone),
        cmocka_unit_test(a_window_shows_what_falls_into_it),
        cmocka_unit_test(applications_are_counted_by_their_set),
        cmocka_unit_test(periods_are_looked_for_where_phases_vary),
        cmocka_unit_test(replicas_share_a_row_of_means),
        cmocka_unit_test(congestion_is_the_time_in_which_somebody_is_slowed_down),
        cmocka_unit_test(time_in_which_several_are_slowed_down_counts_once),
        cmocka_unit_test(what_does_not_fit_on_the_machine_is_not_simulated),
        cmocka_unit_test(no_line_is_wider_than_the_screen),
        cmocka_unit_test(the_timeline_marks_the_bandwidth),
        cmocka_unit_test(running_out_of_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

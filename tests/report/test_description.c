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

/* What happens to an application of the sample, whose two can move 10 and 5 of 10 B/s. */
struct happening {
    double time;
    uint32_t app;
    enum { WORKS, MOVES, ENDS } what;
};

static void follow(const struct workload *workload, struct description *description,
                   const struct row *row, const struct happening *list, size_t count)
{
    struct congestion congestion;
    assert_int_equal(congestion_init(&congestion, workload, NULL), 0);
    struct watcher watcher = congestion_watcher(&congestion);
    assert_true(watcher.coarse);
    for (size_t i = 0; i < count; i++)
        if (list[i].what == ENDS)
            watcher.leave(watcher.context, list[i].time, list[i].app);
        else
            watcher.enter(
                watcher.context, list[i].time,
                (struct segment){.app = list[i].app,
                                 .kind = list[i].what == WORKS ? SEGMENT_WORK : SEGMENT_IO});
    description_add_run(description, row, &congestion);
    congestion_fini(&congestion);
}

static const struct happening collision[] = {{0, 0, WORKS},  {0, 1, WORKS}, {10, 0, MOVES},
                                             {10, 1, MOVES}, {20, 1, ENDS}, {30, 0, ENDS}};

/* Both want to move data in [10, 20] of [0, 30]; in the window [15, 30], for 5 s of 15. */
static void congestion_is_the_time_in_which_the_demand_exceeds_the_bandwidth(void **state)
{
    (void)state;
    struct rows rows = sample_rows();
    struct description description = describe(&sample_workload);
    assert_true(isnan(description.congested));
    follow(&sample_workload, &description, rows.list, collision, 6);
    assert_near(description.congested, 1. / 3, 1e-12);
    description_fini(&description);

    struct workload workload = sample_workload;
    workload.window = (struct window){.kind = WINDOW_FIXED, .start = 15, .end = 30};
    description = describe(&workload);
    follow(&workload, &description, rows.list, collision, 6);
    assert_near(description.congested, 1. / 3, 1e-12);
    description_fini(&description);
    rows_fini(&rows);
}

/* The second moves in [0, 3] and [4, 6.5], the first in [1, 2], [5, 6] and, with the next I/O, on
 * to 10: both in 1 + 1 + 0.5 s of 10. */
static void one_transfer_alone_is_no_congestion(void **state)
{
    (void)state;
    static const struct happening list[] = {{0, 1, MOVES}, {1, 0, MOVES},  {2, 0, WORKS},
                                            {3, 1, WORKS}, {4, 1, MOVES},  {5, 0, MOVES},
                                            {6, 0, MOVES}, {6.5, 1, ENDS}, {10, 0, ENDS}};
    struct rows rows = sample_rows();
    struct description description = describe(&sample_workload);
    follow(&sample_workload, &description, rows.list, list, 9);
    assert_near(description.congested, 0.25, 1e-12);
    description_fini(&description);
    rows_fini(&rows);
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
    struct rows rows = sample_rows();
    struct description description = describe(&sample_workload);
    follow(&sample_workload, &description, rows.list, collision, 6);
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
    rows_fini(&rows);
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
    struct congestion congestion;
    mem_fail_after(0);
    assert_int_equal(congestion_init(&congestion, &sample_workload, &err), -1);
    mem_fail_after(-1);
    congestion_fini(&congestion);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(demand_is_that_of_each_application_alone),
        cmocka_unit_test(a_window_shows_what_falls_into_it),
        cmocka_unit_test(applications_are_counted_by_their_set),
        cmocka_unit_test(periods_are_looked_for_where_phases_vary),
        cmocka_unit_test(replicas_share_a_row_of_means),
        cmocka_unit_test(congestion_is_the_time_in_which_the_demand_exceeds_the_bandwidth),
        cmocka_unit_test(one_transfer_alone_is_no_congestion),
        cmocka_unit_test(what_does_not_fit_on_the_machine_is_not_simulated),
        cmocka_unit_test(no_line_is_wider_than_the_screen),
        cmocka_unit_test(the_timeline_marks_the_bandwidth),
        cmocka_unit_test(running_out_of_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

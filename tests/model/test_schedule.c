#include "base/mem.h"
#include "model/schedule.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char *const kinds[] = {"big", "small", NULL};
static const struct platform four_nodes = {.nodes = 4, .node_bandwidth = 1, .bandwidth = 2};

/* On 4 nodes:
 *
 *     node 3   small-2 0-10         big-2 15-40
 *     node 2   small-1 0-5          big-2 15-40
 *     node 1   big-1 0-20
 *     node 0   big-1 0-20           small-3 20-25
 *
 * The last start is at 20. */
static struct schedule *make(void)
{
    static const struct schedule_job jobs[] = {
        {20, 25, 1, 1, 3}, {0, 20, 2, 0, 1}, {0, 10, 1, 1, 2}, {15, 40, 2, 0, 2}, {0, 5, 1, 1, 1},
    };
    struct schedule *schedule = schedule_new("four", &four_nodes, kinds);
    assert_non_null(schedule);
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
        assert_int_equal(schedule_add(schedule, &jobs[i]), 0);
    schedule_sort(schedule);
    return schedule;
}

static void jobs_are_sorted_by_start_kind_and_number(void **state)
{
    (void)state;
    static const uint32_t expected[][2] = {{0, 1}, {1, 1}, {1, 2}, {0, 2}, {1, 3}};
    struct schedule *schedule = make();
    for (size_t i = 0; i < schedule->count; i++) {
        assert_int_equal(schedule->jobs[i].kind, expected[i][0]);
        assert_int_equal(schedule->jobs[i].number, expected[i][1]);
    }
    assert_true(schedule_end(schedule) == 40);
    assert_true(schedule_last_start(schedule) == 20);
    schedule_free(schedule);
}

/* Changes at 0, 5, 10, 15 and 20: four windows of 5 s before the last start, in order; [20, 25] and
 * [25, 40] are the drain. */
static void windows_lie_between_changes_and_before_the_last_start(void **state)
{
    (void)state;
    struct span windows[SCHEDULE_WINDOWS];
    struct schedule *schedule = make();
    assert_int_equal(schedule_find_windows(schedule, windows, NULL), 4);
    for (int i = 0; i < 4; i++) {
        assert_true(windows[i].start == 5 * i);
        assert_true(windows[i].end == 5 * i + 5);
    }
    schedule_free(schedule);
}

/* Jobs of 1 s start at 1, 3, 6, 10, ..., but the ninth, at 45, takes 1.5 s: windows of 1 s in which
 * one runs, and none while the machine is idle. */
static void an_idle_machine_is_no_window_and_only_the_longest_are_kept(void **state)
{
    (void)state;
    struct span windows[SCHEDULE_WINDOWS];
    struct schedule *schedule = schedule_new("idle", &four_nodes, kinds);
    for (uint32_t k = 1; k <= 30; k++) {
        double start = k * (k + 1) / 2.0;
        struct schedule_job job = {start, start + (k == 9 ? 1.5 : 1), 1, 0, k};
        assert_int_equal(schedule_add(schedule, &job), 0);
    }
    assert_int_equal(schedule_find_windows(schedule, windows, NULL), SCHEDULE_WINDOWS);
    assert_true(windows[0].start == 45 && windows[0].end == 46.5);
    assert_true(windows[1].start == 1 && windows[1].end == 2);
    schedule_free(schedule);
}

/* Until 20: 20 * 2 + 5 + 10 + 5 * 2 = 65 of 80 node seconds. */
static void utilization_counts_node_seconds_before_the_last_start(void **state)
{
    (void)state;
    struct schedule *schedule = make();
    assert_true(schedule_utilization(schedule) == 65.0 / 80);
    schedule_free(schedule);
}

static int record(const struct schedule_place *place, void *context)
{
    char line[64];
    snprintf(line, sizeof line, "%s-%u:%u+%u ", kinds[place->job->kind], place->job->number,
             place->first, place->count);
    strcat(context, line);
    return 0;
}

/* big-1 comes first and has 0 and 1, the small ones 2 and 3; at 15 both of those are free. */
static void a_job_takes_the_lowest_free_nodes(void **state)
{
    (void)state;
    char text[512] = "";
    struct schedule *schedule = make();
    assert_int_equal(schedule_assign(schedule, record, text, NULL), 0);
    assert_string_equal(text, "big-1:0+2 small-1:2+1 small-2:3+1 big-2:2+2 small-3:0+1 ");
    schedule_free(schedule);
}

static void nodes_apart_are_told_in_ranges(void **state)
{
    (void)state;
    static const struct schedule_job jobs[] = {
        {0, 1, 1, 1, 1}, {0, 9, 1, 1, 2}, {0, 1, 2, 1, 3}, {2, 3, 3, 0, 1}};
    char text[512] = "";
    struct schedule *schedule = schedule_new("apart", &four_nodes, kinds);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(schedule_add(schedule, &jobs[i]), 0);
    assert_int_equal(schedule_assign(schedule, record, text, NULL), 0);
    assert_string_equal(text, "small-1:0+1 small-2:1+1 small-3:2+2 big-1:0+1 big-1:2+2 ");
    schedule_free(schedule);
}

/* Whole blocks of busy nodes are passed over, and found again when one in them is free. */
static void many_nodes_are_given_in_the_same_way(void **state)
{
    (void)state;
    static const struct platform platform = {.nodes = 300};
    static const struct schedule_job jobs[] = {{0, 50, 200, 0, 1}, {0, 5, 50, 0, 2},
                                               {1, 9, 50, 0, 3},   {6, 90, 40, 0, 4},
                                               {9, 70, 60, 0, 5},  {60, 80, 200, 0, 6}};
    char text[512] = "";
    struct schedule *schedule = schedule_new("many", &platform, kinds);
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
        assert_int_equal(schedule_add(schedule, &jobs[i]), 0);
    assert_int_equal(schedule_assign(schedule, record, text, NULL), 0);
    /* 0-199; 200-249; 250-299; 200-239, free since 5; 240-249 and the 250s since 9. The last one
     * finds 0-199 free since 50. */
    assert_string_equal(text, "big-1:0+200 big-2:200+50 big-3:250+50 big-4:200+40 big-5:240+60 "
                              "big-6:0+200 ");
    schedule_free(schedule);
}

static void more_jobs_than_nodes_are_an_error(void **state)
{
    (void)state;
    struct err err;
    char text[512] = "";
    struct schedule *schedule = make();
    struct schedule_job job = {19, 21, 1, 1, 4};
    assert_int_equal(schedule_add(schedule, &job), 0);
    schedule_sort(schedule);
    assert_int_equal(schedule_assign(schedule, record, text, &err), -1);
    assert_string_equal(err.text, "four: more nodes in use than there are");
    schedule_free(schedule);
}

static void running_out_of_memory_is_an_error(void **state)
{
    (void)state;
    struct err err;
    struct span windows[SCHEDULE_WINDOWS];
    char text[512] = "";
    struct schedule *schedule = make();
    mem_fail_after(0);
    assert_null(schedule_new("none", &four_nodes, kinds));
    mem_fail_after(0);
    assert_int_equal(schedule_find_windows(schedule, windows, &err), -1);
    assert_string_equal(err.text, "out of memory");
    for (int n = 0; n < 2; n++) {
        mem_fail_after(n);
        assert_int_equal(schedule_assign(schedule, record, text, &err), -1);
        assert_string_equal(err.text, "out of memory");
    }
    mem_fail_after(-1);
    schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_are_sorted_by_start_kind_and_number),
        cmocka_unit_test(windows_lie_between_changes_and_before_the_last_start),
        cmocka_unit_test(an_idle_machine_is_no_window_and_only_the_longest_are_kept),
        cmocka_unit_test(utilization_counts_node_seconds_before_the_last_start),
        cmocka_unit_test(a_job_takes_the_lowest_free_nodes),
        cmocka_unit_test(nodes_apart_are_told_in_ranges),
        cmocka_unit_test(many_nodes_are_given_in_the_same_way),
        cmocka_unit_test(more_jobs_than_nodes_are_an_error),
        cmocka_unit_test(running_out_of_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

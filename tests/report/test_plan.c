#include "common.h"
#include "report/plan_report.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The two of sample_workload in a period of 30 s. "big" begins to work at -5, which is 25 of the
 * period before, and writes at full speed from 5 to 15. "a<b>&\"c\"" works from 14 to 24, and
 * writes in two pieces: from 26 to 31, over the end of the period, and from 32 to 37, into the next
 * one. */
static struct task list[] = {
    {.name = "big", .nodes = 2, .work = 10, .volume = 100, .bmax = 10, .io = 10},
    {.name = "a<b>&\"c\"", .nodes = 1, .work = 10, .volume = 50, .bmax = 5, .io = 10},
};
static const struct tasks tasks = {.list = list, .count = 2, .bandwidth = 10, .nodes = 3};
static struct plan_app apps[] = {{0, 1}, {1, 1}};
static struct plan_instance instances[] = {{-5, 0, 1}, {14, 1, 2}};
static struct plan_piece pieces[] = {{5, 15, 10}, {26, 31, 5}, {32, 37, 5}};
static const struct plan plan = {.period = 30,
                                 .count = 2,
                                 .apps = apps,
                                 .instances = instances,
                                 .pieces = pieces,
                                 .instance_count = 2,
                                 .piece_count = 3};

static void one_period_is_folded_into_segments_in_order_without_gaps(void **state)
{
    (void)state;
    static const struct segment expected[] = {
        {0, 5, 0, 0, SEGMENT_WORK},   {5, 15, 10, 0, SEGMENT_IO},  {15, 25, 0, 0, SEGMENT_WAIT},
        {25, 30, 0, 0, SEGMENT_WORK}, {0, 1, 5, 1, SEGMENT_IO},    {1, 2, 0, 1, SEGMENT_WAIT},
        {2, 7, 5, 1, SEGMENT_IO},     {7, 14, 0, 1, SEGMENT_WAIT}, {14, 24, 0, 1, SEGMENT_WORK},
        {24, 26, 0, 1, SEGMENT_WAIT}, {26, 30, 5, 1, SEGMENT_IO},
    };
    struct timeline timeline = {0};
    assert_int_equal(plan_timeline(&plan, &tasks, &timeline), 0);
    assert_int_equal(timeline.count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < timeline.count; i++) {
        const struct segment *segment = &timeline.segments[i];
        assert_int_equal(segment->app, expected[i].app);
        assert_int_equal(segment->kind, expected[i].kind);
        assert_near(segment->start, expected[i].start, 1e-12);
        assert_near(segment->end, expected[i].end, 1e-12);
        assert_near(segment->rate, expected[i].rate, 0);
    }
    timeline_fini(&timeline);
}

static void the_picture_shows_measures_and_yields_of_the_plan(void **state)
{
    (void)state;
    const struct planned planned = {&sample_workload, &tasks, &plan, "by hand"};
    FILE *out = capture_begin();
    assert_int_equal(plan_write_gantt(out, &planned, NULL), 0);
    char *text = capture_end();
    /* Each does in 30 s what it does alone in 20; SysEfficiency (2 * 10/30 + 10/30) / 3. */
    assert_non_null(strstr(text, "by hand, one period of 30 s"));
    assert_non_null(strstr(text, "dilation 1.5000"));
    assert_non_null(strstr(text, "sys_efficiency 0.3333"));
    assert_non_null(strstr(text, ">0.667<"));
    assert_null(strstr(text, "nan"));
    free(text);
}

static void the_table_quotes_names_and_keeps_times(void **state)
{
    (void)state;
    FILE *out = capture_begin();
    plan_write_csv(out, &plan, &tasks);
    char *text = capture_end();
    assert_string_equal(text, "application,start,end,bandwidth\n"
                              "big,5,15,10\n"
                              "\"a<b>&\"\"c\"\"\",26,31,5\n"
                              "\"a<b>&\"\"c\"\"\",32,37,5\n");
    free(text);
}

static void each_application_has_a_list_of_its_own(void **state)
{
    (void)state;
    FILE *out = capture_begin();
    plan_write_ior(out, &plan, &tasks);
    char *text = capture_end();
    assert_string_equal(text, "# start (s), end (s), bandwidth (bytes/s); again every 30 s\n"
                              "\n[big]\n5 15 10\n"
                              "\n[a<b>&\"c\"]\n26 31 5\n32 37 5\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_period_is_folded_into_segments_in_order_without_gaps),
        cmocka_unit_test(the_picture_shows_measures_and_yields_of_the_plan),
        cmocka_unit_test(the_table_quotes_names_and_keeps_times),
        cmocka_unit_test(each_application_has_a_list_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "base/mem.h"
#include "base/text.h"
#include "common.h"
#include "report/gantt.h"
#include "report/lanes.h"
#include "report/svg.h"
#include "report/trace.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static size_t count_of(const char *text, const char *word)
{
    size_t count = 0;
    for (; (text = strstr(text, word)); text++)
        count++;
    return count;
}

static void segments_become_cells_with_their_shares(void **state)
{
    (void)state;
    struct lanes lanes;
    struct axis axis = {.start = 0, .end = 30, .width = 300};
    assert_int_equal(lanes_build(&lanes, &sample_workload, &sample_timeline, &axis), 0);
    assert_int_equal(lanes.count, 2);
    const struct lane *lane = &lanes.list[1];
    assert_int_equal(lane->count, 3); /* work, waiting, I/O: 100 pixels each */
    assert_near(lane->cells[0].work, 1, 0);
    assert_near(lane->cells[1].work + lane->cells[1].io, 0, 0);
    assert_near(lane->cells[2].io, 1, 0);
    assert_near(lane->cells[2].start, 200, 1e-9);
    /* Nothing, then 10 B/s, then 5 B/s. */
    assert_near(lanes.bandwidth[50], 0, 1e-9);
    assert_near(lanes.bandwidth[150], 10, 1e-9);
    assert_near(lanes.bandwidth[299], 5, 1e-9);
    lanes_fini(&lanes);
}

/* 100,000 rounds of 0.1 s work, 0.2 s waiting and 0.1 s I/O at half speed, over 1000 pixels. */
static struct timeline long_timeline(void)
{
    struct timeline timeline = {0};
    for (int i = 0; i < 100000; i++) {
        double t = 0.4 * i;
        struct segment work = {t, t + 0.1, 0, 0, SEGMENT_WORK};
        struct segment wait = {t + 0.1, t + 0.3, 0, 0, SEGMENT_WAIT};
        struct segment io = {t + 0.3, t + 0.4, 5, 0, SEGMENT_IO};
        assert_int_equal(timeline_add(&timeline, work), 0);
        assert_int_equal(timeline_add(&timeline, wait), 0);
        assert_int_equal(timeline_add(&timeline, io), 0);
    }
    return timeline;
}

static void what_is_too_narrow_to_see_is_merged_and_areas_stay_true(void **state)
{
    (void)state;
    struct timeline timeline = long_timeline();
    struct lanes lanes;
    struct axis axis = {.start = 0, .end = 40000, .width = 1000};
    assert_int_equal(lanes_build(&lanes, &sample_workload, &timeline, &axis), 0);
    const struct lane *lane = &lanes.list[0];
    assert_true(lane->count <= 1001);
    double work = 0, io = 0, moved = 0;
    for (size_t i = 0; i < lane->count; i++) {
        double width = lane->cells[i].end - lane->cells[i].start;
        work += width * lane->cells[i].work;
        io += width * lane->cells[i].io;
    }
    for (size_t i = 0; i < lanes.pixels; i++)
        moved += lanes.bandwidth[i];
    assert_near(work, 250, 1e-6);          /* a quarter of the time */
    assert_near(io, 125, 1e-6);            /* a quarter, at half of bmax */
    assert_near(moved / 1000, 1.25, 1e-9); /* 5 B/s for a quarter of the time */
    lanes_fini(&lanes);
    timeline_fini(&timeline);
}

static void the_picture_of_a_long_run_stays_small(void **state)
{
    (void)state;
    struct timeline timeline = long_timeline();
    struct rows rows = sample_rows();
    struct gantt_panel panel = {&rows.list[0], &timeline};
    assert_int_equal(gantt_write(capture_begin(), &sample_workload, &panel, 1, NULL), 0);
    char *text = capture_end();
    assert_true(strlen(text) < 1000000);
    free(text);
    rows_fini(&rows);
    timeline_fini(&timeline);
}

static void the_picture_names_everything_and_escapes_it(void **state)
{
    (void)state;
    struct rows rows = sample_rows();
    struct gantt_panel panels[] = {{&rows.list[0], &sample_timeline},
                                   {&rows.list[0], &sample_timeline}};
    assert_int_equal(gantt_write(capture_begin(), &sample_workload, panels, 2, NULL), 0);
    char *text = capture_end();
    assert_ptr_equal(strstr(text, "<svg "), text);
    assert_non_null(strstr(text, "</svg>\n"));
    assert_non_null(strstr(text, ">two, by hand</text>"));
    assert_int_equal(count_of(text, ">fcfs</text>"), 2);
    assert_int_equal(count_of(text, ">a&lt;b&gt;&amp;&quot;c&quot;</text>"), 2);
    assert_null(strstr(text, "a<b>"));
    /* 5 segments in each panel tell what they are. */
    assert_int_equal(count_of(text, "<title>"), 10);
    assert_non_null(strstr(text, "<title>big: I/O at 10 B/s, 10 s to 20 s</title>"));
    free(text);
    rows_fini(&rows);
}

static void what_xml_cannot_hold_is_replaced(void **state)
{
    (void)state;
    svg_escape(capture_begin(), "caf\xc3\xa9 \xff\x01 \xc3(");
    char *text = capture_end();
    assert_string_equal(text, "caf\xc3\xa9 ?? ?(");
    free(text);
}

static void long_names_end_in_an_ellipsis(void **state)
{
    (void)state;
    char text[] = "caf\xc3\xa9-society", whole[] = "caf\xc3\xa9";
    text_clip(text, 6);
    assert_string_equal(text, "caf\xc3\xa9-\xe2\x80\xa6");
    text_clip(whole, 4);
    assert_string_equal(whole, "caf\xc3\xa9");
}

static void the_trace_has_a_track_per_application_and_a_counter(void **state)
{
    (void)state;
    assert_int_equal(trace_write(capture_begin(), &sample_workload, &sample_timeline, "fcfs", NULL),
                     0);
    char *text = capture_end();
    assert_int_equal(count_of(text, "\"thread_name\""), 2);
    assert_int_equal(count_of(text, "\"ph\":\"X\""), 5);
    assert_non_null(strstr(text, "{\"ph\":\"X\",\"name\":\"io\",\"pid\":1,\"tid\":2,"
                                 "\"ts\":20000000,\"dur\":10000000,"
                                 "\"args\":{\"bandwidth\":5}}"));
    /* 10 B/s from 10 s, 5 B/s from 20 s, and exactly 0 at the end. */
    const char *last = strstr(text, "\"ts\":30000000,\"args\":{\"bytes/s\":0}");
    assert_int_equal(count_of(text, "\"ph\":\"C\""), 3);
    assert_non_null(strstr(text, "\"ts\":20000000,\"args\":{\"bytes/s\":5}"));
    assert_non_null(last);
    free(text);
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    struct rows rows = sample_rows();
    struct gantt_panel panel = {&rows.list[0], &sample_timeline};
    struct err err;
    int failures = 0, status = -1;
    for (; status < 0; failures++) {
        FILE *out = capture_begin();
        mem_fail_after(failures);
        status = gantt_write(out, &sample_workload, &panel, 1, &err);
        mem_fail_after(-1);
        free(capture_end());
    }
    assert_true(failures > 3); /* lanes, bandwidth, slopes, and cells */
    mem_fail_after(0);
    status = trace_write(capture_begin(), &sample_workload, &sample_timeline, "fcfs", &err);
    mem_fail_after(-1);
    assert_int_equal(status, -1);
    free(capture_end());
    rows_fini(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments_become_cells_with_their_shares),
        cmocka_unit_test(what_is_too_narrow_to_see_is_merged_and_areas_stay_true),
        cmocka_unit_test(the_picture_of_a_long_run_stays_small),
        cmocka_unit_test(the_picture_names_everything_and_escapes_it),
        cmocka_unit_test(what_xml_cannot_hold_is_replaced),
        cmocka_unit_test(long_names_end_in_an_ellipsis),
        cmocka_unit_test(the_trace_has_a_track_per_application_and_a_counter),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

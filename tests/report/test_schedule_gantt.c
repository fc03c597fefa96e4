#include "base/mem.h"
#include "common.h"
#include "report/schedule_gantt.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const kinds[] = {"long", "s<ort", NULL};
static const struct platform two_nodes = {.nodes = 2, .node_bandwidth = 1, .bandwidth = 1};

/* long-1 has node 0 until 600 and long-2 from then on; on node 1 jobs of 1 s, 400 of them, leave
 * no gap. 1092 pixels are 1092 s. */
static struct schedule *make(void)
{
    struct schedule *schedule = schedule_new("small", &two_nodes, kinds);
    assert_non_null(schedule);
    struct schedule_job jobs[] = {{0, 600, 1, 0, 1}, {600, 1092, 1, 0, 2}};
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(schedule_add(schedule, &jobs[i]), 0);
    for (uint32_t k = 0; k < 400; k++) {
        struct schedule_job job = {k, k + 1, 1, 1, k + 1};
        assert_int_equal(schedule_add(schedule, &job), 0);
    }
    schedule_sort(schedule);
    return schedule;
}

static char *draw(const struct schedule *schedule)
{
    struct err err;
    FILE *out = capture_begin();
    assert_int_equal(schedule_write_gantt(out, schedule, &err), 0);
    return capture_end();
}

/* A row is a pixel high, so nothing is left between rows; long jobs are told apart by a gap. Time 0
 * is at x = 84, and node 0 is the lower row, from y = 127 to 128. */
static void long_jobs_are_rectangles_and_short_ones_flow_together(void **state)
{
    (void)state;
    struct schedule *schedule = make();
    char *text = draw(schedule);
    assert_non_null(strstr(text, "<path class=\"k0\" d=\""
                                 "M84.00 127.00H683.30V128.00H84.00z"
                                 "M684.00 127.00H1175.30V128.00H684.00z\"/>"));
    assert_non_null(strstr(text, "<path class=\"k1\" d=\"M84.00 126.00H483.30V127.00H84.00z\"/>"));
    free(text);
    schedule_free(schedule);
}

/* Until the last start, at 600, 600 + 400 of 1200 node seconds. */
static void the_title_says_how_many_and_how_full(void **state)
{
    (void)state;
    struct schedule *schedule = make();
    char *text = draw(schedule);
    assert_non_null(strstr(text, "402 jobs on 2 nodes in 18.2 min, 83.3 % of the node hours used"));
    assert_non_null(strstr(text, ">s&lt;ort</text>"));
    free(text);
    schedule_free(schedule);
}

/* The longest window, from 400 to 600, is 200 pixels wide; 19 of 1 s follow. */
static void windows_are_marked(void **state)
{
    (void)state;
    struct schedule *schedule = make();
    char *text = draw(schedule);
    int count = 0;
    for (const char *at = text; (at = strstr(at, "<rect class=\"window\"")); at++)
        count++;
    assert_int_equal(count, SCHEDULE_WINDOWS);
    assert_non_null(
        strstr(text, "<rect class=\"window\" x=\"484.00\" y=\"100.00\" width=\"200.00\""));
    free(text);
    schedule_free(schedule);
}

static void running_out_of_memory_is_an_error(void **state)
{
    (void)state;
    struct schedule *schedule = make();
    int status = -1, n = 0;
    for (; status < 0; n++) {
        struct err err = {0};
        FILE *out = capture_begin();
        mem_fail_after(n);
        status = schedule_write_gantt(out, schedule, &err);
        mem_fail_after(-1);
        free(capture_end());
        assert_true(status == 0 || strcmp(err.text, "out of memory") == 0);
    }
    assert_true(n > 3);
    schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_jobs_are_rectangles_and_short_ones_flow_together),
        cmocka_unit_test(the_title_says_how_many_and_how_full),
        cmocka_unit_test(windows_are_marked),
        cmocka_unit_test(running_out_of_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

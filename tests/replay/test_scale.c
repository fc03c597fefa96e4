/* Workloads of another size, and as they were observed. */
#include "replay/scale.h"
#include "support/small.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct small small;

static struct workload *resize(double faster, double bandwidth)
{
    struct err err = {0};
    struct scale scale = {.faster = faster, .bandwidth = bandwidth};
    struct workload *scaled = scale_workload(&small.workload, &scale, &err);
    if (!scaled)
        fail_msg("%s", err.text);
    return scaled;
}

static void every_io_takes_the_same_share_of_the_time(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 5, "w20 v100 w8 v40")->facts.release = 4;
    /* Times by 4, bandwidth by 100: 20 s become 5 s, and 100 bytes at 5, which take 20 s, become
     * 2500 bytes at 500, which take 5 s. */
    struct workload *scaled = resize(4, 1000);
    const struct app *app = &scaled->apps[0];
    assert_true(scaled->platform.bandwidth == 1000);
    assert_true(app->facts.bmax == 500);
    assert_true(app->facts.release == 1);
    assert_int_equal(app->facts.iterations, 2);
    assert_true(app_iteration(app, 0).work == 5 && app_iteration(app, 0).volume == 2500);
    assert_true(app_iteration(app, 1).work == 2 && app_iteration(app, 1).volume == 1000);
    assert_true(app->facts.total_work == 7 && app->facts.total_io == 7);
    assert_true(scaled->window.kind == WINDOW_NONE);
    workload_free(scaled);
}

static void bytes_are_whole_and_an_io_has_at_least_one(void **state)
{
    (void)state;
    small_init(&small, 10);
    small_add(&small, 10, "w1 v0.1 w1 v26 w1");
    struct workload *scaled = resize(10, 10);
    assert_true(app_iteration(&scaled->apps[0], 0).volume == 1);
    assert_true(app_iteration(&scaled->apps[0], 1).volume == 3);
    assert_true(app_iteration(&scaled->apps[0], 2).volume == 0);
    workload_free(scaled);
}

static void a_beginning_before_time_0_is_refused(void **state)
{
    (void)state;
    struct err err = {0};
    struct scale scale = {.faster = 1, .bandwidth = 10};
    small_init(&small, 10);
    small_age(small_add(&small, 10, "w1 v10"), 5, 3);
    assert_null(scale_workload(&small.workload, &scale, &err));
    assert_non_null(strstr(err.text, "begins before time 0"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_io_takes_the_same_share_of_the_time),
        cmocka_unit_test(bytes_are_whole_and_an_io_has_at_least_one),
        cmocka_unit_test(a_beginning_before_time_0_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Small runs for real: that they happen, end, and leave nothing behind. How well they agree with
 * the simulation is tests/live's. */
#include "replay/calibrate.h"
#include "replay/place.h"
#include "replay/replay.h"
#include "support/small.h"
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct small small;
static char place[256];

static void start(void)
{
    struct err err;
    small_init(&small, 100e6);
    assert_int_equal(place_make(place_temporary(), place, sizeof place, &err), 0);
}

static unsigned entries(const char *path)
{
    unsigned count = 0;
    DIR *directory = opendir(path);
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(directory);
    return count;
}

static void finish(void)
{
    assert_int_equal(entries(place), 0);
    rmdir(place);
}

/* Returns when all have ended. */
static double replay(struct replay setup)
{
    struct err err = {0};
    struct replayed replayed;
    setup.workload = &small.workload;
    if (workload_set_window(&small.workload, small.workload.window, &err) ||
        replay_run(&setup, &replayed, &err))
        fail_msg("%s", err.text);
    for (uint32_t id = 0; id < small.workload.count; id++) {
        const struct app_outcome *app = &replayed.outcome->apps[id];
        double least = app_ideal(&small.apps[id]) + small.apps[id].facts.release;
        /* Never faster than alone; a burst of a few milliseconds may come first. */
        if (!(app->completion > 0.95 * least && app->completion < least + 5))
            fail_msg("application %u ended at %.3f s, alone at %.3f s", id, app->completion, least);
        assert_true(app->completion <= replayed.outcome->end);
    }
    double end = replayed.outcome->end;
    replayed_fini(&replayed);
    return end;
}

static void applications_run_to_their_end_under_control(void **state)
{
    (void)state;
    start();
    small_add(&small, 100e6, "w0.1 v5e6 w0.05 v5e6 w0.05");
    small_add(&small, 50e6, "w0.1 v5e6")->facts.release = 0.1;
    replay((struct replay){.policy = "fcfs", .directory = place});
    finish();
}

static void without_control_the_store_is_the_limit(void **state)
{
    (void)state;
    start();
    small_add(&small, 100e6, "w0.1 v20e6");
    small_add(&small, 100e6, "w0.1 v20e6");
    /* 40 MB through a store of 100 MB/s; pipes hold 64 KiB each. */
    assert_true(replay((struct replay){.store_limit = 100e6}) > 0.1 + 0.38);
    finish();
}

static void a_policy_that_is_none_is_reported(void **state)
{
    (void)state;
    struct err err = {0};
    struct replayed replayed;
    start();
    small_add(&small, 100e6, "w0.1 v1e6");
    const struct replay setup = {.workload = &small.workload, .policy = "fsfc", .directory = place};
    assert_int_equal(replay_run(&setup, &replayed, &err), -1);
    assert_non_null(strstr(err.text, "fsfc"));
    replayed_fini(&replayed);
    finish();
}

static void a_directory_that_is_not_there_is_reported(void **state)
{
    (void)state;
    struct err err = {0};
    struct replayed replayed;
    start();
    small_add(&small, 100e6, "w0.1 v1e6");
    const struct replay setup = {
        .workload = &small.workload, .policy = "fcfs", .directory = "/nowhere"};
    assert_int_equal(replay_run(&setup, &replayed, &err), -1);
    assert_non_null(strstr(err.text, "/nowhere"));
    replayed_fini(&replayed);
    finish();
}

static void calibration_measures_every_number_of_writers(void **state)
{
    (void)state;
    struct err err = {0};
    struct calibration result;
    start();
    const struct calibrate_options options = {
        .directory = place, .seconds = 0.1, .bytes = 50e6, .most = 4};
    if (calibrate(&options, &result, &err))
        fail_msg("%s", err.text);
    assert_int_equal(result.count, 3);
    for (uint32_t i = 0; i < result.count; i++) {
        const struct calibrate_step *step = &result.steps[i];
        assert_int_equal(step->writers, 1u << i);
        assert_true(step->slowest > 0 && step->slowest <= step->fastest);
        assert_true(step->bandwidth >= step->slowest * step->writers * (1 - 1e-9));
        expect_near(step->degradation, 1 - step->bandwidth / result.steps[0].bandwidth, 1e-12);
    }
    assert_true(result.bandwidth == result.steps[2].bandwidth);
    assert_true(result.node_bandwidth ==
                result.steps[0].bandwidth); /* one number, wherever shown */
    finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(applications_run_to_their_end_under_control),
        cmocka_unit_test(without_control_the_store_is_the_limit),
        cmocka_unit_test(a_policy_that_is_none_is_reported),
        cmocka_unit_test(a_directory_that_is_not_there_is_reported),
        cmocka_unit_test(calibration_measures_every_number_of_writers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

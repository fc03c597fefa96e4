#include "model/workload.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* On a machine of bandwidth 10:
 *   short   bmax 2,  (work 3, io 4) x 5: one iteration takes 3 + 2 = 5 s, all of it 25 s
 *   long    bmax 10, released at 4: work 10, io 60, work 20, io 5: 10 + 6 + 20 + 0.5 = 36.5 s
 *   old     bmax 5,  released at -100: io 10, work 100: 2 + 100 s */
static const struct iteration periodic[] = {{3, 4}};
static const struct iteration listed[] = {{10, 60}, {20, 5}};
static const struct iteration ancient[] = {{0, 10}, {100, 0}};

struct sample {
    struct app apps[3];
    struct workload workload;
};

static struct iteration last_of(const struct app *app)
{
    return app_iteration(app, app->facts.iterations - 1);
}

static void setup(struct sample *sample)
{
    *sample = (struct sample){0};
    struct app *apps = sample->apps;
    apps[0] = (struct app){.facts = {.bmax = 2, .iterations = 5},
                           .name = "short",
                           .iterations = periodic,
                           .room = INFINITY};
    apps[1] = (struct app){.facts = {.bmax = 10, .release = 4, .iterations = 2},
                           .name = "long",
                           .stride = 1,
                           .iterations = listed,
                           .room = INFINITY};
    apps[2] = (struct app){.facts = {.bmax = 5, .release = -100, .iterations = 2},
                           .name = "old",
                           .stride = 1,
                           .iterations = ancient,
                           .room = INFINITY};
    for (int i = 0; i < 3; i++)
        app_profile(&apps[i]);
    sample->workload.platform.bandwidth = 10;
    sample->workload.apps = apps;
    sample->workload.count = 3;
}

static void expect_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 * fabs(expected)))
        fail_msg("%.17g is not %.17g", value, expected);
}

static void replicas_are_numbered_in_their_labels(void **state)
{
    (void)state;
    struct app app = {.name = "turbulence2"};
    char buffer[32];
    assert_string_equal(app_label(&app, buffer, sizeof buffer), "turbulence2");
    app.replica = 3;
    assert_string_equal(app_label(&app, buffer, sizeof buffer), "turbulence2.3");
    /* 31 bytes, of which ".3" takes 2: 14 of two bytes each go before it. */
    app.name = "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
               "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9";
    assert_int_equal(strlen(app_label(&app, buffer, 32)), 30);
    assert_string_equal(buffer + 26, "\u00e9.3");
}

static void the_profile_sums_all_iterations(void **state)
{
    (void)state;
    struct sample sample;
    setup(&sample);
    expect_near(sample.apps[0].facts.total_work, 15);
    expect_near(sample.apps[0].facts.total_io, 10);
    expect_near(app_ideal(&sample.apps[0]), 25);
    expect_near(app_ideal(&sample.apps[1]), 36.5);
    expect_near(app_ideal(&sample.apps[2]), 102);
    sample.apps[0].room = 1;
    app_profile(&sample.apps[0]);
    expect_near(app_ideal(&sample.apps[0]), 4 * 5 + 1);
    sample.apps[0].facts.iterations = 1;
    app_profile(&sample.apps[0]);
    expect_near(app_ideal(&sample.apps[0]), 1);
}

/* T1 = 25, the end of "short". "long" starts at 4 and has 21 s: 10 + 6, then 5 of 20 s of work.
 * "old" has 2 s of I/O and 23 of 100 s of work. */
static void an_automatic_window_cuts_everybody_to_the_shortest(void **state)
{
    (void)state;
    struct sample sample;
    setup(&sample);
    struct window window = {.kind = WINDOW_AUTO};
    assert_int_equal(workload_set_window(&sample.workload, window, NULL), 0);
    assert_int_equal(sample.workload.window.kind, WINDOW_FIXED);
    assert_true(sample.workload.window.start == 0);
    expect_near(sample.workload.window.end, 25);
    assert_int_equal(sample.apps[0].facts.iterations, 5);
    assert_true(last_of(&sample.apps[0]).work == 3 && last_of(&sample.apps[0]).volume == 4);
    assert_int_equal(sample.apps[1].facts.iterations, 2);
    expect_near(last_of(&sample.apps[1]).work, 5);
    assert_true(last_of(&sample.apps[1]).volume == 0);
    assert_int_equal(sample.apps[2].facts.iterations, 2);
    expect_near(last_of(&sample.apps[2]).work, 23);
    expect_near(app_ideal(&sample.apps[1]), 21);
    expect_near(app_ideal(&sample.apps[2]), 25);
    assert_true(listed[1].work == 20); /* the original is untouched */
}

/* T1 = 25, as above, before "long" starts. */
static void an_application_that_starts_after_the_window_does_nothing_in_it(void **state)
{
    (void)state;
    struct sample sample;
    setup(&sample);
    sample.apps[1].facts.release = 30;
    struct window window = {.kind = WINDOW_AUTO};
    assert_int_equal(workload_set_window(&sample.workload, window, NULL), 0);
    expect_near(sample.workload.window.end, 25);
    assert_int_equal(sample.apps[1].facts.iterations, 1);
    assert_true(app_ideal(&sample.apps[1]) == 0);
    assert_true(last_of(&sample.apps[1]).work == 0 && last_of(&sample.apps[1]).volume == 0);
}

/* Ends of phases up to 25, that one included: short 10, long 2 (at 14 and 20), old 1 (at 2).
 * Bytes: 5 x 4 + 60 + 10 = 90 of 250. */
static void interval_and_pressure_are_those_of_the_uncut_applications(void **state)
{
    (void)state;
    struct sample sample;
    setup(&sample);
    struct window window = {.kind = WINDOW_AUTO};
    assert_int_equal(workload_set_window(&sample.workload, window, NULL), 0);
    expect_near(sample.workload.phase_interval, 25.0 / 13);
    expect_near(sample.workload.io_pressure, 90.0 / 250);
}

/* T1 = 25 falls into an I/O now: 4 + 10 + 6 = 20, then work of 3 s, and 2 of 5 s of I/O. */
static void an_io_is_cut_in_its_middle(void **state)
{
    (void)state;
    static const struct iteration split[] = {{10, 60}, {3, 50}};
    struct sample sample;
    setup(&sample);
    sample.apps[1].iterations = split;
    app_profile(&sample.apps[1]);
    struct window window = {.kind = WINDOW_AUTO};
    assert_int_equal(workload_set_window(&sample.workload, window, NULL), 0);
    assert_true(last_of(&sample.apps[1]).work == 3);
    expect_near(last_of(&sample.apps[1]).volume, 20);
    /* The ends at 14, 20 and 23 count; 5 x 4 + 60 + 20 + 10 bytes. */
    expect_near(sample.workload.phase_interval, 25.0 / 14);
    expect_near(sample.workload.io_pressure, 110.0 / 250);
}

static void an_application_released_behind_the_window_keeps_nothing(void **state)
{
    (void)state;
    struct sample sample;
    setup(&sample);
    sample.apps[1].facts.release = 30;
    struct window window = {.kind = WINDOW_AUTO};
    assert_int_equal(workload_set_window(&sample.workload, window, NULL), 0);
    assert_int_equal(sample.apps[1].facts.iterations, 1);
    assert_true(app_ideal(&sample.apps[1]) == 0);
}

/* In [12, 22]: short has the posts and ends at 13, 15, 18, 20 and moves 2 x 4 bytes; long posts at
 * 14 and ends at 20, 60 bytes; old ends nothing. */
static void a_fixed_window_counts_what_lies_inside_and_cuts_nobody(void **state)
{
    (void)state;
    struct sample sample;
    setup(&sample);
    struct window window = {.kind = WINDOW_FIXED, .start = 12, .end = 22};
    assert_int_equal(workload_set_window(&sample.workload, window, NULL), 0);
    expect_near(sample.workload.phase_interval, 10.0 / 6);
    expect_near(sample.workload.io_pressure, 68.0 / 100);
    expect_near(app_ideal(&sample.apps[2]), 102);
    /* From 19 on: short has a second of I/O left until 20, long too, at 2 and 10 bytes/s. */
    window = (struct window){.kind = WINDOW_FIXED, .start = 19, .end = 22};
    assert_int_equal(workload_set_window(&sample.workload, window, NULL), 0);
    expect_near(sample.workload.io_pressure, 12.0 / 30);
}

/* Until 102 there are 10 + 4 + 2 ends. Rates of I/O: 20/25, 65/36.5 and 10/102 bytes/s. */
static void without_a_window_everything_counts(void **state)
{
    (void)state;
    struct sample sample;
    setup(&sample);
    struct window window = {.kind = WINDOW_NONE};
    assert_int_equal(workload_set_window(&sample.workload, window, NULL), 0);
    assert_int_equal(sample.workload.window.kind, WINDOW_NONE);
    expect_near(sample.workload.phase_interval, 102.0 / 16);
    expect_near(sample.workload.io_pressure, (20 / 25.0 + 65 / 36.5 + 10 / 102.0) / 10);
}

/* "short" in [0, 25] and "old" in [0, 102] together; "long", 36.5 s, comes at 200: 95 bytes in 102
 * + 36.5 s. Before, the three run together and are taken to go on for ever. */
static void jobs_that_do_not_run_together_count_while_they_are_there(void **state)
{
    (void)state;
    struct sample sample;
    setup(&sample);
    struct window window = {.kind = WINDOW_NONE};
    assert_int_equal(workload_set_window(&sample.workload, window, NULL), 0);
    assert_true(sample.workload.occupancy.together);
    sample.apps[1].facts.release = 200;
    assert_int_equal(workload_set_window(&sample.workload, window, NULL), 0);
    assert_false(sample.workload.occupancy.together);
    expect_near(sample.workload.occupancy.busy, 102 + 36.5);
    expect_near(sample.workload.io_pressure, 95 / (10 * (102 + 36.5)));
    /* In [90, 210] they are there for 12 + 10 s; "long" works until 210. */
    window = (struct window){.kind = WINDOW_FIXED, .start = 90, .end = 210};
    assert_int_equal(workload_set_window(&sample.workload, window, NULL), 0);
    expect_near(sample.workload.occupancy.busy, 22);
    assert_true(sample.workload.io_pressure == 0);
    /* Until 216 it moves its 60 bytes; there is nobody in [105, 199]. */
    window = (struct window){.kind = WINDOW_FIXED, .start = 90, .end = 216};
    assert_int_equal(workload_set_window(&sample.workload, window, NULL), 0);
    expect_near(sample.workload.io_pressure, 60 / (10 * 28.0));
    window = (struct window){.kind = WINDOW_FIXED, .start = 105, .end = 199};
    assert_int_equal(workload_set_window(&sample.workload, window, NULL), 0);
    assert_true(sample.workload.io_pressure == 0 && sample.workload.occupancy.nodes == 0);
}

static void an_impossible_window_is_an_error(void **state)
{
    (void)state;
    struct sample sample;
    struct err err;
    setup(&sample);
    struct window window = {.kind = WINDOW_FIXED, .start = 5, .end = 4};
    assert_int_equal(workload_set_window(&sample.workload, window, &err), -1);
    assert_string_equal(err.text, "a window ends at 4, expected a time after its start at 5");
    sample.apps[0].facts.iterations = 1;
    sample.apps[0].room = 0;
    app_profile(&sample.apps[0]);
    window = (struct window){.kind = WINDOW_AUTO};
    assert_int_equal(workload_set_window(&sample.workload, window, &err), -1);
    assert_non_null(strstr(err.text, "nothing to do"));
}

/* 0.1 is not exact: after 1000 iterations the rounding of a plain sum would exceed the last bit,
 * and the cut would leave a sliver. */
static void equal_applications_are_not_cut_by_rounding(void **state)
{
    (void)state;
    static struct iteration many[1000];
    static const struct iteration once = {0.1, 0.7};
    for (int k = 0; k < 1000; k++)
        many[k] = once;
    struct app apps[2] = {
        {.facts = {.bmax = 3, .iterations = 1000},
         .stride = 1,
         .iterations = many,
         .room = INFINITY},
        {.facts = {.bmax = 3, .iterations = 1000}, .iterations = &once, .room = INFINITY}};
    struct workload workload = {.apps = apps, .count = 2, .platform.bandwidth = 3};
    app_profile(&apps[0]);
    app_profile(&apps[1]);
    struct window window = {.kind = WINDOW_AUTO};
    assert_int_equal(workload_set_window(&workload, window, NULL), 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(apps[i].facts.iterations, 1000);
        expect_near(app_ideal(&apps[i]), workload.window.end);
        assert_true(fabs(last_of(&apps[i]).volume - 0.7) < 1e-9);
    }
    expect_near(workload.phase_interval, workload.window.end / 4000);
}

/* On 16 nodes and 10 B/s. One: 4 nodes, 6 s of work and 20 B at 5 B/s = 4 s: 10 s, 0.4 of it I/O.
 * Two: 8 nodes, twice 1 s and 30 B at 10 B/s = 3 s: 8 s, 0.75 of it I/O. The file system is busy
 * for 2 + 6 s, the nodes for 4 * 10 + 8 * 8 = 104: alpha = 16 * 8 / 104. */
static void weight_and_load_measure_the_demand(void **state)
{
    (void)state;
    static const struct iteration one = {6, 20}, two = {1, 30};
    struct app apps[2] = {
        {.facts = {.nodes = 4, .bmax = 5, .iterations = 1}, .iterations = &one, .room = INFINITY},
        {.facts = {.nodes = 8, .bmax = 10, .iterations = 2}, .iterations = &two, .room = INFINITY}};
    struct workload workload = {
        .apps = apps, .count = 2, .nodes_known = true, .platform = {.nodes = 16, .bandwidth = 10}};
    app_profile(&apps[0]);
    app_profile(&apps[1]);
    double weight;
    assert_int_equal(workload_io_weight(&workload, &weight), 0);
    expect_near(weight, 0.4 + 0.75);
    expect_near(workload_io_load(&workload), 16. * 8 / 104);
    /* One after the other: 4 + 6 s of I/O in 10 + 8 s, whatever the time between them. */
    apps[1].facts.release = 100;
    assert_int_equal(workload_io_weight(&workload, &weight), 0);
    expect_near(weight, 10 / 18.);
    expect_near(workload_io_load(&workload), 16. * 8 / 104);
    workload.nodes_known = false;
    assert_true(isnan(workload_io_load(&workload)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replicas_are_numbered_in_their_labels),
        cmocka_unit_test(the_profile_sums_all_iterations),
        cmocka_unit_test(an_automatic_window_cuts_everybody_to_the_shortest),
        cmocka_unit_test(an_application_that_starts_after_the_window_does_nothing_in_it),
        cmocka_unit_test(interval_and_pressure_are_those_of_the_uncut_applications),
        cmocka_unit_test(an_io_is_cut_in_its_middle),
        cmocka_unit_test(an_application_released_behind_the_window_keeps_nothing),
        cmocka_unit_test(a_fixed_window_counts_what_lies_inside_and_cuts_nobody),
        cmocka_unit_test(without_a_window_everything_counts),
        cmocka_unit_test(jobs_that_do_not_run_together_count_while_they_are_there),
        cmocka_unit_test(an_impossible_window_is_an_error),
        cmocka_unit_test(equal_applications_are_not_cut_by_rounding),
        cmocka_unit_test(weight_and_load_measure_the_demand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* When an I/O pauses and when it is over, from made-up samples. */
#include "node/watch.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct watch_rule rule = {.soft_release = 0.002, .phase_gap = 0.05};

/* An application in the middle of an I/O that began at 0. */
struct scene {
    struct watch watch;
    struct watch_sample sample;
};

static void start(struct scene *scene)
{
    *scene = (struct scene){0};
    watch_begin(&scene->watch, 0, &scene->sample.signs);
}

/* A call of 100 bytes ends at `last`, and is seen at `now`. */
static enum watch_verdict see_call(struct scene *scene, double last, double now)
{
    scene->sample.signs.calls++;
    scene->sample.signs.moved += 100;
    scene->sample.last = last;
    return watch_look(&scene->watch, &rule, now, &scene->sample);
}

static enum watch_verdict see_nothing(struct scene *scene, double now)
{
    return watch_look(&scene->watch, &rule, now, &scene->sample);
}

static void quiet_pauses_and_then_ends_an_io_since_its_last_call(void **state)
{
    (void)state;
    struct scene scene;
    start(&scene);
    assert_int_equal(see_call(&scene, 0.0105, 0.011), WATCH_MOVING);
    assert_int_equal(see_nothing(&scene, 0.012), WATCH_MOVING); /* 1.5 ms of quiet */
    assert_int_equal(see_nothing(&scene, 0.0125), WATCH_PAUSED);
    assert_int_equal(see_nothing(&scene, 0.0604), WATCH_PAUSED); /* 49.9 ms */
    assert_int_equal(see_nothing(&scene, 0.0606), WATCH_OVER);
    assert_true(watch_end(&scene.watch, 0.0606) == 0.0105);
}

static void a_call_under_way_is_no_quiet(void **state)
{
    (void)state;
    struct scene scene;
    start(&scene);
    scene.sample.busy = true;
    assert_int_equal(see_nothing(&scene, 1), WATCH_MOVING);
    assert_int_equal(see_nothing(&scene, 10), WATCH_MOVING);
    scene.sample.busy = false;
    assert_int_equal(see_nothing(&scene, 10.001), WATCH_MOVING);
    assert_int_equal(see_nothing(&scene, 10.003), WATCH_PAUSED);
}

static void what_an_application_says_of_its_last_call_is_not_trusted(void **state)
{
    (void)state;
    static const double lies[] = {-5, -1e-9, 99, 1e300, 0.0 / 0.0};
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        struct scene scene;
        start(&scene);
        assert_int_equal(see_call(&scene, lies[i], 0.02), WATCH_MOVING);
        assert_int_equal(see_nothing(&scene, 0.021), WATCH_MOVING);
        assert_int_equal(see_nothing(&scene, 0.071), WATCH_OVER);
        assert_true(watch_end(&scene.watch, 0.071) == 0.02);
    }
}

static void a_pause_inside_an_io_makes_the_end_come_later(void **state)
{
    (void)state;
    struct scene scene;
    start(&scene);
    see_call(&scene, 0.010, 0.010);
    assert_int_equal(see_nothing(&scene, 0.015), WATCH_PAUSED);
    /* After 20 ms it goes on: 8 * 20 ms are the new gap. */
    assert_int_equal(see_call(&scene, 0.030, 0.030), WATCH_MOVING);
    assert_true(watch_gap(&scene.watch, &rule) == 8 * (0.030 - 0.010));
    assert_int_equal(see_nothing(&scene, 0.189), WATCH_PAUSED);
    assert_int_equal(see_nothing(&scene, 0.191), WATCH_OVER);
    watch_end(&scene.watch, 0.191);
    /* The next one remembers, the one after it half as much, and then 50 ms are the least. */
    watch_begin(&scene.watch, 1, &scene.sample.signs);
    assert_true(watch_gap(&scene.watch, &rule) == 8 * (0.030 - 0.010));
    watch_end(&scene.watch, 1);
    watch_begin(&scene.watch, 2, &scene.sample.signs);
    assert_true(watch_gap(&scene.watch, &rule) == 4 * (0.030 - 0.010));
    watch_end(&scene.watch, 2);
    watch_begin(&scene.watch, 3, &scene.sample.signs);
    assert_true(watch_gap(&scene.watch, &rule) == 0.05);
}

static void the_gap_never_exceeds_a_second(void **state)
{
    (void)state;
    struct scene scene;
    start(&scene);
    assert_int_equal(see_nothing(&scene, 0.01), WATCH_PAUSED);
    watch_resume(&scene.watch, 0.9, &scene.sample.signs);
    assert_true(watch_gap(&scene.watch, &rule) == WATCH_LONGEST);
}

static void a_close_shortens_the_gap_until_the_next_call(void **state)
{
    (void)state;
    struct scene scene;
    start(&scene);
    see_call(&scene, 0.010, 0.010);
    scene.sample.signs.closed++;
    assert_int_equal(see_nothing(&scene, 0.011), WATCH_MOVING);
    assert_int_equal(see_nothing(&scene, 0.0345), WATCH_PAUSED);
    assert_int_equal(see_nothing(&scene, 0.0355), WATCH_OVER); /* 25 ms */
    see_call(&scene, 0.036, 0.036);
    assert_int_equal(see_nothing(&scene, 0.061), WATCH_PAUSED);
}

static void one_that_says_itself_when_it_ends_is_not_ended_by_quiet(void **state)
{
    (void)state;
    struct scene scene;
    start(&scene);
    scene.sample.begun = true;
    see_call(&scene, 0.010, 0.010);
    assert_int_equal(see_nothing(&scene, 0.059), WATCH_MOVING); /* it may move what it claimed */
    assert_int_equal(see_nothing(&scene, 0.061), WATCH_PAUSED);
    assert_int_equal(see_nothing(&scene, 100), WATCH_PAUSED);
}

static void unclaimed_bandwidth_pauses_even_a_call(void **state)
{
    (void)state;
    for (int declared = 0; declared < 2; declared++) {
        struct scene scene;
        start(&scene);
        scene.sample.busy = true;
        scene.sample.begun = declared;
        assert_int_equal(see_call(&scene, 0.010, 0.010), WATCH_MOVING);
        scene.sample.unclaimed = true;
        assert_int_equal(see_nothing(&scene, 0.059), WATCH_MOVING);
        assert_int_equal(see_nothing(&scene, 0.061), WATCH_PAUSED);
        /* Now it holds nothing, so nothing lies unclaimed; still it does not go on, */
        scene.sample.unclaimed = false;
        assert_int_equal(see_nothing(&scene, 5), WATCH_PAUSED);
        /* until it claims some. That it makes calls is not enough. */
        scene.sample.signs.calls++;
        assert_int_equal(see_nothing(&scene, 5.9), WATCH_PAUSED);
        scene.sample.signs.claimed++;
        scene.sample.claimed = 0.02;
        assert_int_equal(see_nothing(&scene, 6), WATCH_MOVING);
        scene.sample.claimed = 0;
        /* That it was stopped says nothing of its pauses. */
        assert_true(watch_gap(&scene.watch, &rule) == 0.05);
    }
}

static void a_call_that_is_slow_is_not_taken_for_a_stopped_one(void **state)
{
    (void)state;
    struct scene scene;
    start(&scene);
    scene.sample.busy = scene.sample.running = scene.sample.unclaimed = true;
    assert_int_equal(see_nothing(&scene, 0.9), WATCH_MOVING);
    assert_int_equal(see_nothing(&scene, 1.1), WATCH_PAUSED); /* there is an end to patience */
    /* Once it is stopped, it holds up the others no longer. */
    start(&scene);
    scene.sample.busy = scene.sample.running = scene.sample.unclaimed = true;
    assert_int_equal(see_nothing(&scene, 0.1), WATCH_MOVING);
    assert_int_equal(see_nothing(&scene, 0.5), WATCH_MOVING);
    scene.sample.running = false;
    assert_int_equal(see_nothing(&scene, 0.501), WATCH_PAUSED);
}

/* In a file system of another process, such as FUSE's, a call sleeps until that has answered. */
static void a_call_that_sleeps_in_the_store_is_slow_too(void **state)
{
    (void)state;
    struct scene scene;
    start(&scene);
    scene.sample.busy = scene.sample.sleeping = scene.sample.unclaimed = true;
    scene.sample.signs.claimed++;
    assert_int_equal(see_nothing(&scene, 0.001), WATCH_MOVING);
    assert_int_equal(see_nothing(&scene, 0.9), WATCH_MOVING);
    assert_int_equal(see_nothing(&scene, 1.1), WATCH_PAUSED);
    /* One that never claimed anything sleeps for reasons of its own. */
    start(&scene);
    scene.sample.busy = scene.sample.sleeping = scene.sample.unclaimed = true;
    assert_int_equal(see_nothing(&scene, 0.009), WATCH_MOVING);
    assert_int_equal(see_nothing(&scene, 0.011), WATCH_PAUSED);
    /* One that waits for its turn sleeps as well: that it moves nothing counts as before. */
    start(&scene);
    scene.sample.busy = scene.sample.sleeping = scene.sample.unmoved = true;
    assert_int_equal(see_nothing(&scene, 0.9), WATCH_MOVING);
    assert_int_equal(see_nothing(&scene, 1.1), WATCH_PAUSED);
}

static void bandwidth_that_was_never_claimed_is_lent_after_a_few_milliseconds(void **state)
{
    (void)state;
    struct scene scene;
    start(&scene);
    scene.sample.busy = scene.sample.unclaimed = true;
    assert_int_equal(see_nothing(&scene, 0.009), WATCH_MOVING);
    assert_int_equal(see_nothing(&scene, 0.011), WATCH_PAUSED);
}

/* It takes tickets all the time, and moves nothing. */
static void claims_alone_do_not_keep_bandwidth(void **state)
{
    (void)state;
    struct scene scene;
    start(&scene);
    scene.sample.busy = scene.sample.unmoved = true;
    for (int i = 1; i <= 99; i++) {
        scene.sample.signs.claimed++;
        assert_int_equal(see_nothing(&scene, 0.01 * i), WATCH_MOVING);
    }
    assert_int_equal(see_nothing(&scene, 1.001), WATCH_PAUSED);
    /* Unless the kernel says that it is busy. */
    scene.sample.running = true;
    scene.sample.signs.claimed++;
    assert_int_equal(see_nothing(&scene, 1.002), WATCH_MOVING);
}

static void claiming_a_part_is_enough(void **state)
{
    (void)state;
    struct scene scene;
    start(&scene);
    scene.sample.busy = scene.sample.unclaimed = true;
    /* A fourth of what it may have: 10 of 40 ms. */
    scene.sample.claimed = scene.sample.moved = 0.0101;
    for (int i = 1; i <= 20; i++)
        assert_int_equal(see_call(&scene, 0.04 * i, 0.04 * i), WATCH_MOVING);
    /* But not a hundredth. */
    scene.sample.claimed = scene.sample.moved = 0.0004;
    see_call(&scene, 0.84, 0.84);
    assert_int_equal(see_call(&scene, 0.88, 0.88), WATCH_PAUSED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quiet_pauses_and_then_ends_an_io_since_its_last_call),
        cmocka_unit_test(a_call_under_way_is_no_quiet),
        cmocka_unit_test(what_an_application_says_of_its_last_call_is_not_trusted),
        cmocka_unit_test(a_pause_inside_an_io_makes_the_end_come_later),
        cmocka_unit_test(the_gap_never_exceeds_a_second),
        cmocka_unit_test(a_close_shortens_the_gap_until_the_next_call),
        cmocka_unit_test(one_that_says_itself_when_it_ends_is_not_ended_by_quiet),
        cmocka_unit_test(unclaimed_bandwidth_pauses_even_a_call),
        cmocka_unit_test(a_call_that_sleeps_in_the_store_is_slow_too),
        cmocka_unit_test(bandwidth_that_was_never_claimed_is_lent_after_a_few_milliseconds),
        cmocka_unit_test(claims_alone_do_not_keep_bandwidth),
        cmocka_unit_test(a_call_that_is_slow_is_not_taken_for_a_stopped_one),
        cmocka_unit_test(claiming_a_part_is_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

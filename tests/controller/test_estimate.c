/* The estimate of a store's bandwidth, against stores whose bandwidth is known. */
#include "base/random.h"
#include "controller/estimate.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 8 };

/* A store and the programs that use it, one interval at a time. */
struct plant {
    double truth, noise; /* its bandwidth, and how much that varies from one interval to the next */
    double wants[MOST];  /* bytes/s that each can use; 0 = it has no I/O */
    double slow[MOST];   /* the part of its grant that one takes at most; 0 = all */
    uint64_t seed, step;
    double delivered; /* in the last interval, */
    double able;      /* and what could have been */
};

static double plant_noise(struct plant *plant)
{
    struct random random = random_at(plant->seed, 0, (uint32_t)plant->step++);
    double sum = 0;
    for (int i = 0; i < 12; i++) /* nearly normal */
        sum += random_between(&random, -0.5, 0.5);
    return fmax(0.05, 1 + plant->noise * sum);
}

/* Divides an amount evenly, to each at most what it wants. */
static void divide(double amount, const double *wants, double *parts)
{
    for (int i = 0; i < MOST; i++)
        parts[i] = 0;
    for (int turn = 0; turn < MOST; turn++) {
        int open = 0;
        double left = amount;
        for (int i = 0; i < MOST; i++) {
            left -= parts[i];
            open += parts[i] < wants[i] * (1 - 1e-12);
        }
        if (open == 0 || left <= amount * 1e-12)
            return;
        for (int i = 0; i < MOST; i++)
            if (parts[i] < wants[i] * (1 - 1e-12))
                parts[i] = fmin(wants[i], parts[i] + left / open);
    }
}

/* One interval: grants by the estimate, bytes by the store. */
static void plant_run(struct plant *plant, struct estimate *estimate)
{
    double granted[MOST], takes[MOST], moved[MOST];
    struct estimate_sample sample = {.seconds = ESTIMATE_EVERY, .factor = 1};
    double all = 0, capacity = plant->truth * plant_noise(plant);
    divide(estimate->bandwidth, plant->wants, granted);
    for (int i = 0; i < MOST; i++) {
        takes[i] = plant->slow[i] > 0 ? granted[i] * plant->slow[i] : granted[i];
        all += plant->wants[i];
    }
    divide(capacity, takes, moved);
    plant->delivered = 0;
    for (int i = 0; i < MOST; i++) {
        sample.granted += granted[i];
        sample.delivered += moved[i];
        sample.moving += granted[i] > 0;
        sample.behind += granted[i] > 0 && estimate_is_behind(granted[i], moved[i]);
        sample.lagging += estimate_is_behind(granted[i], moved[i]) ? granted[i] : 0;
        sample.wanted |= granted[i] < plant->wants[i] * (1 - 1e-9);
    }
    plant->delivered = sample.delivered;
    plant->able = fmin(capacity, all);
    estimate_take(estimate, &sample);
}

static void want(struct plant *plant, int count, double each)
{
    for (int i = 0; i < MOST; i++)
        plant->wants[i] = i < count ? each : 0;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* 72, from 100 s on 33, from 300 s on 99, for 500 s: the median error, and the part of what could
 * have been moved that was. */
static void follow(double noise, uint64_t seed, double *error, double *use)
{
    enum { STEPS = 1000 };
    struct plant plant = {.noise = noise, .seed = seed};
    struct estimate estimate = estimate_start(5, 200);
    double errors[STEPS], moved = 0, able = 0;
    want(&plant, 6, 50);
    estimate.bandwidth = 72;
    for (int i = 0; i < STEPS; i++) {
        double now = i * ESTIMATE_EVERY;
        plant.truth = now < 100 ? 72 : now < 300 ? 33 : 99;
        plant_run(&plant, &estimate);
        errors[i] = fabs(estimate.bandwidth / plant.truth - 1);
        moved += plant.delivered;
        able += plant.able;
    }
    qsort(errors, STEPS, sizeof *errors, by_size);
    *error = errors[STEPS / 2];
    *use = moved / able;
}

static void noise_is_followed_without_losing_much(void **state)
{
    static const struct {
        double noise, error, use;
    } cases[] = {{0, 0.15, 0.97}, {0.05, 0.15, 0.97}, {0.15, 0.15, 0.90}, {0.3, 0.2, 0.72}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint64_t seed = 1; seed <= 5; seed++) {
            double error, use;
            follow(cases[i].noise, seed, &error, &use);
            assert_true(error < cases[i].error);
            assert_true(use > cases[i].use);
        }
}

/* Seconds until the estimate is within 15 % of the truth. */
static double settle(struct plant *plant, struct estimate *estimate)
{
    for (int i = 0; i < 4000; i++) {
        if (fabs(estimate->bandwidth / plant->truth - 1) < 0.15)
            return i * ESTIMATE_EVERY;
        plant_run(plant, estimate);
    }
    return INFINITY;
}

static void falls_and_rises_are_found_within_seconds(void **state)
{
    struct plant plant = {.truth = 72, .noise = 0.05, .seed = 3};
    struct estimate estimate = estimate_start(0, 0);
    (void)state;
    want(&plant, 4, 60);
    assert_true(estimate.bandwidth == ESTIMATE_MOST);
    /* At first all of them run at full speed: 240 are wanted of what nobody knows. */
    estimate.bandwidth = 240;
    assert_true(settle(&plant, &estimate) < 10);
    plant.truth = 20;
    assert_true(settle(&plant, &estimate) < 10);
    plant.truth = 100;
    assert_true(settle(&plant, &estimate) < 30);
}

static void programs_that_want_little_teach_nothing(void **state)
{
    struct plant plant = {.truth = 72, .seed = 1};
    struct estimate estimate = estimate_start(1, 72);
    (void)state;
    want(&plant, 2, 10);
    for (int i = 0; i < 1200; i++)
        plant_run(&plant, &estimate);
    assert_true(estimate.bandwidth == 72);
    want(&plant, 0, 0); /* idle */
    for (int i = 0; i < 1200; i++)
        plant_run(&plant, &estimate);
    assert_true(estimate.bandwidth == 72);
}

/* Some take a third of what they are granted, for whatever reason: the others show that the store
 * can do more. */
static void slow_clients_do_not_lower_it(void **state)
{
    (void)state;
    for (int slow = 1; slow <= 3; slow++) {
        struct plant plant = {.truth = 72, .noise = 0.05, .seed = 9};
        struct estimate estimate = estimate_start(0, 200);
        want(&plant, 6, 60);
        for (int i = 0; i < slow; i++)
            plant.slow[i] = 0.3;
        estimate.bandwidth = 72;
        for (int i = 0; i < 1200; i++) {
            plant_run(&plant, &estimate);
            assert_true(estimate.bandwidth > 0.8 * 72);
        }
    }
}

/* Where two of five run together, half of the bandwidth is delivered: that is no bad store. */
static void contention_is_taken_out(void **state)
{
    struct estimate estimate = estimate_start(1, 100);
    struct estimate_sample sample = {.seconds = ESTIMATE_EVERY,
                                     .granted = 50,
                                     .delivered = 40,
                                     .moving = 2,
                                     .behind = 2,
                                     .lagging = 50,
                                     .factor = 0.5,
                                     .wanted = true};
    (void)state;
    for (int i = 0; i < 100; i++) {
        sample.granted = sample.lagging = estimate.bandwidth * sample.factor;
        estimate_take(&estimate, &sample);
    }
    assert_true(fabs(estimate.bandwidth - 80 * ESTIMATE_HEAD) < 2);
}

static void it_stays_within_its_bounds(void **state)
{
    struct plant plant = {.truth = 5, .seed = 1};
    struct estimate estimate = estimate_start(20, 120);
    (void)state;
    want(&plant, 4, 100);
    for (int i = 0; i < 400; i++)
        plant_run(&plant, &estimate);
    assert_true(estimate.bandwidth == 20);
    plant.truth = 500;
    for (int i = 0; i < 400; i++)
        plant_run(&plant, &estimate);
    assert_true(estimate.bandwidth == 120);
}

/* Whatever has happened before, with enough demand it is near the truth again within a minute: it
 * never dies. */
static void it_never_dies(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct random random = random_at(seed, 1, 0);
        struct plant plant = {.seed = seed};
        struct estimate estimate = estimate_start(0, 0);
        estimate.bandwidth = 1000;
        for (int act = 0; act < 20; act++) {
            plant.truth = random_between(&random, 1, 100);
            plant.noise = random_between(&random, 0, 0.5);
            for (int i = 0; i < MOST; i++) {
                plant.wants[i] = random_between(&random, 0, 2) < 1 ? 0 : random_between(&random, 0, 60);
                plant.slow[i] = random_between(&random, 0, 2) < 1 ? 0 : random_between(&random, 0, 1);
            }
            for (int i = 0; i < 100; i++)
                plant_run(&plant, &estimate);
        }
        plant = (struct plant){.truth = 72, .noise = 0.1, .seed = seed + 1000};
        want(&plant, MOST, 60);
        double moved = 0, able = 0;
        for (int i = 0; i < 240; i++) {
            plant_run(&plant, &estimate);
            moved += i < 120 ? 0 : plant.delivered; /* after a minute */
            able += i < 120 ? 0 : plant.able;
        }
        assert_true(moved > 0.9 * able);
        assert_true(estimate.bandwidth > 0.75 * 72);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_is_followed_without_losing_much),
        cmocka_unit_test(falls_and_rises_are_found_within_seconds),
        cmocka_unit_test(programs_that_want_little_teach_nothing),
        cmocka_unit_test(slow_clients_do_not_lower_it),
        cmocka_unit_test(contention_is_taken_out),
        cmocka_unit_test(it_stays_within_its_bounds),
        cmocka_unit_test(it_never_dies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Signals of which the period is known. B = 1 byte/s, so volumes are seconds. */
#include "base/mem.h"
#include "base/random.h"
#include "detect/period.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 40000 };
static struct iteration iterations[MOST];

static struct detection detect(uint32_t count)
{
    struct app app = {.facts = {.bmax = 1, .iterations = count},
                      .stride = 1,
                      .iterations = iterations,
                      .room = INFINITY};
    struct detection period;
    assert_int_equal(period_detect(&app, &period, NULL), 0);
    assert_true(period.confidence >= 0 && period.confidence <= 1);
    assert_true(period.length >= 0 && isfinite(period.length));
    return period;
}

/* From the first I/O to the last one. */
static double mean_distance(uint32_t count)
{
    double sum = 0;
    for (uint32_t k = 1; k < count; k++)
        sum += iterations[k - 1].volume + iterations[k].work;
    return sum / (count - 1);
}

static void assert_period(struct detection period, double length, double tolerance)
{
    if (period.confidence >= PERIOD_CONFIDENT && fabs(period.length / length - 1) <= tolerance)
        return;
    fail_msg("period %g with confidence %g, expected %g", period.length, period.confidence, length);
}

static void fill_regular(uint32_t count, double period, double share)
{
    for (uint32_t k = 0; k < count; k++)
        iterations[k] = (struct iteration){period * (1 - share), period * share};
}

static void an_exact_period_is_found_exactly(void **state)
{
    (void)state;
    static const double shares[] = {0.001, 0.02, 0.3, 0.5, 0.9, 0.99};
    static const uint32_t counts[] = {5, 6, 10, 33, 1000};
    for (size_t s = 0; s < sizeof shares / sizeof *shares; s++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (double length = 1e-3; length < 1e8; length *= 1e5) {
                fill_regular(counts[c], length, shares[s]);
                struct detection period = detect(counts[c]);
                assert_period(period, length, 5e-6);
                assert_true(fabs(period.io_share - shares[s]) < 1e-6);
            }
}

/* Beyond 1,024 I/Os the first so many are looked at. */
static void a_long_run_is_cut(void **state)
{
    (void)state;
    fill_regular(MOST, 60, 0.1);
    iterations[20000].work = 1e9;
    assert_period(detect(MOST), 60, 0);
}

static void more_periods_give_more_confidence(void **state)
{
    (void)state;
    double before = 0;
    for (uint32_t count = 5; count <= 1280; count *= 4) {
        fill_regular(count, 60, 0.1);
        double confidence = detect(count).confidence;
        assert_true(confidence > before);
        before = confidence;
    }
    assert_true(before > 0.95);
}

/* Startup and what follows the last I/O are not part of the signal. */
static void work_before_and_behind_does_not_matter(void **state)
{
    (void)state;
    fill_regular(20, 60, 0.1);
    struct detection plain = detect(20);
    iterations[0].work = 5000;
    iterations[20] = (struct iteration){9000, 0};
    struct detection framed = detect(21);
    assert_true(framed.length == plain.length && framed.confidence == plain.confidence);
}

static double noise(struct random *random, double amount)
{
    return 1 + random_between(random, -amount, amount);
}

/* Every phase is longer or shorter by up to 10 or 20 %, and all that follow move with it. */
static void a_jittered_period_is_found(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 50; seed++)
        for (int percent = 10; percent <= 20; percent += 10) {
            uint32_t count = 50 + 10 * (seed % 20);
            struct random random = random_at(seed, 0, 0);
            for (uint32_t k = 0; k < count; k++)
                iterations[k] = (struct iteration){90 * noise(&random, percent / 100.0),
                                                   10 * noise(&random, percent / 100.0)};
            assert_period(detect(count), mean_distance(count), 0.02);
        }
}

/* A clock says when an I/O is due, and it comes up to 10 % of the period early or late. */
static void a_period_with_late_and_early_io_is_found(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 50; seed++) {
        struct random random = random_at(seed, 0, 0);
        double end = 0;
        for (uint32_t k = 0; k < 50; k++) {
            double start = 100 * (k + 1 + random_between(&random, -0.1, 0.1));
            iterations[k] = (struct iteration){start - end, 10};
            end = start + 10;
        }
        assert_period(detect(50), 100, 0.02);
    }
}

/* It grows by 20 % in the course of the run; what is found is its mean. */
static void a_drifting_period_gives_its_mean(void **state)
{
    (void)state;
    for (uint32_t count = 10; count <= 640; count *= 4) {
        for (uint32_t k = 0; k < count; k++)
            iterations[k] = (struct iteration){90 * (1 + 0.2 * k / count), 10};
        assert_period(detect(count), mean_distance(count), 0.02);
    }
}

/* Small I/Os every 10 s, and every tenth one is 20 times as long: the large ones have 20 of 29
 * parts of the volume. */
static void of_two_periods_the_dominant_one_is_found(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 400; k++)
        iterations[k] = (struct iteration){k % 10 == 1 ? 6.1 : 9.8, k % 10 == 0 ? 3.9 : 0.2};
    assert_period(detect(400), 100, 0.02);
}

/* Distances of 1 and 2 in turn: two of them make a period. */
static void alternating_distances_are_one_period(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 60; k++)
        iterations[k] = (struct iteration){k % 2 ? 90 : 190, 10};
    assert_period(detect(60), 300, 0.02);
}

/* Five files, one after the other. */
static void a_group_of_io_is_one(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 200; k++)
        iterations[k] = (struct iteration){k % 5 ? 2 : 82, 2};
    assert_period(detect(200), 100, 0.02);
}

/* Between I/Os of 10 s every 100 s there are short ones of 2 s at random times. */
static void noise_between_does_not_hide_a_period(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 50; seed++) {
        struct random random = random_at(seed, 0, 0);
        uint32_t count = 0;
        for (int cycle = 0; cycle < 40; cycle++) {
            double left = 90;
            if (random_uniform(&random) < 0.4) {
                double before = random_between(&random, 5, 80);
                iterations[count++] = (struct iteration){before, 2};
                left -= before + 2;
            }
            iterations[count++] = (struct iteration){left, 10};
        }
        assert_period(detect(count), 100, 0.02);
    }
}

static double exponential(struct random *random)
{
    return 90 * random_exponential(random);
}
static double lognormal(struct random *random)
{
    return 90 * exp(1.5 * random_normal(random));
}
static double uniform(struct random *random)
{
    return random_between(random, 0, 180);
}

static void io_at_random_times_gives_low_confidence(void **state)
{
    (void)state;
    double (*const draws[])(struct random *) = {exponential, lognormal, uniform};
    for (size_t d = 0; d < 3; d++)
        for (uint32_t seed = 1; seed <= 100; seed++) {
            uint32_t count = 20 + 3 * seed;
            struct random random = random_at(seed, (uint32_t)d, 0);
            for (uint32_t k = 0; k < count; k++)
                iterations[k] = (struct iteration){draws[d](&random), 10};
            assert_true(detect(count).confidence < 0.4);
        }
}

static void too_few_io_have_no_period(void **state)
{
    (void)state;
    for (uint32_t count = 1; count <= 3; count++) {
        fill_regular(count, 60, 0.1);
        struct detection period = detect(count);
        assert_true(period.length == 0 && period.confidence == 0);
    }
    fill_regular(50, 60, 0); /* no I/O at all */
    assert_true(detect(50).length == 0);
}

/* I/Os without work between them are one, however many. */
static void constant_io_has_no_period(void **state)
{
    (void)state;
    fill_regular(100, 60, 1);
    struct detection period = detect(100);
    assert_true(period.length == 0 && period.confidence == 0);
}

/* Amounts of up to 1e100, down to nothing; detect() checks that what comes out are numbers. */
static void any_amounts_give_numbers(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 300; seed++) {
        struct random random = random_at(seed, 0, 0);
        uint32_t count = 4 + random_below(&random, 60);
        double range = random_between(&random, 1, 100);
        for (uint32_t k = 0; k < count; k++) {
            iterations[k].work = exp(2.302585 * random_between(&random, -range, range));
            iterations[k].volume = exp(2.302585 * random_between(&random, -range, range));
            if (random_below(&random, 5) == 0)
                iterations[k].work = 0;
            if (random_below(&random, 5) == 0)
                iterations[k].volume = 0;
        }
        detect(count);
    }
    for (uint32_t k = 0; k < 10; k++)
        iterations[k] = (struct iteration){5e-324, 5e-324};
    assert_true(detect(10).length == 0);
}

static void running_out_of_memory_is_an_error(void **state)
{
    (void)state;
    struct detection period;
    struct err err = {0};
    fill_regular(20, 60, 0.1);
    struct app app = {.facts = {.bmax = 1, .iterations = 20},
                      .stride = 1,
                      .iterations = iterations,
                      .room = INFINITY};
    int status = -1, n = 0;
    for (; status < 0 && n < 100; n++) {
        mem_fail_after(n);
        status = period_detect(&app, &period, &err);
        mem_fail_after(-1);
        assert_true(status == 0 || strcmp(err.text, "out of memory") == 0);
    }
    assert_true(status == 0 && n > 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exact_period_is_found_exactly),
        cmocka_unit_test(a_long_run_is_cut),
        cmocka_unit_test(more_periods_give_more_confidence),
        cmocka_unit_test(work_before_and_behind_does_not_matter),
        cmocka_unit_test(a_jittered_period_is_found),
        cmocka_unit_test(a_period_with_late_and_early_io_is_found),
        cmocka_unit_test(a_drifting_period_gives_its_mean),
        cmocka_unit_test(of_two_periods_the_dominant_one_is_found),
        cmocka_unit_test(alternating_distances_are_one_period),
        cmocka_unit_test(a_group_of_io_is_one),
        cmocka_unit_test(noise_between_does_not_hide_a_period),
        cmocka_unit_test(io_at_random_times_gives_low_confidence),
        cmocka_unit_test(too_few_io_have_no_period),
        cmocka_unit_test(constant_io_has_no_period),
        cmocka_unit_test(any_amounts_give_numbers),
        cmocka_unit_test(running_out_of_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "gen/gen.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct workload *realise(struct scenario *scenario)
{
    struct err err;
    assert_non_null(scenario);
    assert_int_equal(scenario_validate(scenario, &err), 0);
    assert_null(scenario->warning);
    struct workload *workload = workload_realise(scenario, &err);
    assert_non_null(workload);
    return workload;
}

/* 003 Table 4, column "upper bound": sum of p w / T over 640. That it comes out to three digits
 * checks every number of every set. */
static void the_jupiter_sets_have_the_published_upper_bounds(void **state)
{
    (void)state;
    static const double published[] = {.172, .334, .495, .656, .816, .818, .827, .977, .979, .988};
    for (int set = 1; set <= 10; set++) {
        struct scenario *scenario = gen_jupiter(set, NULL);
        struct workload *workload = realise(scenario);
        double bound = 0, nodes = 0;
        for (uint32_t i = 0; i < workload->count; i++) {
            const struct app *app = &workload->apps[i];
            bound += app->facts.nodes * app->facts.total_work / app_ideal(app) / 640;
            nodes += app->facts.nodes;
        }
        assert_true(nodes == 640);
        assert_true(fabs(bound - published[set - 1]) <= 0.0005);
        workload_free(workload);
        scenario_free(scenario);
    }
}

/* Set 2: turbulence2 takes 76.8 + 235.8/0.64 = 445.2375 s, astrophysics 15360 + 423.4/1.28 =
 * 15690.78125 s, and 20 * 15690.78125 / 445.2375 = 704.83. */
static void jupiter_applications_run_for_about_the_same_time(void **state)
{
    (void)state;
    struct scenario *scenario = gen_jupiter(2, NULL);
    assert_string_equal(scenario->name, "jupiter-2");
    assert_int_equal(scenario->count, 2);
    assert_string_equal(scenario->apps[0].name, "turbulence2");
    assert_int_equal(scenario->apps[0].count, 8);
    assert_int_equal(scenario->apps[0].iterations, 705);
    assert_int_equal(scenario->apps[1].count, 1);
    assert_int_equal(scenario->apps[1].iterations, 20);
    scenario_free(scenario);
}

/* 250 (32 + 10) = 500 (16 + 5) = 1000 (8 + 2.5) = 10,500 s per batch. */
static void the_tucan_applications_are_equally_long(void **state)
{
    (void)state;
    for (int batches = 1; batches <= 64; batches += 63) {
        struct scenario *scenario = gen_tucan(batches, NULL);
        struct workload *workload = realise(scenario);
        assert_int_equal(workload->count, 5);
        for (uint32_t i = 0; i < workload->count; i++) {
            assert_true(fabs(app_ideal(&workload->apps[i]) - 10500 * batches) < 1e-6);
            assert_true(workload->apps[i].facts.bmax == workload->platform.bandwidth);
        }
        workload_free(workload);
        scenario_free(scenario);
    }
}

static void a_number_out_of_range_is_an_error(void **state)
{
    (void)state;
    struct err err;
    assert_null(gen_jupiter(0, &err));
    assert_string_equal(err.text, "jupiter: set: '0' is not a whole number from 1 to 10");
    assert_null(gen_jupiter(11, &err));
    assert_null(gen_tucan(0, &err));
    assert_null(gen_tucan(65, &err));
    assert_string_equal(err.text, "tucan: batches: '65' is not a whole number from 1 to 64");
}

static void wrong_synthetic_parameters_are_errors(void **state)
{
    (void)state;
    static const struct {
        size_t offset;
        double value;
    } wrong[] = {
        {offsetof(struct synthetic, sigma), -1},    {offsetof(struct synthetic, nu), 1.5},
        {offsetof(struct synthetic, pressure), 0},  {offsetof(struct synthetic, pressure), NAN},
        {offsetof(struct synthetic, horizon), 0},   {offsetof(struct synthetic, horizon), INFINITY},
        {offsetof(struct synthetic, pressure), 60}, /* more than all applications can move */
    };
    struct err err;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct synthetic params = synthetic_defaults;
        *(double *)((char *)&params + wrong[i].offset) = wrong[i].value;
        assert_null(gen_synthetic(&params, 1, &err));
    }
    struct synthetic params = synthetic_defaults;
    params.small = 41;
    assert_null(gen_synthetic(&params, 1, &err));
    assert_string_equal(err.text, "synthetic with 41 small applications, expected 0 to 40");
    params = synthetic_defaults;
    params.applications = 0;
    assert_null(gen_synthetic(&params, 1, &err));
}

/* Means over 20 instances. The window ends with the first of 60 applications; 20 noisy iterations
 * of a big one have a sd of 6 %. The shares u W / sum u add up to W whatever is drawn. */
static void synthetic_windows_are_as_long_and_as_loaded_as_asked(void **state)
{
    (void)state;
    static const double pressures[] = {0.2, 0.5, 0.8, 1.1};
    for (size_t i = 0; i < sizeof pressures / sizeof *pressures; i++) {
        double pressure = 0, end = 0;
        for (uint64_t seed = 1; seed <= 20; seed++) {
            struct synthetic params = synthetic_defaults;
            params.pressure = pressures[i];
            struct scenario *scenario = gen_synthetic(&params, seed, NULL);
            struct workload *workload = realise(scenario);
            assert_int_equal(workload->count, 60);
            pressure += workload->io_pressure / 20;
            end += workload->window.end / 20;
            workload_free(workload);
            scenario_free(scenario);
        }
        assert_true(fabs(pressure / pressures[i] - 1) < 0.02);
        assert_true(end > 0.85 * 2e6 && end < 1.05 * 2e6);
    }
}

/* nu = 0 and sigma = 0: every iteration of an application is alike, of length 1000, 10,000 or
 * 100,000, so that a horizon of 1e6 holds 1000, 100 or 10; one work phase comes before them. */
static void without_randomness_the_three_sizes_are_as_published(void **state)
{
    (void)state;
    struct synthetic params = {
        .applications = 6, .small = 1, .sigma = 0, .nu = 0, .pressure = 0.5, .horizon = 1e6};
    static const double length[] = {1e3, 1e4, 1e4, 1e5, 1e5, 1e5};
    struct scenario *scenario = gen_synthetic(&params, 3, NULL);
    struct workload *workload = realise(scenario);
    double share = 0;
    for (uint32_t i = 0; i < 6; i++) {
        const struct app_spec *spec = &scenario->apps[i];
        const struct iteration *iterations = spec->explicit_iterations;
        assert_int_equal(spec->iterations, 1e6 / length[i] + 1);
        assert_true(iterations[0].work >= 0 && iterations[0].work <= length[i]);
        assert_true(fabs(iterations[1].work + iterations[1].volume - length[i]) < 1e-9 * length[i]);
        assert_true(iterations[spec->iterations - 1].volume == 0);
        assert_true(iterations[spec->iterations - 1].work == iterations[1].work);
        share += iterations[1].volume / length[i];
    }
    assert_true(fabs(share - 0.5) < 1e-12);
    assert_string_equal(scenario->apps[0].name, "small1");
    assert_string_equal(scenario->apps[1].name, "medium2");
    assert_string_equal(scenario->apps[5].name, "big6");
    workload_free(workload);
    scenario_free(scenario);
}

static void noise_varies_work_and_io_independently(void **state)
{
    (void)state;
    struct synthetic params = {
        .applications = 3, .small = 1, .sigma = 0, .nu = 0.5, .pressure = 0.5, .horizon = 1e7};
    struct scenario *scenario = gen_synthetic(&params, 3, NULL);
    const struct app_spec *spec = scenario->apps; /* 10,000 iterations of 1000 s on average */
    double work = 0, volume = 0, product = 0;
    uint32_t n = spec->iterations - 1;
    for (uint32_t k = 1; k < n; k++) {
        work += spec->explicit_iterations[k].work;
        volume += spec->explicit_iterations[k].volume;
    }
    work /= n - 1;
    volume /= n - 1;
    assert_true(fabs(work + volume - 1000) < 20);
    for (uint32_t k = 1; k < n; k++) {
        struct iteration iteration = spec->explicit_iterations[k];
        assert_true(fabs(iteration.work / work - 1) < 0.52);
        assert_true(fabs(iteration.volume / volume - 1) < 0.52);
        product += (iteration.work / work - 1) * (iteration.volume / volume - 1) / (n - 1);
    }
    /* Correlation: 12 times the covariance of two U[-0.5, 0.5]; standard error 0.01. */
    assert_true(fabs(12 * product) < 0.05);
    scenario_free(scenario);
}

static void a_seed_says_everything(void **state)
{
    (void)state;
    struct scenario *one = gen_synthetic(&synthetic_defaults, 1, NULL);
    struct scenario *again = gen_synthetic(&synthetic_defaults, 1, NULL);
    struct scenario *other = gen_synthetic(&synthetic_defaults, 2, NULL);
    assert_string_equal(one->name, "synthetic-1-1");
    assert_string_equal(other->name, "synthetic-1-2");
    for (uint32_t i = 0; i < one->count; i++) {
        assert_int_equal(one->apps[i].iterations, again->apps[i].iterations);
        assert_memory_equal(one->apps[i].explicit_iterations, again->apps[i].explicit_iterations,
                            one->apps[i].iterations * sizeof(struct iteration));
        assert_true(one->apps[i].explicit_iterations[0].work !=
                    other->apps[i].explicit_iterations[0].work);
    }
    scenario_free(one);
    scenario_free(again);
    scenario_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_jupiter_sets_have_the_published_upper_bounds),
        cmocka_unit_test(jupiter_applications_run_for_about_the_same_time),
        cmocka_unit_test(the_tucan_applications_are_equally_long),
        cmocka_unit_test(a_number_out_of_range_is_an_error),
        cmocka_unit_test(wrong_synthetic_parameters_are_errors),
        cmocka_unit_test(synthetic_windows_are_as_long_and_as_loaded_as_asked),
        cmocka_unit_test(without_randomness_the_three_sizes_are_as_published),
        cmocka_unit_test(noise_varies_work_and_io_independently),
        cmocka_unit_test(a_seed_says_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

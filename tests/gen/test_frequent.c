/* Families of applications that run at the same time: general, uniform, io-sets. */
#include "gen/family.h"
#include "gen/gen.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { SEEDS = 200 };

/* With the defaults but for one parameter, or NULL. */
static struct scenario *make(const struct family *family, const char *param, uint64_t seed)
{
    double values[FAMILY_MOST_PARAMS];
    struct err err;
    family_defaults(family, values);
    if (param)
        assert_int_equal(family_set(family, param, values, &err), 0);
    struct scenario *scenario = family_make(family, values, seed, &err);
    assert_non_null(scenario);
    return scenario;
}

static struct workload *realise(const struct scenario *scenario)
{
    struct workload *workload = workload_realise(scenario, NULL);
    assert_non_null(workload);
    return workload;
}

/* What Table II.1 says of a family, over many workloads. */
struct totals {
    double workloads, apps, work, ratio, iterations;
};

static void add_within(struct totals *totals, const struct scenario *scenario, double least,
                       double most)
{
    assert_in_range(scenario->count, 2, 15);
    totals->workloads++;
    for (uint32_t i = 0; i < scenario->count; i++) {
        const struct app_spec *app = &scenario->apps[i];
        double ratio = app->io.mean / app->work.mean;
        assert_true(app->work.mean >= 1 && app->work.mean <= 20);
        assert_true(ratio >= 0.1 && ratio <= 1);
        assert_true(app->iterations >= least && app->iterations <= most);
        assert_true(app->release == 0);
        totals->apps++;
        totals->work += app->work.mean;
        totals->ratio += ratio;
        totals->iterations += app->iterations;
    }
}

/* Means (2 + 15) / 2, (1 + 20) / 2, (0.1 + 1) / 2 and (5 + 150) / 2. Of 200 workloads, and of about
 * 1700 applications, the standard errors are 0.29, 0.13, 0.0063 and 1.0. */
static void general_is_drawn_as_in_table_ii_1(void **state)
{
    (void)state;
    struct totals totals = {0};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct scenario *scenario = make(&family_general, NULL, seed);
        add_within(&totals, scenario, 5, 150);
        scenario_free(scenario);
    }
    assert_true(fabs(totals.apps / totals.workloads - 8.5) < 1.2);
    assert_true(fabs(totals.work / totals.apps - 10.5) < 0.6);
    assert_true(fabs(totals.ratio / totals.apps - 0.55) < 0.03);
    assert_true(fabs(totals.iterations / totals.apps - 77.5) < 4);
}

/* Mean iterations (100 + 200) / 2, standard error 0.7; the lengths are drawn once per workload, so
 * their standard errors are 0.39 and 0.018 if each workload counts once. */
static void uniform_applications_differ_in_their_iterations_alone(void **state)
{
    (void)state;
    struct totals totals = {0};
    double work = 0, ratio = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct scenario *scenario = make(&family_uniform, NULL, seed);
        const struct app_spec *first = scenario->apps;
        add_within(&totals, scenario, 100, 200);
        for (uint32_t i = 1; i < scenario->count; i++) {
            assert_true(scenario->apps[i].work.mean == first->work.mean);
            assert_true(scenario->apps[i].io.mean == first->io.mean);
        }
        work += first->work.mean / SEEDS;
        ratio += first->io.mean / first->work.mean / SEEDS;
        scenario_free(scenario);
    }
    assert_true(fabs(totals.iterations / totals.apps - 150) < 3);
    assert_true(fabs(work - 10.5) < 1.6);
    assert_true(fabs(ratio - 0.55) < 0.08);
}

/* Every application can use all of the file system, so the weight of I/O of the thesis and the
 * pressure are the same: sum of r / (1 + r), r = b/a. */
static void without_noise_the_pressure_is_the_weight_of_io(void **state)
{
    (void)state;
    struct scenario *scenario = make(&family_general, NULL, 3);
    struct workload *workload = realise(scenario);
    double weight = 0;
    for (uint32_t i = 0; i < scenario->count; i++) {
        double ratio = scenario->apps[i].io.mean / scenario->apps[i].work.mean;
        weight += ratio / (1 + ratio);
    }
    assert_true(fabs(workload->io_pressure - weight) < 1e-9);
    double measured;
    assert_int_equal(workload_io_weight(workload, &measured), 0);
    assert_true(fabs(measured - weight) < 1e-9);
    assert_true(isnan(workload_io_load(workload)));
    workload_free(workload);
    scenario_free(scenario);
}

static void noise_moves_each_phase_within_its_bounds_around_the_same_means(void **state)
{
    (void)state;
    struct scenario *plain = make(&family_uniform, NULL, 5);
    struct scenario *noisy = make(&family_uniform, "noise=0.5", 5);
    struct workload *workload = realise(noisy);
    double work = 0, low = 1, high = 1, phases = 0;
    assert_int_equal(plain->count, noisy->count);
    for (uint32_t i = 0; i < workload->count; i++) {
        assert_true(plain->apps[i].work.mean == noisy->apps[i].work.mean);
        for (uint32_t k = 0; k < workload->apps[i].facts.iterations; k++, phases++) {
            struct iteration it = app_iteration(&workload->apps[i], k);
            double factor = it.work / plain->apps[i].work.mean;
            assert_true(fabs(it.volume / plain->apps[i].io.mean - 1) <= 0.5);
            assert_true(fabs(factor - 1) <= 0.5);
            work += factor;
            low = fmin(low, factor);
            high = fmax(high, factor);
        }
    }
    /* At least 200 phases: standard error of the mean at most 0.02, and the ends are near. */
    assert_true(fabs(work / phases - 1) < 0.08);
    assert_true(low < 0.6 && high > 1.4);
    workload_free(workload);
    scenario_free(plain);
    scenario_free(noisy);
}

static void io_sets_has_three_frequencies(void **state)
{
    (void)state;
    struct scenario *scenario = make(&family_io_sets, "high=5", 1);
    static const struct {
        const char *name;
        uint32_t count;
        double mean;
    } kinds[] = {{"high", 5, 10}, {"medium", 20, 100}, {"low", 35, 1000}};
    const struct app_spec *app = scenario->apps;
    assert_int_equal(scenario->count, 60);
    for (int k = 0; k < 3; k++) {
        double sum = 0, square = 0;
        for (uint32_t i = 0; i < kinds[k].count; i++, app++) {
            double length = app->work.mean + app->io.mean;
            assert_int_equal(strncmp(app->name, kinds[k].name, strlen(kinds[k].name)), 0);
            assert_int_equal(app->iterations, (uint32_t)ceil(20000 / length));
            assert_true(app->release >= 0 && app->release <= length);
            assert_true(app->noise_work == 0.1 && app->noise_io == 0.1);
            sum += length / kinds[k].mean / kinds[k].count;
            square += length * length / kinds[k].mean / kinds[k].mean / kinds[k].count;
        }
        /* sd 10 %: of 5 the mean is off by 4.5 %, of 35 by 1.7 %; four times that. */
        assert_true(fabs(sum - 1) < 0.4 / sqrt(kinds[k].count));
        assert_true(sqrt(square - sum * sum) < 0.2);
    }
    scenario_free(scenario);
}

/* The shares add up to the stress. In 8000 s an application of 1000 s does 7 to 9 I/Os, so W is off
 * by a few percent; the mean of 20 is not. */
static void io_sets_reaches_its_stress_in_the_window(void **state)
{
    (void)state;
    static const struct {
        const char *param;
        double stress;
    } cases[] = {{"stress=0.2", 0.2}, {"stress=0.8", 0.8}};
    for (int c = 0; c < 2; c++) {
        double pressure = 0;
        for (uint64_t seed = 1; seed <= 20; seed++) {
            struct scenario *scenario = make(&family_io_sets, cases[c].param, seed);
            struct workload *workload = realise(scenario);
            double shares = 0;
            for (uint32_t i = 0; i < scenario->count; i++) {
                const struct app_spec *app = &scenario->apps[i];
                shares += app->io.mean / (app->work.mean + app->io.mean);
            }
            assert_true(fabs(shares - cases[c].stress) < 1e-9);
            assert_true(workload->window.start == 6000 && workload->window.end == 14000);
            pressure += workload->io_pressure / 20;
            workload_free(workload);
            scenario_free(scenario);
        }
        assert_true(fabs(pressure / cases[c].stress - 1) < 0.03);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(general_is_drawn_as_in_table_ii_1),
        cmocka_unit_test(uniform_applications_differ_in_their_iterations_alone),
        cmocka_unit_test(without_noise_the_pressure_is_the_weight_of_io),
        cmocka_unit_test(noise_moves_each_phase_within_its_bounds_around_the_same_means),
        cmocka_unit_test(io_sets_has_three_frequencies),
        cmocka_unit_test(io_sets_reaches_its_stress_in_the_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

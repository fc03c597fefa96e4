/* Families of jobs that are yet to be mapped: packs, uniform-*, mira-*. */
#include "gen/family.h"
#include "gen/gen.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Makes `applications` jobs (0 = as drawn) with this load. */
static struct scenario *make(const struct family *family, double load, double applications,
                             uint64_t seed)
{
    double values[FAMILY_MOST_PARAMS];
    struct err err;
    family_defaults(family, values);
    for (size_t i = 0; family->params[i].name; i++) {
        if (family->params[i].name[0] == 'l')
            values[i] = load;
        if (family->params[i].name[0] == 'a')
            values[i] = applications;
    }
    struct scenario *scenario = family_make(family, values, seed, &err);
    assert_non_null(scenario);
    return scenario;
}

static double load_of(const struct scenario *scenario)
{
    struct workload *workload = workload_realise(scenario, NULL);
    assert_non_null(workload);
    double load = workload_io_load(workload);
    workload_free(workload);
    return load;
}

static double ratio_of(const struct app_spec *app)
{
    return app->io.mean / app->work.mean;
}

static double duration_of(const struct app_spec *app)
{
    return app->iterations * (app->work.mean + app->io.mean);
}

static void check_bounds(const struct scenario *scenario, double least, double most)
{
    for (uint32_t i = 0; i < scenario->count; i++) {
        const struct app_spec *app = &scenario->apps[i];
        int power;
        assert_true(app->work.mean >= 10 && app->work.mean <= 100);
        assert_true(app->iterations >= least && app->iterations <= most);
        assert_true(ratio_of(app) >= 0 && ratio_of(app) <= 1);
        assert_true(frexp(app->nodes, &power) == 0.5 && app->nodes >= 1 && app->nodes <= 2048);
    }
}

/* Means (25 + 100) / 2 jobs, (250 + 1000) / 2 iterations, (10 + 100) / 2 of work; of 100 workloads
 * with about 6250 jobs in all the standard errors are 2.2, 2.8 and 0.33. */
static void packs_are_drawn_as_published(void **state)
{
    (void)state;
    double jobs = 0, iterations = 0, work = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct scenario *scenario = make(&family_packs, 1, 0, seed);
        assert_in_range(scenario->count, 25, 100);
        check_bounds(scenario, 250, 1000);
        for (uint32_t i = 0; i < scenario->count; i++) {
            iterations += scenario->apps[i].iterations;
            work += scenario->apps[i].work.mean;
        }
        jobs += scenario->count;
        scenario_free(scenario);
    }
    assert_true(fabs(jobs / 100 - 62.5) < 9);
    assert_true(fabs(iterations / jobs - 625) < 12);
    assert_true(fabs(work / jobs - 55) < 1.5);
}

/* Truncated to [0, 1], a variance of 0.1 brings the means to 0.289 and 0.711: both kinds overlap,
 * but symmetrically. */
static void packs_have_jobs_of_two_kinds(void **state)
{
    (void)state;
    double few = 0, many = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct scenario *scenario = make(&family_packs, 1, 0, seed);
        for (uint32_t i = 0; i < scenario->count; i++) {
            double ratio = ratio_of(&scenario->apps[i]);
            few += ratio < 0.3;
            many += ratio > 0.7;
        }
        scenario_free(scenario);
    }
    /* beta is uniform: half of each, standard error 0.03. */
    assert_true(fabs(few / (few + many) - 0.5) < 0.13);
}

/* The Q of the thesis replaces all values by their means, "not mathematically correct": with many
 * jobs the load comes out within 20 % in the mean. */
static void packs_come_near_the_load_they_aim_at(void **state)
{
    (void)state;
    static const double loads[] = {0.5, 1, 4, 10};
    for (int k = 0; k < 4; k++) {
        double sum = 0;
        for (uint64_t seed = 1; seed <= 20; seed++) {
            struct scenario *scenario = make(&family_packs, loads[k], 500, seed);
            assert_int_equal(scenario->count, 500);
            sum += load_of(scenario) / 20;
            scenario_free(scenario);
        }
        assert_true(fabs(sum / loads[k] - 1) < 0.2);
    }
}

/* Section IV.B.4 says that truncation to [0, 1] brings the mean 0.1 to 0.289 and 0.9 to 0.711. All
 * jobs of uniform-normal with load 0.1 are of the first kind, and with 0.9 of the second; the
 * deviation is about 0.2, so of 10,000 the mean is known to 0.002. */
static void the_ratios_of_uniform_batches_have_the_printed_means(void **state)
{
    (void)state;
    static const double means[][2] = {{0.1, 0.289}, {0.9, 0.711}};
    for (int k = 0; k < 2; k++) {
        struct scenario *scenario = make(&family_uniform_normal, means[k][0], 10000, 1);
        double sum = 0;
        for (uint32_t i = 0; i < scenario->count; i++)
            sum += ratio_of(&scenario->apps[i]) / scenario->count;
        assert_true(fabs(sum - means[k][1]) < 0.01);
        scenario_free(scenario);
    }
}

/* Q = P m / (load (1 + m)) with m = load where all jobs are of one kind: 2048 / 1.9 = 1077.9. Of
 * 10,000 drawn from 1 to 2048, most of them large, the mean is known to 8. */
static void the_nodes_of_uniform_batches_have_the_published_mean(void **state)
{
    (void)state;
    struct scenario *scenario = make(&family_uniform_normal, 0.9, 10000, 1);
    double nodes = 0, small = 0;
    for (uint32_t i = 0; i < scenario->count; i++) {
        nodes += scenario->apps[i].nodes / scenario->count;
        small += scenario->apps[i].nodes <= 256;
    }
    assert_true(fabs(nodes - 1077.9) < 30);
    assert_true(small > 500); /* spread: near the mean there would be 1024 and 2048 only */
    scenario_free(scenario);
}

static void uniform_batches_are_long_and_come_near_their_load(void **state)
{
    (void)state;
    const struct family *both[] = {&family_uniform_normal, &family_uniform_binormal};
    for (int k = 0; k < 2; k++) {
        double sum = 0;
        for (uint64_t seed = 1; seed <= 20; seed++) {
            struct scenario *scenario = make(both[k], 0.5, 0, seed);
            assert_in_range(scenario->count, 100, 500);
            check_bounds(scenario, 1000, 10000);
            sum += load_of(scenario) / 20;
            scenario_free(scenario);
        }
        assert_true(fabs(sum - 0.5) < 0.03);
    }
}

/* An exponential variable of mean 1/1.35e-4 = 7407 kept to [512, 49152] is 512 more than one kept
 * to 48640: 512 + 7407 - 48640 q / (1 - q) with q = exp(-1.35e-4 * 48640) = 0.00141, that is
 * 7851, less a half for rounding down. Standard error of 10,000: 72. */
static void the_nodes_of_mira_are_exponential(void **state)
{
    (void)state;
    struct scenario *scenario = make(&family_mira_normal, 0.5, 10000, 1);
    double nodes = 0;
    for (uint32_t i = 0; i < scenario->count; i++) {
        double value = scenario->apps[i].nodes;
        assert_true(value >= 512 && value <= 49152 && value == floor(value));
        nodes += value / scenario->count;
    }
    assert_true(fabs(nodes - 7850) < 300);
    scenario_free(scenario);
}

/* An hour below 4096 nodes, two below 16384, half an hour above. Half of them are longer. */
static void the_lengths_of_mira_depend_on_the_nodes(void **state)
{
    (void)state;
    static const double medians[] = {3600, 7200, 1800};
    double longer[3] = {0}, count[3] = {0};
    struct scenario *scenario = make(&family_mira_binormal, 0.5, 10000, 1);
    for (uint32_t i = 0; i < scenario->count; i++) {
        const struct app_spec *app = &scenario->apps[i];
        int kind = app->nodes < 4096 ? 0 : app->nodes < 16384 ? 1 : 2;
        assert_true(fabs(duration_of(app) / medians[kind] - 1) < 0.5); /* five deviations */
        assert_in_range(app->iterations, 10, 100);
        longer[kind] += duration_of(app) > medians[kind];
        count[kind]++;
    }
    for (int k = 0; k < 3; k++) /* at least 1000 of each kind: standard error 0.016 */
        assert_true(count[k] > 1000 && fabs(longer[k] / count[k] - 0.5) < 0.06);
    scenario_free(scenario);
}

/* The share of I/O that was drawn is the I/O's part of the length times P / Q. Truncation moves the
 * mean of a single normal variable by less than 0.006 here; the mixture is chosen to have it. */
static void mira_reaches_the_loads_of_the_thesis(void **state)
{
    (void)state;
    const struct family *both[] = {&family_mira_normal, &family_mira_binormal};
    for (int k = 0; k < 2; k++) {
        for (double load = 0.2; load < 0.85; load += 0.2) {
            struct scenario *scenario = make(both[k], load, 10000, 1);
            double middle = 0;
            for (uint32_t i = 0; i < scenario->count; i++) {
                const struct app_spec *app = &scenario->apps[i];
                double share = ratio_of(app) / (1 + ratio_of(app)) * 49152 / app->nodes;
                assert_true(share >= 0 && share <= 1 + 1e-12);
                middle += fabs(share - 0.5) < 0.1;
            }
            assert_true(fabs(load_of(scenario) / load - 1) < 0.06);
            if (k == 1) /* between the two kinds there is nothing: three deviations from both */
                assert_true(middle / scenario->count < 0.01);
            scenario_free(scenario);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packs_are_drawn_as_published),
        cmocka_unit_test(packs_have_jobs_of_two_kinds),
        cmocka_unit_test(packs_come_near_the_load_they_aim_at),
        cmocka_unit_test(the_ratios_of_uniform_batches_have_the_printed_means),
        cmocka_unit_test(the_nodes_of_uniform_batches_have_the_published_mean),
        cmocka_unit_test(uniform_batches_are_long_and_come_near_their_load),
        cmocka_unit_test(the_nodes_of_mira_are_exponential),
        cmocka_unit_test(the_lengths_of_mira_depend_on_the_nodes),
        cmocka_unit_test(mira_reaches_the_loads_of_the_thesis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

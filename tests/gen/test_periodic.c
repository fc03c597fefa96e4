/* The families for periodic plans: intrepid, mira and apio. */
#include "gen/family.h"
#include "gen/gen.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct scenario *make(const struct family *family, const char *const *params, uint64_t seed)
{
    struct err err;
    double values[FAMILY_MOST_PARAMS];
    family_defaults(family, values);
    for (; *params; params++)
        assert_int_equal(family_set(family, *params, values, &err), 0);
    struct scenario *scenario = family_make(family, values, seed, &err);
    assert_non_null(scenario);
    assert_int_equal(scenario_validate(scenario, &err), 0);
    assert_null(scenario->warning);
    return scenario;
}

static const char *const none[] = {NULL};

/* --- intrepid and mira ---------------------------------------------------------------------- */

/* What 1000 random sets hold. */
struct census {
    double apps, least_apps, first_blocks, work, volume;
    double least_work, most_work, least_volume, most_volume;
};

static void count_app(struct census *census, const struct app_spec *app)
{
    assert_true(app->nodes >= 4096 && fmod(app->nodes, 4096) == 0);
    assert_int_equal(app->count, 1);
    census->apps++;
    census->work += app->work.mean;
    census->volume += app->io.mean;
    census->least_work = fmin(census->least_work, app->work.mean);
    census->most_work = fmax(census->most_work, app->work.mean);
    census->least_volume = fmin(census->least_volume, app->io.mean);
    census->most_volume = fmax(census->most_volume, app->io.mean);
}

static struct census take_census(const struct family *family, double nodes)
{
    struct census census = {
        .least_apps = INFINITY, .least_work = INFINITY, .least_volume = INFINITY};
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        struct scenario *scenario = make(family, none, seed);
        double used = 0;
        for (uint32_t i = 0; i < scenario->count; i++) {
            count_app(&census, &scenario->apps[i]);
            used += scenario->apps[i].nodes;
        }
        assert_true(used == nodes && scenario->platform.nodes == nodes);
        census.first_blocks += scenario->apps[0].nodes / 4096 / 1000;
        census.least_apps = fmin(census.least_apps, scenario->count);
        scenario_free(scenario);
    }
    census.work /= census.apps;
    census.volume /= census.apps;
    return census;
}

/* The mean number of applications that fill n blocks: the first takes 1 to n - 1 of them, each as
 * likely, so A(n) = 1 + (A(1) + ... + A(n - 1)) / (n - 1), and A(1) = 1. */
static double expect_apps(int blocks)
{
    double expected[13] = {0, 1}, sum = 1;
    for (int n = 2; n <= blocks; n++) {
        expected[n] = 1 + sum / (n - 1);
        sum += expected[n];
    }
    return expected[blocks];
}

static void check_census(const struct census *census, int blocks, double least, double most)
{
    /* Some 3500 draws: a uniform variable on [0, 1] has a standard error of 0.005. */
    double work = (census->work - least) / (most - least);
    double volume = (census->volume - 100e9) / (35e12 - 100e9);
    assert_true(fabs(work - 0.5) < 0.02);
    assert_true(fabs(volume - 0.5) < 0.02);
    /* The extremes come within 1 % of the bounds, and not over them. */
    double margin = 0.01 * (most - least);
    assert_true(census->least_work >= least && census->least_work < least + margin);
    assert_true(census->most_work <= most && census->most_work > most - margin);
    assert_true(census->least_volume >= 100e9 && census->least_volume < 450e9);
    assert_true(census->most_volume <= 35e12 && census->most_volume > 34.65e12);
    /* 1000 sets: the number of applications has a sd of about 1.1, the size of the first of 3. */
    assert_true(fabs(census->apps / 1000 - expect_apps(blocks)) < 0.15);
    assert_true(fabs(census->first_blocks - blocks / 2.0) < 0.4);
    assert_true(census->least_apps == 2);
}

static void intrepid_sets_fill_the_machine_with_uniform_draws(void **state)
{
    (void)state;
    struct census census = take_census(&family_intrepid, 40960);
    check_census(&census, 10, 2, 7500);
}

static void mira_sets_fill_the_machine_with_uniform_draws(void **state)
{
    (void)state;
    struct census census = take_census(&family_mira, 49152);
    check_census(&census, 12, 0.5, 1875);
}

/* On Intrepid a block of 4096 nodes has 51.2 GB/s, and two have all 64. */
static double intrepid_period(const struct app_spec *app)
{
    return app->work.mean + app->io.mean / (app->nodes > 4096 ? 64e9 : 51.2e9);
}

/* The longest application runs 7 times, and each of the others as long, to half its iteration. */
static void applications_run_for_about_the_same_time(void **state)
{
    (void)state;
    static const char *const params[] = {"iterations=7", NULL};
    struct scenario *scenario = make(&family_intrepid, params, 1);
    const struct app_spec *longest = scenario->apps;
    for (uint32_t i = 1; i < scenario->count; i++)
        if (intrepid_period(&scenario->apps[i]) > intrepid_period(longest))
            longest = &scenario->apps[i];
    assert_int_equal(longest->iterations, 7);
    for (uint32_t i = 0; i < scenario->count; i++) {
        double period = intrepid_period(&scenario->apps[i]);
        double length = scenario->apps[i].iterations * period;
        assert_true(fabs(length - 7 * intrepid_period(longest)) <= period / 2);
    }
    scenario_free(scenario);
}

/* --- apio ----------------------------------------------------------------------------------- */

/* Sum of v / T over the applications, with T the mean of a uniform work, over B. */
static double load_of(const struct scenario *scenario)
{
    double demand = 0;
    for (uint32_t i = 0; i < scenario->count; i++) {
        const struct app_spec *app = &scenario->apps[i];
        demand += app->count * app->io.mean / ((app->work.random->min + app->work.random->max) / 2);
    }
    return demand / scenario->platform.bandwidth;
}

/* EAP moves 160 GB/s * 20 s = 3.2 TB every 5671 s, LAP 2 TB every 12,682 s, Silverton 44.8 TB every
 * 15,005 s, and VPIC 3.744 TB every 4483 s: at 100 GB/s loads of .00564, .00158, .02986 and
 * .00835, and for example set 9 is five times Silverton. */
static void the_published_apio_sets_are_hardly_loaded(void **state)
{
    (void)state;
    static const char *const sets[] = {"set=1", "set=2", "set=3", "set=4", "set=5",
                                       "set=6", "set=7", "set=8", "set=9", "set=10"};
    static const double loads[] = {.0158, .0425, .0692, .0959, .0115,
                                   .1226, .0088, .0382, .1493, .0355};
    for (int i = 0; i < 10; i++) {
        struct scenario *scenario = make(&family_apio, (const char *const[]){sets[i], NULL}, 1);
        assert_true(scenario->platform.bandwidth == 100e9);
        assert_true(fabs(load_of(scenario) - loads[i]) < 6e-5);
        scenario_free(scenario);
    }
}

static void the_apio_bandwidth_is_scaled_to_the_load(void **state)
{
    (void)state;
    static const char *const loads[] = {"load=0.8", "load=1", "load=1.2"};
    static const char *const sets[] = {"set=1", "set=6", "set=10"};
    for (int i = 0; i < 3; i++) {
        const char *const params[] = {sets[i], loads[i], NULL};
        struct scenario *scenario = make(&family_apio, params, 1);
        assert_true(fabs(load_of(scenario) - (0.8 + 0.2 * i)) < 1e-12);
        scenario_free(scenario);
    }
}

/* Set 4: four of 80 nodes and three of 160, 1 GB/s each. */
static void apio_platforms_have_just_enough_nodes(void **state)
{
    (void)state;
    static const char *const params[] = {"set=4", "distribution=normal", "load=0.8", NULL};
    struct scenario *scenario = make(&family_apio, params, 3);
    assert_string_equal(scenario->name, "apio-4-normal-0.8-3");
    assert_true(scenario->platform.nodes == 800);
    assert_true(scenario->platform.node_bandwidth == 1e9);
    assert_int_equal(scenario->count, 2);
    assert_string_equal(scenario->apps[0].name, "lap");
    assert_int_equal(scenario->apps[0].count, 4);
    assert_true(scenario->apps[0].nodes == 80);
    assert_string_equal(scenario->apps[1].name, "silverton");
    assert_true(scenario->apps[1].io.mean == 44.8e12);
    /* Silverton: 15,005 + 44,800 / B with B = (4 * 2000 / 12,682 + 3 * 44,800 / 15,005) / 0.8, that
     * is 11.985 GB/s, takes 18,743 s; LAP 12,682 + 2000 / 11.985 = 12,849 s; 20 * 1.4587 = 29.2. */
    assert_int_equal(scenario->apps[0].iterations, 29);
    assert_int_equal(scenario->apps[1].iterations, 20);
    scenario_free(scenario);
}

/* Moments of the work of the first application, over many iterations. */
struct moments {
    double mean, sd, least, most;
};

static struct moments measure_work(const char *set, const char *distribution)
{
    const char *const params[] = {set, distribution, "iterations=20000", NULL};
    struct scenario *scenario = make(&family_apio, params, 1);
    struct workload *workload = workload_realise(scenario, NULL);
    const struct app *app = &workload->apps[0];
    struct moments moments = {.least = INFINITY};
    double squares = 0, count = app->facts.iterations;
    for (uint32_t k = 0; k < app->facts.iterations; k++) {
        double work = app_iteration(app, k).work;
        moments.mean += work / count;
        squares += work * work / count;
        moments.least = fmin(moments.least, work);
        moments.most = fmax(moments.most, work);
    }
    moments.sd = sqrt(squares - moments.mean * moments.mean);
    workload_free(workload);
    scenario_free(scenario);
    return moments;
}

/* Set 9 is Silverton alone: mean 15,005 s, and in units of it mu = 5, sigma = 1, a = 3, b = 7.
 * Uniform on [3, 7]: sd 4 / sqrt(12) = 1.1547, over 5. Normal cut at two sigma: sd .8796 sigma,
 * over 5. Lognormal with sigma 1: sd / mean = sqrt(e - 1) = 1.3108. */
static void apio_work_has_the_published_mean_and_spread(void **state)
{
    (void)state;
    const double period = 15005;
    struct moments uniform = measure_work("set=9", "distribution=uniform");
    struct moments normal = measure_work("set=9", "distribution=normal");
    struct moments lognormal = measure_work("set=9", "distribution=lognormal");
    assert_true(fabs(uniform.mean / period - 1) < 0.01);
    assert_true(fabs(normal.mean / period - 1) < 0.01);
    assert_true(fabs(lognormal.mean / period - 1) < 0.04);
    assert_true(fabs(uniform.sd / period - 1.1547 / 5) < 0.005);
    assert_true(fabs(normal.sd / period - 0.8796 / 5) < 0.005);
    assert_true(fabs(lognormal.sd / period - 1.3108) < 0.2);
    assert_true(uniform.least >= 0.6 * period && uniform.most <= 1.4 * period);
    assert_true(normal.least >= 0.6 * period && normal.most <= 1.4 * period);
    assert_true(lognormal.least > 0 && lognormal.most > 5 * period);
}

/* EAP is the first of set 7: mu = 2, sigma = .5, a = 1, b = 3, so work from 1/2 to 3/2 of 5671 s.
 */
static void each_apio_application_is_scaled_by_its_own_mean(void **state)
{
    (void)state;
    struct moments uniform = measure_work("set=7", "distribution=uniform");
    struct moments lognormal = measure_work("set=7", "distribution=lognormal");
    assert_true(fabs(uniform.mean / 5671 - 1) < 0.01);
    assert_true(uniform.least >= 2835.5 && uniform.least < 2840);
    assert_true(uniform.most <= 8506.5 && uniform.most > 8500);
    assert_true(fabs(lognormal.mean / 5671 - 1) < 0.02);
    assert_true(fabs(lognormal.sd / 5671 - sqrt(exp(0.25) - 1)) < 0.03);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intrepid_sets_fill_the_machine_with_uniform_draws),
        cmocka_unit_test(mira_sets_fill_the_machine_with_uniform_draws),
        cmocka_unit_test(applications_run_for_about_the_same_time),
        cmocka_unit_test(the_published_apio_sets_are_hardly_loaded),
        cmocka_unit_test(the_apio_bandwidth_is_scaled_to_the_load),
        cmocka_unit_test(apio_platforms_have_just_enough_nodes),
        cmocka_unit_test(apio_work_has_the_published_mean_and_spread),
        cmocka_unit_test(each_apio_application_is_scaled_by_its_own_mean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

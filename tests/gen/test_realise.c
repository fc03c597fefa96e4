#include "base/mem.h"
#include "gen/gen.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* One periodic application on a machine of 100 nodes of 1 byte/s and a file system of 50. */
static struct scenario *make(void)
{
    struct scenario *scenario = scenario_new("sample", 1);
    assert_non_null(scenario);
    scenario->platform = (struct platform){.nodes = 100, .node_bandwidth = 1, .bandwidth = 50};
    scenario->seed = 17;
    struct app_spec *app = scenario->apps;
    app->name = "a";
    app->nodes = 40;
    app->work.mean = 10;
    app->io.mean = 5;
    app->iterations = 4;
    return scenario;
}

static struct workload *realise(struct scenario *scenario)
{
    assert_int_equal(scenario_validate(scenario, NULL), 0);
    struct workload *workload = workload_realise(scenario, NULL);
    assert_non_null(workload);
    return workload;
}

static void a_periodic_application_stores_one_iteration(void **state)
{
    (void)state;
    struct scenario *scenario = make();
    scenario->apps->iterations = UINT32_MAX; /* as an array: 64 GiB */
    scenario->window = (struct window){WINDOW_FIXED, 0, 100};
    struct workload *workload = realise(scenario);
    const struct app *app = workload->apps;
    assert_int_equal(app->stride, 0);
    assert_true(app_iteration(app, 123456).work == 10);
    assert_true(app_iteration(app, UINT32_MAX - 1).volume == 5);
    assert_true(app->facts.total_work == 10.0 * UINT32_MAX);
    workload_free(workload);
    scenario_free(scenario);
}

static void facts_come_from_the_specification(void **state)
{
    (void)state;
    struct scenario *scenario = make();
    struct app_spec *spec = scenario->apps;
    spec->release = -7;
    spec->progress = 3;
    spec->waiting = 2;
    spec->weight = 2.5;
    spec->period = 15;
    struct workload *workload = realise(scenario);
    const struct app *app = workload->apps;
    assert_string_equal(workload->name, "sample");
    assert_true(workload->nodes_known);
    assert_true(app->facts.nodes == 40 && app->facts.bmax == 40);
    assert_true(app->facts.release == -7 && app->facts.weight == 2.5 && app->facts.period == 15);
    assert_true(app->facts.progress == 3 && workload->rare[0].waiting == 2);
    assert_true(app->facts.total_work == 40 && app->facts.total_io == 0.5);
    assert_int_equal(app->facts.iterations, 4);
    workload_free(workload);
    scenario_free(scenario);
}

static double bmax_of(double nodes, double bandwidth, double node_bandwidth)
{
    struct scenario *scenario = make();
    scenario->platform.node_bandwidth = node_bandwidth;
    scenario->apps->nodes = nodes;
    scenario->apps->bandwidth = bandwidth;
    struct workload *workload = realise(scenario);
    double bmax = workload->apps->facts.bmax;
    workload_free(workload);
    scenario_free(scenario);
    return bmax;
}

static void nobody_is_faster_than_the_file_system(void **state)
{
    (void)state;
    assert_true(bmax_of(40, 0, 1) == 40);
    assert_true(bmax_of(60, 0, 1) == 50);
    assert_true(bmax_of(1, 0, INFINITY) == 50);
    assert_true(bmax_of(40, 3, 1) == 3);
    assert_true(bmax_of(40, 300, 1) == 50);
    assert_true(bmax_of(0, 3, 1) == 3);
}

/* With a node count unknown anywhere, everybody is weighted by bmax: 40 and 3. */
static void unknown_node_counts_make_bmax_the_weight(void **state)
{
    (void)state;
    struct scenario *scenario = scenario_new("two", 2);
    scenario->platform = (struct platform){.node_bandwidth = 2, .bandwidth = 50};
    scenario->apps[0].nodes = 20;
    scenario->apps[1].bandwidth = 3;
    scenario->apps[0].work.mean = scenario->apps[1].work.mean = 1;
    struct workload *workload = realise(scenario);
    assert_false(workload->nodes_known);
    assert_true(workload->apps[0].facts.nodes == 40);
    assert_true(workload->apps[1].facts.nodes == 3);
    assert_true(workload->platform.nodes == 43);
    workload_free(workload);
    scenario->apps[1].nodes = 7;
    workload = realise(scenario);
    assert_true(workload->nodes_known);
    assert_true(workload->platform.nodes == 27);
    workload_free(workload);
    /* The second starts when the first has ended: 20 nodes are enough for both. */
    scenario->apps[1].release = 1;
    workload = realise(scenario);
    assert_true(workload->platform.nodes == 20);
    workload_free(workload);
    /* N counts bytes/s, as p does, also where a number of nodes is given. */
    scenario->apps[1].nodes = 0;
    scenario->platform.nodes = 27;
    workload = realise(scenario);
    assert_true(workload->platform.nodes == 40);
    workload_free(workload);
    scenario_free(scenario);
}

static void listed_phases_are_borrowed_not_copied(void **state)
{
    (void)state;
    static const struct iteration phases[] = {{0, 10}, {30, 1}};
    struct scenario *scenario = make();
    scenario->apps->explicit_iterations = phases;
    scenario->apps->iterations = 2;
    struct workload *workload = realise(scenario);
    assert_ptr_equal(workload->apps->iterations, phases);
    assert_true(app_iteration(workload->apps, 1).work == 30);
    workload_free(workload);
    scenario->apps->noise_work = 0.5;
    workload = realise(scenario);
    double work = app_iteration(workload->apps, 1).work;
    assert_true(work >= 15 && work <= 45 && work != 30);
    assert_true(app_iteration(workload->apps, 0).work == 0);
    assert_true(app_iteration(workload->apps, 0).volume == 10);
    workload_free(workload);
    scenario_free(scenario);
}

static void replicas_are_numbered_and_draw_for_themselves(void **state)
{
    (void)state;
    struct scenario *scenario = make();
    scenario->apps->count = 2;
    scenario->apps->noise_work = 0.2;
    scenario->apps->noise_io = 0.2;
    struct workload *workload = realise(scenario);
    assert_int_equal(workload->count, 2);
    assert_int_equal(workload->apps[0].replica, 1);
    assert_int_equal(workload->apps[1].replica, 2);
    struct iteration first = app_iteration(&workload->apps[0], 0);
    struct iteration second = app_iteration(&workload->apps[1], 0);
    assert_true(first.work != second.work);
    /* Work and I/O of one iteration do not share their draw. */
    assert_true(first.work / 10 != first.volume / 5);
    workload_free(workload);
    scenario_free(scenario);
}

static void noise_stays_within_its_bounds_and_fills_them(void **state)
{
    (void)state;
    struct scenario *scenario = make();
    scenario->apps->iterations = 2000;
    scenario->apps->noise_work = 0.2;
    struct workload *workload = realise(scenario);
    double low = INFINITY, high = 0;
    for (uint32_t k = 0; k < 2000; k++) {
        struct iteration iteration = app_iteration(workload->apps, k);
        low = fmin(low, iteration.work);
        high = fmax(high, iteration.work);
        assert_true(iteration.volume == 5);
    }
    assert_true(low >= 8 && low < 8.02 && high <= 12 && high > 11.98);
    workload_free(workload);
    scenario_free(scenario);
}

/* Longer applications, and others beside them, leave the draws of an iteration as they were. */
static void a_draw_depends_on_seed_application_and_iteration_alone(void **state)
{
    (void)state;
    struct scenario *scenario = make();
    scenario->apps->work.random = &(struct distribution){DIST_NORMAL, 10, 3, 9, INFINITY};
    struct workload *one = realise(scenario);
    scenario->apps->iterations = 50;
    scenario->apps->count = 3;
    struct workload *other = realise(scenario);
    for (uint32_t k = 0; k < 4; k++)
        assert_true(app_iteration(one->apps, k).work == app_iteration(other->apps, k).work);
    workload_free(other);
    scenario->seed++;
    other = realise(scenario);
    assert_true(app_iteration(one->apps, 0).work != app_iteration(other->apps, 0).work);
    workload_free(other);
    workload_free(one);
    scenario_free(scenario);
}

/* Whoever computes these bits otherwise has another generator, compiler or processor, and all
 * published results of random scenarios would change. */
static void draws_have_the_same_bits_on_every_machine(void **state)
{
    (void)state;
    static const double expected[DIST_KINDS] = {0x1.4p+3, 0x1.12bc01af73863p+6,
                                                0x1.6ebe189a06b33p+3, 0x1.6199ad9d2cec8p+3,
                                                0x1.e0d82e4ec4a8bp+1};
    for (int kind = 0; kind < DIST_KINDS; kind++) {
        struct scenario *scenario = make();
        scenario->apps->work.random =
            &(struct distribution){(enum distribution_kind)kind, 10, 3, 0, 100};
        struct workload *workload = realise(scenario);
        double work = app_iteration(workload->apps, 0).work;
        if (work != expected[kind])
            fail_msg("%s gives %a, not %a", distribution_names[kind], work, expected[kind]);
        workload_free(workload);
        scenario_free(scenario);
    }
}

/* Mean and sd of 100,000 draws; the standard errors are sd/sqrt(n) and about sd*sqrt(k/n), where
 * 4k + 1 is the kurtosis, at most 9 for the exponential and the lognormal with sd/mean = 0.3. */
static void check_moments(struct distribution distribution, double mean, double sd)
{
    enum { COUNT = 100000 };
    struct scenario *scenario = make();
    scenario->apps->work.random = &distribution;
    scenario->apps->iterations = COUNT;
    struct workload *workload = realise(scenario);
    double sum = 0, square = 0;
    for (uint32_t k = 0; k < COUNT; k++) {
        double work = app_iteration(workload->apps, k).work;
        assert_true(work >= distribution.min && work <= distribution.max);
        sum += work;
        square += work * work;
    }
    sum /= COUNT;
    assert_true(fabs(sum - mean) < 5 * sd / sqrt(COUNT));
    assert_true(fabs(sqrt(square / COUNT - sum * sum) - sd) < 5 * sd * sqrt(2.0 / COUNT));
    workload_free(workload);
    scenario_free(scenario);
}

static void every_distribution_has_its_mean_and_sd(void **state)
{
    (void)state;
    check_moments((struct distribution){DIST_UNIFORM, 0, 0, 2, 8}, 5, 6 / sqrt(12));
    check_moments((struct distribution){DIST_NORMAL, 10, 1, 0, INFINITY}, 10, 1);
    check_moments((struct distribution){DIST_LOGNORMAL, 10, 3, 0, INFINITY}, 10, 3);
    check_moments((struct distribution){DIST_EXPONENTIAL, 10, 0, 0, INFINITY}, 10, 10);
    /* A half-normal variable: sqrt(2/pi) and sqrt(1 - 2/pi). */
    check_moments((struct distribution){DIST_NORMAL, 0, 1, 0, INFINITY}, 0.7978845608,
                  0.6028102749);
}

static void bounds_that_are_never_met_are_taken_instead(void **state)
{
    (void)state;
    struct scenario *scenario = make();
    scenario->apps->work.random = &(struct distribution){DIST_NORMAL, 0, 1, 50, 60};
    struct workload *workload = realise(scenario);
    assert_true(app_iteration(workload->apps, 0).work == 50);
    workload_free(workload);
    scenario_free(scenario);
}

/* Application 1 of three in order has the draws of stream 2; without, and with one more of it, the
 * one after it keeps its own. */
static void the_count_of_what_is_drawn_last_changes_no_other_draw(void **state)
{
    (void)state;
    struct scenario *scenario = scenario_new("three", 3);
    scenario->platform = (struct platform){.nodes = 100, .node_bandwidth = 1, .bandwidth = 10};
    for (uint32_t i = 0; i < 3; i++) {
        scenario->apps[i] = app_spec_defaults;
        scenario->apps[i].nodes = 1;
        scenario->apps[i].work.mean = 10;
        scenario->apps[i].noise_work = 0.5;
    }
    struct workload *in_order = realise(scenario);
    scenario->drawn_last = &scenario->apps[1];
    for (uint32_t count = 1; count <= 2; count++) {
        scenario->apps[1].count = count;
        struct workload *workload = realise(scenario);
        assert_true(workload->apps[0].iterations->work == in_order->apps[0].iterations->work);
        assert_true(workload->apps[1].iterations->work == in_order->apps[2].iterations->work);
        assert_true(workload->apps[1 + count].iterations->work ==
                    in_order->apps[1].iterations->work);
        workload_free(workload);
    }
    workload_free(in_order);
    scenario_free(scenario);
}

static void a_workload_has_the_window_of_its_scenario(void **state)
{
    (void)state;
    struct scenario *scenario = make();
    scenario->window.kind = WINDOW_AUTO;
    struct workload *workload = realise(scenario);
    const struct app *app = workload->apps;
    assert_int_equal(workload->window.kind, WINDOW_FIXED);
    assert_true(workload->window.end == app_ideal(app));
    workload_free(workload);
    scenario->window = (struct window){WINDOW_FIXED, 5, 4};
    struct err err;
    assert_null(workload_realise(scenario, &err));
    scenario_free(scenario);
}

/* Of two copies both are the user's; an account that is not given is the one listed for the user.
 */
static void applications_know_their_users_and_accounts(void **state)
{
    (void)state;
    static const struct share_account account = {"stars", NULL, 1};
    static const struct share_user user = {"ada", "stars", 1};
    static const struct shares shares = {.levels = SHARES_LEVELS,
                                         .period = 1,
                                         .accounts = &account,
                                         .account_count = 1,
                                         .users = &user,
                                         .user_count = 1};
    static const struct app_extra ada = {.names = {"ada", NULL}};
    struct scenario *scenario = make();
    scenario->apps->count = 2;
    struct workload *workload = realise(scenario);
    assert_null(workload->owners);
    workload_free(workload);
    static const struct app_extra long_one = {.length = 90};
    scenario->apps->extra = &long_one;
    workload = realise(scenario);
    assert_null(workload->owners);
    assert_true(workload->lengths[0] == 90 && workload->lengths[1] == 90);
    workload_free(workload);
    scenario->apps->extra = &ada;
    scenario->shares = &shares;
    workload = realise(scenario);
    assert_true(workload->shares == &shares);
    for (uint32_t id = 0; id < 2; id++)
        for (int kind = 0; kind < PARTY_KINDS; kind++)
            assert_int_equal(workload_party(workload, (enum party_kind)kind, id), 1);
    assert_string_equal(party_name(&workload->parties[PARTY_ACCOUNT], 1), "stars");
    workload_free(workload);
    scenario_free(scenario);
}

static void running_out_of_memory_is_an_error_and_leaves_nothing(void **state)
{
    (void)state;
    struct scenario *scenario = make();
    scenario->apps->count = 3;
    scenario->apps->noise_work = 0.1;
    scenario->apps->iterations = 10000; /* a block of the arena for each */
    struct workload *workload = NULL;
    int n = 0;
    for (; !workload && n < 100; n++) {
        struct err err = {0};
        mem_fail_after(n);
        workload = workload_realise(scenario, &err);
        mem_fail_after(-1);
        assert_true(workload || strcmp(err.text, "out of memory") == 0);
    }
    assert_non_null(workload);
    assert_int_equal(n, 8); /* the workload, its applications, three arrays, two for the window */
    workload_free(workload);
    workload_free(NULL);
    scenario_free(scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_periodic_application_stores_one_iteration),
        cmocka_unit_test(facts_come_from_the_specification),
        cmocka_unit_test(nobody_is_faster_than_the_file_system),
        cmocka_unit_test(unknown_node_counts_make_bmax_the_weight),
        cmocka_unit_test(listed_phases_are_borrowed_not_copied),
        cmocka_unit_test(replicas_are_numbered_and_draw_for_themselves),
        cmocka_unit_test(noise_stays_within_its_bounds_and_fills_them),
        cmocka_unit_test(a_draw_depends_on_seed_application_and_iteration_alone),
        cmocka_unit_test(draws_have_the_same_bits_on_every_machine),
        cmocka_unit_test(every_distribution_has_its_mean_and_sd),
        cmocka_unit_test(bounds_that_are_never_met_are_taken_instead),
        cmocka_unit_test(the_count_of_what_is_drawn_last_changes_no_other_draw),
        cmocka_unit_test(a_workload_has_the_window_of_its_scenario),
        cmocka_unit_test(applications_know_their_users_and_accounts),
        cmocka_unit_test(running_out_of_memory_is_an_error_and_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

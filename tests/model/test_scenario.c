#include "base/mem.h"
#include "model/scenario.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Two valid applications on 100 nodes. */
static struct scenario *make(void)
{
    struct scenario *scenario = scenario_new("sample", 2);
    assert_non_null(scenario);
    scenario->platform = (struct platform){.nodes = 100, .node_bandwidth = 1, .bandwidth = 50};
    for (int i = 0; i < 2; i++) {
        struct app_spec *app = &scenario->apps[i];
        app->name = i == 0 ? "first" : "second";
        app->nodes = 40;
        app->work.mean = 10;
        app->io.mean = 5;
        app->iterations = 3;
    }
    return scenario;
}

static void a_new_scenario_has_the_defaults(void **state)
{
    (void)state;
    struct scenario *scenario = scenario_new("x", 3);
    assert_string_equal(scenario->name, "x");
    assert_int_equal(scenario->count, 3);
    assert_int_equal(scenario->window.kind, WINDOW_NONE);
    assert_int_equal(scenario->apps[2].count, 1);
    assert_true(scenario->apps[2].weight == 1);
    scenario_free(scenario);
    scenario_free(NULL);
}

static void a_sound_scenario_passes_without_a_warning(void **state)
{
    (void)state;
    struct scenario *scenario = make();
    struct err err;
    assert_int_equal(scenario_validate(scenario, &err), 0);
    assert_null(scenario->warning);
    scenario_free(scenario);
}

static void more_nodes_at_once_than_the_platform_has_are_a_warning(void **state)
{
    (void)state;
    struct scenario *scenario = make();
    scenario->apps[1].count = 2;
    assert_int_equal(scenario_validate(scenario, NULL), 0);
    assert_string_equal(scenario->warning,
                        "the applications use 120 nodes at once at 0 s, the platform has 100");
    scenario_free(scenario);
}

/* Alone the first takes 3 (10 + 5/40) = 30.375 s, or, with drawn work and I/O listed one by one,
 * as much in the mean. */
static void applications_that_follow_each_other_may_have_the_same_nodes(void **state)
{
    (void)state;
    static const struct distribution drawn = {.kind = DIST_UNIFORM, .max = 20};
    static const struct iteration listed[] = {{10, 0}, {0, 10}, {20, 5}};
    for (int kind = 0; kind < 3; kind++) {
        struct scenario *scenario = make();
        if (kind == 1)
            scenario->apps[0].work.random = &drawn;
        if (kind == 2)
            scenario->apps[0].explicit_iterations = listed;
        scenario->apps[1].count = 2;
        scenario->apps[1].release = 30.375;
        assert_int_equal(scenario_validate(scenario, NULL), 0);
        assert_null(scenario->warning);
        scenario->apps[1].release = 30;
        assert_int_equal(scenario_validate(scenario, NULL), 0);
        assert_non_null(strstr(scenario->warning, "120 nodes at once at 30 s"));
        scenario_free(scenario);
    }
}

/* One change to the second application or the platform, and a part of the message. */
struct fault {
    void (*spoil)(struct scenario *scenario, struct app_spec *app);
    const char *text;
};

#define FAULT(name, statement)                                                                     \
    static void name(struct scenario *scenario, struct app_spec *app)                              \
    {                                                                                              \
        (void)scenario;                                                                            \
        (void)app;                                                                                 \
        statement;                                                                                 \
    }

static const struct iteration bad_phases[] = {{1, 1}, {1, NAN}};
static const struct iteration empty_phases[] = {{0, 0}, {0, 0}};

static const struct distribution negative_spread = {DIST_NORMAL, 10, -1, 0, INFINITY};
static const struct distribution backwards = {DIST_UNIFORM, 10, 0, 3, 2};
static const struct distribution endless = {DIST_UNIFORM, 10, 0, 0, INFINITY};
static const struct distribution below_zero = {DIST_NORMAL, 10, 0, -1, INFINITY};
static const struct distribution without_mean = {DIST_LOGNORMAL, 0, 0, 0, INFINITY};

FAULT(no_bandwidth, scenario->platform.bandwidth = 0)
FAULT(nan_bandwidth, scenario->platform.bandwidth = NAN)
FAULT(infinite_bandwidth, scenario->platform.bandwidth = INFINITY)
FAULT(no_node_bandwidth, scenario->platform.node_bandwidth = 0)
FAULT(half_a_node, scenario->platform.nodes = 0.5)
FAULT(no_applications, scenario->count = 0)
FAULT(no_nodes, app->nodes = 0)
FAULT(negative_nodes, app->nodes = -1)
FAULT(too_many_nodes, app->nodes = 101)
FAULT(negative_bandwidth, app->bandwidth = -1)
FAULT(no_count, app->count = 0)
FAULT(no_iterations, app->iterations = 0)
FAULT(negative_work, app->work.mean = -1)
FAULT(nan_io, app->io.mean = NAN)
FAULT(huge_work, app->work.mean = 1e101)
FAULT(nothing, app->work.mean = app->io.mean = 0)
FAULT(nothing_listed, app->explicit_iterations = empty_phases; app->iterations = 2)
FAULT(nan_listed, app->explicit_iterations = bad_phases; app->iterations = 2)
FAULT(too_noisy, app->noise_work = 1.5)
FAULT(nan_noise, app->noise_io = NAN)
FAULT(no_weight, app->weight = 0)
FAULT(infinite_release, app->release = -INFINITY)
FAULT(too_much_progress, app->release = -10; app->progress = 11)
FAULT(waiting_too_long, app->release = -10; app->waiting = 11)
FAULT(negative_period, app->period = -1)
FAULT(negative_sd, app->work.random = &negative_spread)
FAULT(empty_range, app->work.random = &backwards)
FAULT(open_uniform, app->work.random = &endless)
FAULT(negative_min, app->work.random = &below_zero)
FAULT(no_lognormal_mean, app->io.random = &without_mean)
FAULT(too_many_draws, app->noise_work = 0.1; app->iterations = UINT32_MAX)
FAULT(too_many_apps, app->count = UINT32_MAX)
FAULT(negative_window,
      scenario->window = ((struct window){.kind = WINDOW_FIXED, .start = -1, .end = 5}))
FAULT(empty_window,
      scenario->window = ((struct window){.kind = WINDOW_FIXED, .start = 5, .end = 5}))
FAULT(endless_window,
      scenario->window = ((struct window){.kind = WINDOW_FIXED, .start = 5, .end = INFINITY}))

static void every_fault_is_an_error_that_says_what_and_where(void **state)
{
    (void)state;
    static const struct fault faults[] = {
        {no_bandwidth, "platform: bandwidth is 0"},
        {nan_bandwidth, "platform: bandwidth is nan"},
        {infinite_bandwidth, "platform: bandwidth is inf"},
        {no_node_bandwidth, "platform: node bandwidth is 0"},
        {half_a_node, "platform: nodes is 0.5"},
        {no_applications, "no applications"},
        {no_nodes, "'second': has 0 nodes, expected at least 1"},
        {negative_nodes, "'second': has -1 nodes"},
        {too_many_nodes, "'second': has 101 nodes, but the platform only 100"},
        {negative_bandwidth, "'second': bandwidth is -1"},
        {no_count, "'second': count is 0"},
        {no_iterations, "'second': has no iterations"},
        {negative_work, "'second': work is -1"},
        {nan_io, "'second': io is nan"},
        {huge_work, "'second': work is 1e+101"},
        {nothing, "'second': has nothing to do"},
        {nothing_listed, "'second': has nothing to do"},
        {nan_listed, "'second': phase 2: io is nan"},
        {too_noisy, "'second': noise of work is 1.5"},
        {nan_noise, "'second': noise of io is nan"},
        {no_weight, "'second': weight is 0"},
        {infinite_release, "'second': release is -inf"},
        {too_much_progress, "'second': progress is 11 s, more than its age of 10 s"},
        {waiting_too_long, "'second': has waited for 11 s, longer than its age of 10 s"},
        {negative_period, "'second': period is -1"},
        {negative_sd, "'second': work: sd is -1"},
        {empty_range, "'second': work: max is 2, expected a number from min = 3 on"},
        {open_uniform, "'second': work: max is inf"},
        {negative_min, "'second': work: min is -1"},
        {no_lognormal_mean, "'second': io: the mean of a lognormal is 0"},
        {too_many_draws, "random iterations, expected at most"},
        {too_many_apps, "applications, expected at most"},
        {negative_window, "a window starts at -1"},
        {empty_window, "a window ends at 5"},
        {endless_window, "a window ends at inf"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct scenario *scenario = make();
        struct err err;
        faults[i].spoil(scenario, &scenario->apps[1]);
        assert_int_equal(scenario_validate(scenario, &err), -1);
        if (!strstr(err.text, faults[i].text))
            assert_string_equal(err.text, faults[i].text);
        scenario_free(scenario);
    }
}

static void what_may_be_unknown_passes(void **state)
{
    (void)state;
    struct scenario *scenario = make();
    scenario->platform = (struct platform){.node_bandwidth = INFINITY, .bandwidth = 1};
    scenario->apps[0].nodes = 0;
    scenario->apps[0].bandwidth = 0.5;
    scenario->apps[0].release = -10;
    scenario->apps[0].progress = 10;
    scenario->apps[0].work.random = &(struct distribution){DIST_NORMAL, 10, 3, 0, INFINITY};
    scenario->apps[1].work.random = &(struct distribution){DIST_UNIFORM, 0, 0, 2, 2};
    assert_int_equal(scenario_validate(scenario, NULL), 0);
    assert_null(scenario->warning);
    scenario_free(scenario);
}

static void a_forgotten_application_leaves_its_name_and_phases(void **state)
{
    (void)state;
    struct scenario *scenario = make();
    const char *name = arena_strndup(&scenario->arena, "kept", 4);
    scenario->apps[0].name = name;
    scenario_forget_apps(scenario);
    assert_int_equal(scenario->count, 0);
    assert_null(scenario->apps);
    assert_string_equal(name, "kept");
    scenario_free(scenario);
}

static void what_varies_is_drawn(void **state)
{
    (void)state;
    const struct distribution normal = {DIST_NORMAL, 10, 3, 0, INFINITY};
    struct app_spec constant = app_spec_defaults, random = app_spec_defaults;
    struct app_spec noisy = app_spec_defaults, listed = app_spec_defaults;
    random.io.random = listed.io.random = &normal;
    noisy.noise_work = 0.1;
    listed.explicit_iterations = bad_phases;
    assert_false(app_spec_drawn(&constant) || app_spec_drawn(&listed));
    assert_true(app_spec_drawn(&random) && app_spec_drawn(&noisy));
}

static void the_names_of_the_distributions_end_with_null(void **state)
{
    (void)state;
    assert_string_equal(distribution_names[DIST_CONSTANT], "constant");
    assert_string_equal(distribution_names[DIST_EXPONENTIAL], "exponential");
    assert_null(distribution_names[DIST_KINDS]);
}

static void running_out_of_memory_leaves_nothing(void **state)
{
    (void)state;
    struct scenario *scenario = NULL;
    for (int n = 0; !scenario && n < 10; n++) {
        mem_fail_after(n);
        scenario = scenario_new("x", 5000); /* more than one block of the arena */
        mem_fail_after(-1);
        assert_true(scenario || n < 3);
    }
    assert_non_null(scenario);
    scenario_free(scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_scenario_has_the_defaults),
        cmocka_unit_test(a_sound_scenario_passes_without_a_warning),
        cmocka_unit_test(more_nodes_at_once_than_the_platform_has_are_a_warning),
        cmocka_unit_test(applications_that_follow_each_other_may_have_the_same_nodes),
        cmocka_unit_test(every_fault_is_an_error_that_says_what_and_where),
        cmocka_unit_test(what_may_be_unknown_passes),
        cmocka_unit_test(a_forgotten_application_leaves_its_name_and_phases),
        cmocka_unit_test(what_varies_is_drawn),
        cmocka_unit_test(the_names_of_the_distributions_end_with_null),
        cmocka_unit_test(running_out_of_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

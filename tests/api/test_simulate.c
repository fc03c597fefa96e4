#include "base/mem.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <weir/simulate.h>

#include <cmocka.h>

/* Two equal applications that fill the file system: work of 1 s, then I/O of 1 s alone. */
static const char twins[] =
    "platform: {nodes: 2, node_bandwidth: 10, bandwidth: 10}\n"
    "applications:\n"
    "  - {name: twin, count: 2, nodes: 1, work: 1, io: 10, iterations: 1}\n";

static const char noisy[] = "platform: {nodes: 2, node_bandwidth: 10, bandwidth: 10}\n"
                            "applications:\n"
                            "  - {name: a, nodes: 1, work: 9, io: 9, iterations: 9, "
                            "noise: {work: 50 %, io: 0}}\n";

static struct weir_scenario *parse(const char *text, const struct weir_reading *reading)
{
    struct weir_error error;
    struct weir_scenario *scenario = weir_scenario_parse(text, reading, &error);
    if (!scenario)
        fail_msg("%s", error.text);
    return scenario;
}

static struct weir_result *run(const struct weir_scenario *scenario, const char *policy)
{
    struct weir_error error;
    struct weir_result *result = weir_scenario_run(scenario, policy, &error);
    if (!result)
        fail_msg("%s", error.text);
    return result;
}

static struct weir_metrics measure(const struct weir_scenario *scenario, const char *policy)
{
    struct weir_result *result = run(scenario, policy);
    struct weir_metrics metrics = *weir_result_metrics(result);
    weir_result_free(result);
    return metrics;
}

static void expect_text(const struct weir_error *error, const char *text)
{
    if (!strstr(error->text, text))
        fail_msg("'%s' does not say '%s'", error->text, text);
}

/* --- what a run gives ------------------------------------------------------------------------ */

static int stop_at_third(void *context)
{
    int *asked = context;
    return ++*asked == 3;
}

static void a_run_can_be_stopped(void **state)
{
    (void)state;
    struct weir_error error;
    struct weir_scenario *scenario =
        parse("platform: {nodes: 2, node_bandwidth: 10, bandwidth: 10}\n"
              "applications: [{name: a, nodes: 1, work: 1, io: 10, iterations: 10000}]\n",
              NULL);
    int asked = 0;
    assert_null(weir_scenario_run_until(scenario, "fcfs", stop_at_third, &asked, &error));
    assert_int_equal(asked, 3);
    expect_text(&error, "fcfs: stopped at ");
    /* 20,000 events, and one more question at the first: never the third answer again. */
    struct weir_result *result =
        weir_scenario_run_until(scenario, "fcfs", stop_at_third, &asked, &error);
    assert_non_null(result);
    assert_in_range(asked, 5, 100);
    assert_true(weir_result_metrics(result)->makespan == measure(scenario, "fcfs").makespan);
    weir_result_free(result);
    weir_scenario_free(scenario);
}

static void a_run_gives_the_measures_of_its_schedule(void **state)
{
    (void)state;
    struct weir_scenario *scenario = parse(twins, NULL);
    struct weir_metrics metrics = measure(scenario, "fcfs");
    /* Both post at 1 s. The first is served until 2 s, as if alone; the second until 3 s. */
    assert_float_equal(metrics.makespan, 3, 1e-12);
    assert_float_equal(metrics.max_stretch, 1.5, 1e-12);
    assert_float_equal(metrics.mean_stretch, 1.25, 1e-12);
    assert_float_equal(metrics.min_yield, 2.0 / 3, 1e-12);
    weir_scenario_free(scenario);
}

static void a_run_gives_every_application_in_order(void **state)
{
    (void)state;
    struct weir_scenario *scenario = parse(twins, NULL);
    struct weir_result *result = run(scenario, "fcfs");
    weir_scenario_free(scenario); /* the result lives on */
    assert_int_equal(weir_result_count(result), 2);
    const struct weir_app_metrics *first = weir_result_app(result, 0);
    const struct weir_app_metrics *second = weir_result_app(result, 1);
    assert_string_equal(first->name, "twin.1");
    assert_string_equal(second->name, "twin.2");
    assert_float_equal(first->nodes, 1, 0);
    assert_float_equal(first->completion, 2, 1e-12);
    assert_float_equal(second->completion, 3, 1e-12);
    assert_float_equal(second->yield, 2.0 / 3, 1e-12);
    assert_float_equal(second->stretch, 1.5, 1e-12);
    assert_float_equal(second->efficiency, 1.0 / 3, 1e-12);
    assert_null(weir_result_app(result, 2));
    weir_result_free(result);
}

static void every_listed_strategy_runs(void **state)
{
    (void)state;
    struct weir_scenario *scenario = parse(twins, NULL);
    size_t count = 0;
    for (const struct weir_policy_ops *const *ops = weir_policy_list(); *ops; ops++, count++) {
        /* Nobody can be faster than the file system: 1 s of work, then 20 bytes at 10 bytes/s. */
        assert_float_equal(measure(scenario, (*ops)->name).makespan, 3, 1e-9);
    }
    assert_true(count > 10);
    const char *const *const lists[] = {weir_policy_usual(), weir_policy_all()};
    for (size_t i = 0; i < 2; i++)
        for (const char *const *name = lists[i]; *name; name++)
            assert_float_equal(measure(scenario, *name).makespan, 3, 1e-9);
    weir_scenario_free(scenario);
}

/* --- scenarios -------------------------------------------------------------------------------- */

static void the_platform_can_be_overridden(void **state)
{
    (void)state;
    struct weir_scenario *scenario = parse(twins, &(struct weir_reading){.bandwidth = 20});
    assert_float_equal(measure(scenario, "fcfs").makespan, 2, 1e-12); /* both at full speed */
    weir_scenario_free(scenario);
}

static void every_format_can_be_read(void **state)
{
    (void)state;
    /* bmax 10, fresh; an I/O of 20 bytes takes 2 s, then it works for 3 s. */
    struct weir_reading reading = {.format = "instance", .bandwidth = 10};
    struct weir_scenario *scenario = parse("a 10 0 0 0 2 0 C 20 3\n", &reading);
    struct weir_result *result = run(scenario, "fair-share");
    assert_float_equal(weir_result_metrics(result)->makespan, 5, 1e-12);
    assert_true(isnan(weir_result_app(result, 0)->nodes));
    weir_result_free(result);
    weir_scenario_free(scenario);

    /* 20 times: work of 4 s, then 1 GB from 2 nodes of 0.25 GB/s each, 2 s. */
    reading = (struct weir_reading){
        .format = "set", .nodes = 2, .node_bandwidth = 0.25e9, .bandwidth = 1e9};
    scenario = parse("4 1 2\n", &reading);
    assert_float_equal(measure(scenario, "fcfs").makespan, 120, 1e-9);
    weir_scenario_free(scenario);
}

static void a_file_gives_what_its_text_gives(void **state)
{
    (void)state;
    struct weir_error error;
    struct weir_scenario *scenario =
        weir_scenario_load(WEIR_SOURCE_DIR "/examples/quickstart.yaml", NULL, &error);
    assert_non_null(scenario);
    assert_null(weir_scenario_warning(scenario));
    assert_float_equal(measure(scenario, "fair-share").makespan, 2280.8, 0.05);
    weir_scenario_free(scenario);
}

static void what_is_odd_is_told(void **state)
{
    (void)state;
    struct weir_scenario *scenario =
        parse(twins, &(struct weir_reading){.nodes = 1}); /* two applications of one node each */
    assert_non_null(strstr(weir_scenario_warning(scenario), "nodes"));
    weir_scenario_free(scenario);
}

static void the_seed_decides_all_draws(void **state)
{
    (void)state;
    struct weir_scenario *scenario = parse(noisy, NULL);
    weir_scenario_set_seed(scenario, 1);
    double first = measure(scenario, "fcfs").makespan;
    weir_scenario_set_seed(scenario, 2);
    double second = measure(scenario, "fcfs").makespan;
    weir_scenario_set_seed(scenario, 1);
    assert_true(measure(scenario, "fcfs").makespan == first);
    assert_true(second != first);
    weir_scenario_free(scenario);
}

static void a_window_can_be_set_and_lifted(void **state)
{
    (void)state;
    struct weir_error error;
    struct weir_scenario *scenario = parse(twins, NULL);
    assert_int_equal(weir_scenario_set_window(scenario, 0, 2, &error), 0);
    struct weir_metrics metrics = measure(scenario, "fcfs");
    assert_true(isnan(metrics.makespan));
    assert_float_equal(metrics.min_yield, 0.5, 1e-12); /* at 2 s the second has only worked */
    weir_scenario_set_auto_window(scenario);           /* alone each would end at 2 s */
    assert_float_equal(measure(scenario, "fcfs").min_yield, 0.5, 1e-12);
    weir_scenario_set_no_window(scenario);
    assert_float_equal(measure(scenario, "fcfs").makespan, 3, 1e-12);
    weir_scenario_free(scenario);
}

static void a_window_that_is_none_is_refused_and_changes_nothing(void **state)
{
    (void)state;
    struct weir_error error;
    struct weir_scenario *scenario = parse(twins, NULL);
    assert_int_equal(weir_scenario_set_window(scenario, 2, 1, &error), -1);
    expect_text(&error, "expected a time after its start");
    assert_int_equal(weir_scenario_set_window(scenario, NAN, 1, &error), -1);
    assert_int_equal(weir_scenario_set_window(scenario, 0, INFINITY, NULL), -1);
    assert_float_equal(measure(scenario, "fcfs").makespan, 3, 1e-12);
    weir_scenario_free(scenario);
}

static void a_window_is_read_as_the_program_reads_it(void **state)
{
    (void)state;
    struct weir_error error;
    struct weir_scenario *scenario = parse(twins, NULL);
    assert_int_equal(weir_scenario_parse_window(scenario, "0:2 s", &error), 0);
    assert_float_equal(measure(scenario, "fcfs").min_yield, 0.5, 1e-12);
    const char *const bad[] = {"soon", "2:1", "1:", "5", "", "0:1e200"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(weir_scenario_parse_window(scenario, bad[i], &error), -1);
    assert_int_equal(weir_scenario_parse_window(scenario, "soon", &error), -1);
    expect_text(&error, "invalid window 'soon', expected auto, none, START:END or FROM/TO");
    assert_float_equal(measure(scenario, "fcfs").min_yield, 0.5, 1e-12);
    assert_int_equal(weir_scenario_parse_window(scenario, "none", &error), 0);
    assert_float_equal(measure(scenario, "fcfs").makespan, 3, 1e-12);
    weir_scenario_free(scenario);
}

static void a_copy_has_a_seed_and_a_window_of_its_own(void **state)
{
    (void)state;
    struct weir_error error;
    struct weir_scenario *scenario = parse(noisy, NULL);
    double before = measure(scenario, "fcfs").makespan;
    struct weir_scenario *copy = weir_scenario_copy(scenario, &error);
    assert_non_null(copy);
    weir_scenario_set_seed(copy, 2);
    assert_int_equal(weir_scenario_seed(copy), 2);
    assert_true(measure(copy, "fcfs").makespan != before);
    weir_scenario_set_auto_window(copy);
    assert_true(isnan(measure(copy, "fcfs").makespan));
    assert_true(measure(scenario, "fcfs").makespan == before);
    struct weir_scenario *again = weir_scenario_copy(copy, &error);
    weir_scenario_free(scenario);
    weir_scenario_free(copy);
    assert_int_equal(weir_scenario_seed(again), 2);
    assert_true(isnan(measure(again, "fcfs").makespan)); /* it lives on */
    weir_scenario_free(again);
}

/* Work of 1 s, then an I/O alone of 10 s and one of 1 s at the same time: known, the short one goes
 * first. Both are taken for 1 s of I/O at their bmax when nothing is known. */
static const char unequal[] = "platform: {nodes: 2, node_bandwidth: 10, bandwidth: 10}\n"
                              "applications:\n"
                              "  - {name: long, nodes: 1, work: 1, io: 100, iterations: 1}\n"
                              "  - {name: short, nodes: 1, work: 1, io: 10, iterations: 1}\n";

static void strategies_know_what_they_are_told(void **state)
{
    (void)state;
    struct weir_error error;
    struct weir_scenario *scenario = parse(unequal, NULL);
    double known = measure(scenario, "greedy-com").mean_stretch;
    assert_float_equal(known, (12.0 / 11 + 1) / 2, 1e-12);
    assert_int_equal(weir_scenario_set_knowledge(scenario, "mean", 0, &error), 0);
    assert_true(measure(scenario, "greedy-com").mean_stretch > known);
    const char *const bad[] = {"all", "130%", "", "-3%"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(weir_scenario_set_knowledge(scenario, bad[i], 0, &error), -1);
    expect_text(&error, "knowledge: '-3%', expected exact, mean, or a percentage");
    assert_int_equal(weir_scenario_set_knowledge(scenario, NULL, -1, &error), -1);
    expect_text(&error, "the age of progress is -1, expected seconds from 0 on");
    assert_int_equal(weir_scenario_set_knowledge(scenario, NULL, NAN, NULL), -1);
    assert_true(measure(scenario, "greedy-com").mean_stretch > known);
    assert_int_equal(weir_scenario_set_knowledge(scenario, NULL, 0, &error), 0);
    assert_true(measure(scenario, "greedy-com").mean_stretch == known);
    weir_scenario_free(scenario);
}

static void logs_are_imported_as_by_the_program(void **state)
{
    (void)state;
    struct weir_error error;
    char path[] = "/tmp/weir-test-XXXXXX";
    const char *const paths[] = {path, NULL}, *const none[] = {NULL};
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_true(dprintf(file, "name,nodes,work,io\n") > 0);
    for (int i = 0; i < 12; i++) /* every 15 s: work of 10 s, then an I/O of 5 s */
        assert_true(dprintf(file, "a,1,10,5\n") > 0);
    close(file);
    struct weir_logs logs = {.bandwidth = 1};
    struct weir_scenario *scenario = weir_scenario_import("csv", paths, &logs, &error);
    assert_non_null(scenario);
    char *text = weir_scenario_text(scenario, &error);
    assert_non_null(strstr(text, "period: "));
    weir_text_free(text);
    weir_scenario_free(scenario);
    logs.gap = 3;
    assert_null(weir_scenario_import("csv", paths, &logs, &error));
    expect_text(&error, "--gap has no effect on 'csv'");
    logs.gap = NAN;
    assert_null(weir_scenario_import("csv", paths, &logs, &error));
    expect_text(&error, "--gap: nan, expected a number above 0");
    assert_null(weir_scenario_import("swf", paths, NULL, &error));
    expect_text(&error, "missing --io-ratio R or --io-csv FILE");
    assert_null(weir_scenario_import("csv", none, NULL, &error));
    expect_text(&error, "there is no file to import");
    unlink(path);
}

/* --- what is possible ------------------------------------------------------------------------- */

static void more_fairness_leaves_no_more_efficiency(void **state)
{
    (void)state;
    struct weir_error error;
    struct weir_metrics bound;
    double efficiency;
    struct weir_scenario *scenario = parse(unequal, NULL);
    assert_int_equal(weir_scenario_bound_given(scenario, 0.5, &efficiency, &error), -1);
    expect_text(&error, "min_yield needs a window that begins at 0");
    weir_scenario_set_auto_window(scenario);
    assert_int_equal(weir_scenario_bound(scenario, &bound, &error), 0);
    assert_int_equal(weir_scenario_bound_given(scenario, 0.7, &efficiency, &error), 0);
    assert_true(efficiency > 0 && efficiency <= bound.efficiency);
    assert_int_equal(weir_scenario_bound_given(scenario, 1, &efficiency, &error), 0);
    assert_true(isnan(efficiency)); /* both want all of the file system at 1 s */
    assert_int_equal(weir_scenario_bound_given(scenario, 1.5, &efficiency, &error), -1);
    expect_text(&error, "min_yield is 1.5, expected 0 to 1");
    weir_scenario_free(scenario);
}

static void a_wrong_scenario_is_refused_with_its_line(void **state)
{
    (void)state;
    struct weir_error error;
    assert_null(weir_scenario_parse("platform: {nodes: 1}\nwindw: 3\n", NULL, &error));
    expect_text(&error, "text:2: ");
    expect_text(&error, "window");
    assert_null(weir_scenario_load("/nowhere/x.yaml", NULL, &error));
    expect_text(&error, "/nowhere/x.yaml");
    assert_null(weir_scenario_parse(twins, &(struct weir_reading){.format = "sett"}, &error));
    expect_text(&error, "did you mean 'set'?");
    assert_null(weir_scenario_parse("", NULL, NULL));
}

static void a_platform_that_cannot_be_is_refused(void **state)
{
    (void)state;
    const double bad[] = {-1, NAN, INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct weir_error error;
        assert_null(
            weir_scenario_parse(twins, &(struct weir_reading){.bandwidth = bad[i]}, &error));
        expect_text(&error, "bandwidth");
    }
    struct weir_error error;
    assert_null(weir_scenario_parse(twins, &(struct weir_reading){.nodes = -1}, &error));
    expect_text(&error, "nodes is -1");
}

/* --- strategies ------------------------------------------------------------------------------ */

static const struct weir_param params[] = {
    {.name = "share", .kind = WEIR_PARAM_NUMBER, .initial = 0.5, .low = 0, .high = 2},
    {.name = NULL},
};

static void init(void *state, const struct weir_setup *setup)
{
    *(double *)state = setup->params[0];
}

/* Everybody gets this share of its bmax. */
static void decide(void *state, const struct weir_view *view, struct weir_grants *grants)
{
    double share = *(double *)state;
    for (uint32_t i = 0; i < view->active_count; i++)
        weir_grant(grants, view->active[i], share * view->runs[view->active[i]].app->bmax);
}

static const struct weir_policy_ops part = {.abi = WEIR_POLICY_ABI,
                                            .name = "part",
                                            .params = params,
                                            .state_size = sizeof(double),
                                            .init = init,
                                            .decide = decide};

static void a_strategy_of_ones_own_runs_with_its_parameters(void **state)
{
    (void)state;
    struct weir_error error;
    struct weir_scenario *scenario = parse(twins, NULL);
    struct weir_result *result = weir_scenario_run_ops(scenario, &part, NULL, &error);
    assert_non_null(result);
    assert_float_equal(weir_result_metrics(result)->makespan, 1 + 1 / 0.5, 1e-12);
    weir_result_free(result);
    result = weir_scenario_run_ops(scenario, &part, "share=0.25", &error);
    assert_non_null(result);
    assert_float_equal(weir_result_metrics(result)->makespan, 1 + 1 / 0.25, 1e-12);
    weir_result_free(result);
    weir_scenario_free(scenario);
}

static void a_strategy_that_breaks_a_rule_is_stopped(void **state)
{
    (void)state;
    struct weir_error error;
    struct weir_scenario *scenario = parse(twins, NULL);
    assert_null(weir_scenario_run_ops(scenario, &part, "share=1", &error)); /* 20 of 10 bytes/s */
    expect_text(&error, "text: part: ");
    assert_null(weir_scenario_run_ops(scenario, &part, "share=0", &error)); /* nothing, for ever */
    expect_text(&error, "text: part: ");
    weir_scenario_free(scenario);
}

static void a_strategy_that_is_none_is_refused(void **state)
{
    (void)state;
    struct weir_error error;
    struct weir_scenario *scenario = parse(twins, NULL);
    struct weir_policy_ops other = part;
    other.abi = WEIR_POLICY_ABI + 1;
    assert_null(weir_scenario_run_ops(scenario, &other, NULL, &error));
    expect_text(&error, "of the strategy interface, not");
    other = part;
    other.decide = NULL;
    assert_null(weir_scenario_run_ops(scenario, &other, NULL, &error));
    expect_text(&error, "lacks a name or a decide function");
    assert_null(weir_scenario_run_ops(scenario, &part, "shore=1", &error));
    expect_text(&error, "strategy 'part'");
    expect_text(&error, "did you mean 'share'?");
    assert_null(weir_scenario_run(scenario, "fcsf", &error));
    expect_text(&error, "did you mean 'fcfs'?");
    assert_null(weir_scenario_run(scenario, "fcsf", NULL));
    weir_scenario_free(scenario);
}

/* --- memory ---------------------------------------------------------------------------------- */

static void running_out_of_memory_is_an_error_wherever_it_happens(void **state)
{
    (void)state;
    bool succeeded = false;
    for (long n = 0; !succeeded; n++) {
        struct weir_error error = {""};
        mem_fail_after(n);
        struct weir_scenario *scenario = weir_scenario_parse(twins, NULL, &error);
        struct weir_scenario *copy = scenario ? weir_scenario_copy(scenario, &error) : NULL;
        struct weir_result *result =
            copy ? weir_scenario_run_ops(copy, &part, "share=0.5", &error) : NULL;
        mem_fail_after(-1);
        succeeded = result;
        if (!succeeded)
            expect_text(&error, "out of memory");
        weir_result_free(result);
        weir_scenario_free(scenario);
        weir_scenario_free(copy);
    }
}

static void the_library_tells_its_version(void **state)
{
    (void)state;
    assert_int_equal(weir_simulate_abi(), WEIR_SIMULATE_ABI);
}

static void nothing_can_be_freed(void **state)
{
    (void)state;
    weir_result_free(NULL);
    weir_scenario_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_can_be_stopped),
        cmocka_unit_test(a_run_gives_the_measures_of_its_schedule),
        cmocka_unit_test(a_run_gives_every_application_in_order),
        cmocka_unit_test(every_listed_strategy_runs),
        cmocka_unit_test(the_platform_can_be_overridden),
        cmocka_unit_test(every_format_can_be_read),
        cmocka_unit_test(a_file_gives_what_its_text_gives),
        cmocka_unit_test(what_is_odd_is_told),
        cmocka_unit_test(the_seed_decides_all_draws),
        cmocka_unit_test(a_window_can_be_set_and_lifted),
        cmocka_unit_test(a_window_that_is_none_is_refused_and_changes_nothing),
        cmocka_unit_test(a_window_is_read_as_the_program_reads_it),
        cmocka_unit_test(a_copy_has_a_seed_and_a_window_of_its_own),
        cmocka_unit_test(strategies_know_what_they_are_told),
        cmocka_unit_test(logs_are_imported_as_by_the_program),
        cmocka_unit_test(more_fairness_leaves_no_more_efficiency),
        cmocka_unit_test(a_wrong_scenario_is_refused_with_its_line),
        cmocka_unit_test(a_platform_that_cannot_be_is_refused),
        cmocka_unit_test(a_strategy_of_ones_own_runs_with_its_parameters),
        cmocka_unit_test(a_strategy_that_breaks_a_rule_is_stopped),
        cmocka_unit_test(a_strategy_that_is_none_is_refused),
        cmocka_unit_test(running_out_of_memory_is_an_error_wherever_it_happens),
        cmocka_unit_test(the_library_tells_its_version),
        cmocka_unit_test(nothing_can_be_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "base/mem.h"
#include "capacity/capacity.h"
#include "gen/gen.h"
#include "sim/sim.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* A file system of 1 byte/s that every application can use alone: 9 s of work and 1 s of I/O, once.
 * Then m copies that are released together all post at 9 s. */
static struct scenario *make(uint32_t specs)
{
    static const char *const names[] = {"one", "two", "three"};
    struct scenario *scenario = scenario_new("test", specs);
    assert_non_null(scenario);
    scenario->platform = (struct platform){.node_bandwidth = 1, .bandwidth = 1};
    for (uint32_t i = 0; i < specs; i++) {
        struct app_spec *app = &scenario->apps[i];
        app->name = names[i];
        app->nodes = 1;
        app->work.mean = 9;
        app->io.mean = 1;
    }
    return scenario;
}

static struct capacity_found find(const struct capacity *capacity, const char *policy)
{
    struct err err = {0};
    struct capacity_found answer;
    struct policy *opened = policy_open(policy, &err);
    if (!opened || capacity_find(capacity, opened, &answer, &err) < 0)
        fail_msg("%s", err.text);
    policy_free(opened);
    return answer;
}

static struct capacity stretch_of(const struct scenario *scenario, uint32_t app, double limit)
{
    return (struct capacity){.scenario = scenario,
                             .app = app,
                             .measure = CAPACITY_max_stretch,
                             .limit = limit,
                             .most = 100};
}

static void expect(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9))
        fail_msg("%.17g is not %.17g", value, expected);
}

/* The last of m finishes at 9 + m, in the time of 10 alone: stretch (9 + m) / 10. */
static void copies_share_the_file_system_until_the_last_is_too_late(void **state)
{
    (void)state;
    struct scenario *scenario = make(1);
    struct capacity capacity = stretch_of(scenario, 0, 1.55);
    struct capacity_found answer = find(&capacity, "fair-share");
    assert_int_equal(answer.copies, 6);
    assert_int_equal(answer.end, CAPACITY_END_LIMIT);
    assert_int_equal(answer.again, 0);
    expect(answer.value, 1.5);
    expect(answer.next, 1.6);
    scenario_free(scenario);
}

static void a_limit_that_is_met_exactly_is_not_passed(void **state)
{
    (void)state;
    struct scenario *scenario = make(1);
    for (uint32_t copies = 1; copies <= 20; copies++) {
        struct capacity capacity = stretch_of(scenario, 0, (9.0 + copies) / 10);
        assert_int_equal(find(&capacity, "fcfs").copies, copies);
    }
    scenario_free(scenario);
}

/* Yield 10 / (9 + m) at the end; with one iteration it is the inverse of the dilation too. */
static void yield_and_dilation_are_limited_likewise(void **state)
{
    (void)state;
    struct scenario *scenario = make(1);
    struct capacity capacity = stretch_of(scenario, 0, 10 / 15.5);
    capacity.measure = CAPACITY_min_yield;
    struct capacity_found answer = find(&capacity, "fcfs");
    assert_int_equal(answer.copies, 6);
    expect(answer.value, 10.0 / 15);
    expect(answer.next, 10.0 / 16);
    capacity.measure = CAPACITY_dilation;
    capacity.limit = 1.55;
    assert_int_equal(find(&capacity, "fcfs").copies, 6);
    scenario_free(scenario);
}

static void the_number_in_the_scenario_does_not_matter(void **state)
{
    (void)state;
    struct scenario *scenario = make(1);
    scenario->apps[0].count = 40;
    struct capacity capacity = stretch_of(scenario, 0, 1.55);
    assert_int_equal(find(&capacity, "fair-share").copies, 6);
    assert_int_equal(scenario->apps[0].count, 40);
    scenario_free(scenario);
}

/* With 3 of "one" and 2 of "three" beside m of "two", 5 + m share: stretch (14 + m) / 10. */
static void the_others_take_their_part(void **state)
{
    (void)state;
    struct scenario *scenario = make(3);
    scenario->apps[0].count = 3;
    scenario->apps[2].count = 2;
    struct capacity capacity = stretch_of(scenario, 1, 1.75);
    struct capacity_found answer = find(&capacity, "fair-share");
    assert_int_equal(answer.copies, 3);
    expect(answer.value, 1.7);
    expect(answer.next, 1.8);
    scenario_free(scenario);
}

/* The five others have 1.4 together. */
static void without_a_copy_the_others_are_measured(void **state)
{
    (void)state;
    struct scenario *scenario = make(3);
    scenario->apps[0].count = 3;
    scenario->apps[2].count = 2;
    struct capacity capacity = stretch_of(scenario, 1, 1.3);
    struct capacity_found answer = find(&capacity, "fair-share");
    assert_int_equal(answer.copies, 0);
    expect(answer.value, 1.4);
    expect(answer.next, 1.5);
    scenario_free(scenario);
}

static void alone_there_is_nobody_to_measure_without_a_copy(void **state)
{
    (void)state;
    struct scenario *scenario = make(1);
    struct capacity capacity = {
        .scenario = scenario, .measure = CAPACITY_dilation, .limit = 1.2, .most = 100};
    scenario->window =
        (struct window){.kind = WINDOW_FIXED, .start = 0, .end = 5}; /* no iteration ends in it */
    struct capacity_found answer = find(&capacity, "fair-share");
    assert_int_equal(answer.copies, 0);
    assert_int_equal(answer.end, CAPACITY_END_LIMIT);
    assert_true(isnan(answer.value) && isnan(answer.next));
    scenario_free(scenario);
}

/* At 9.5 s three of equal share have moved 0.5 / 3 each: yield (9 + 0.5 / 3) / 9.5. */
static void inside_a_window_only_that_counts(void **state)
{
    (void)state;
    struct scenario *scenario = make(1);
    scenario->window = (struct window){.kind = WINDOW_FIXED, .start = 0, .end = 9.5};
    struct capacity capacity = {.scenario = scenario,
                                .measure = CAPACITY_min_yield,
                                .limit = (9 + 0.5 / 3.5) / 9.5,
                                .most = 100};
    struct capacity_found answer = find(&capacity, "fair-share");
    assert_int_equal(answer.copies, 3);
    expect(answer.value, (9 + 0.5 / 3) / 9.5);
    expect(answer.next, (9 + 0.5 / 4) / 9.5);
    scenario_free(scenario);
}

static uint32_t room_for(const struct scenario *scenario, uint32_t app)
{
    uint32_t copies;
    assert_int_equal(capacity_nodes(scenario, app, &copies), 0);
    return copies;
}

static void nodes_may_be_the_limit(void **state)
{
    (void)state;
    struct scenario *scenario = make(3);
    scenario->platform.nodes = 20;
    scenario->apps[0].count = 3;
    scenario->apps[1].nodes = 4;
    /* 20 - 3 - 1 leave room for 4 of 4 nodes: 8 share, 1.7. */
    assert_int_equal(room_for(scenario, 1), 4);
    struct capacity capacity = stretch_of(scenario, 1, 1.75);
    struct capacity_found answer = find(&capacity, "fair-share");
    assert_int_equal(answer.copies, 4);
    assert_int_equal(answer.end, CAPACITY_END_NODES);
    expect(answer.value, 1.7);
    assert_true(isnan(answer.next));
    /* As many as may be tried: it is still the nodes that end it. */
    capacity.most = 4;
    assert_int_equal(find(&capacity, "fair-share").end, CAPACITY_END_NODES);
    capacity.most = 3;
    assert_int_equal(find(&capacity, "fair-share").end, CAPACITY_END_MOST);
    capacity.most = 100;
    capacity.limit = 1.65;
    assert_int_equal(find(&capacity, "fair-share").copies, 3);
    assert_int_equal(find(&capacity, "fair-share").end, CAPACITY_END_LIMIT);
    scenario_free(scenario);
}

static void nodes_of_applications_that_come_later_are_free(void **state)
{
    (void)state;
    struct scenario *scenario = make(3);
    scenario->platform.nodes = 20;
    scenario->apps[0].nodes = 12;
    scenario->apps[2].nodes = 10;
    assert_int_equal(room_for(scenario, 1), 0); /* 12 + 10 nodes are more than there are */
    scenario->apps[2].release = 1e6;            /* 20 - 12 */
    assert_int_equal(room_for(scenario, 1), 8);
    scenario->apps[0].release = 1e6;
    assert_int_equal(room_for(scenario, 1), 20);
    scenario_free(scenario);
}

static void there_may_be_no_node_left(void **state)
{
    (void)state;
    struct scenario *scenario = make(2);
    scenario->platform.nodes = 20;
    scenario->apps[0].count = 30;
    assert_int_equal(room_for(scenario, 1), 0);
    struct capacity capacity = stretch_of(scenario, 1, 100);
    struct capacity_found answer = find(&capacity, "fair-share");
    assert_int_equal(answer.copies, 0);
    assert_int_equal(answer.end, CAPACITY_END_NODES);
    expect(answer.value, 3.9);
    scenario_free(scenario);
}

static void unknown_nodes_are_no_limit(void **state)
{
    (void)state;
    struct scenario *scenario = make(1);
    assert_int_equal(room_for(scenario, 0), UINT32_MAX);
    scenario->platform.nodes = 20;
    scenario->apps[0].nodes = 0;
    scenario->apps[0].bandwidth = 1;
    assert_int_equal(room_for(scenario, 0), UINT32_MAX);
    struct capacity capacity = stretch_of(scenario, 0, 4);
    capacity.most = 25;
    struct capacity_found answer = find(&capacity, "fair-share");
    assert_int_equal(answer.copies, 25);
    assert_int_equal(answer.end, CAPACITY_END_MOST);
    scenario_free(scenario);
}

/* The measure of the scenario as it stands. */
static double simulate(const struct scenario *scenario, const char *policy)
{
    struct err err = {0};
    struct policy *opened = policy_open(policy, &err);
    struct workload *workload = workload_realise(scenario, &err);
    struct weir_metrics metrics;
    if (!opened || !workload)
        fail_msg("%s", err.text);
    struct outcome *outcome = sim_run(workload, opened, NULL, &err);
    if (!outcome)
        fail_msg("%s", err.text);
    metrics_compute(workload, outcome, &metrics);
    outcome_free(outcome);
    workload_free(workload);
    policy_free(opened);
    return metrics.max_stretch;
}

/* Equals are served by index, so it matters that the copies stand where they did. */
static void the_values_are_those_of_a_scenario_with_so_many(void **state)
{
    (void)state;
    struct scenario *scenario = make(3);
    scenario->apps[0].work.mean = 2;
    scenario->apps[1].work.mean = 3;
    for (uint32_t i = 0; i < 3; i++)
        scenario->apps[i].iterations = 20 + i;
    for (uint32_t app = 0; app < 3; app++) {
        struct capacity capacity = stretch_of(scenario, app, 2.5);
        struct capacity_found answer = find(&capacity, "list:order=longest-io");
        assert_true(answer.copies > 1);
        scenario->apps[app].count = answer.copies;
        assert_true(simulate(scenario, "list:order=longest-io") == answer.value);
        scenario->apps[app].count = answer.copies + 1;
        assert_true(simulate(scenario, "list:order=longest-io") == answer.next);
        scenario->apps[app].count = 1;
    }
    scenario_free(scenario);
}

/* "one" has no I/O and disturbs nobody. "two" has lost 50 s before and finishes in the window, so
 * its yield is (50 + T) / (100 + T), where T is its time alone as drawn. */
static void others_are_drawn_alike_whatever_the_number(void **state)
{
    (void)state;
    struct scenario *scenario = make(2);
    scenario->seed = 7;
    scenario->apps[0].io.mean = 0;
    scenario->apps[1].noise_work = 0.5;
    scenario->apps[1].release = -100;
    scenario->apps[1].progress = 50;
    scenario->window = (struct window){.kind = WINDOW_FIXED, .start = 0, .end = 100};
    struct capacity capacity = {
        .scenario = scenario, .measure = CAPACITY_min_yield, .limit = 0.1, .most = 1};
    double one = find(&capacity, "fair-share").value;
    capacity.most = 30;
    assert_true(find(&capacity, "fair-share").value == one);
    scenario_free(scenario);
}

static void count_progress(void *context, uint32_t copies, double done)
{
    uint32_t *largest = context;
    assert_true(done >= 0 && done <= 1);
    *largest = copies > *largest ? copies : *largest;
}

static void progress_tells_how_many_are_being_simulated(void **state)
{
    (void)state;
    struct scenario *scenario = make(1);
    scenario->apps[0].iterations = 20000;
    uint32_t largest = 0;
    struct capacity capacity = stretch_of(scenario, 0, 1.05);
    capacity.most = 2;
    capacity.progress = count_progress;
    capacity.context = &largest;
    find(&capacity, "fcfs");
    assert_int_equal(largest, 2);
    scenario_free(scenario);
}

/* Two that work 9 s and transfer 1 s need 20 s alone; a plan has room for ten such side by side. */
static void a_plan_is_made_for_every_number(void **state)
{
    (void)state;
    struct scenario *scenario = make(1);
    scenario->apps[0].iterations = 50;
    struct capacity capacity = {
        .scenario = scenario, .measure = CAPACITY_dilation, .limit = 1.2, .most = 4};
    struct capacity_found answer = find(&capacity, "plan:objective=dilation");
    assert_int_equal(answer.copies, 4);
    assert_int_equal(answer.end, CAPACITY_END_MOST);
    scenario_free(scenario);
}

static void a_simulation_that_fails_says_which(void **state)
{
    (void)state;
    struct err err = {0};
    struct scenario *scenario = make(1);
    struct capacity capacity = stretch_of(scenario, 0, 1.5);
    struct capacity_found answer;
    scenario->apps[0].io.mean = 0; /* nothing to plan */
    struct policy *policy = policy_open("plan", &err);
    assert_non_null(policy);
    assert_int_equal(capacity_find(&capacity, policy, &answer, &err), -1);
    assert_memory_equal(err.text, "plan: 1 of 'one': ", 18);
    policy_free(policy);
    scenario_free(scenario);
}

static void memory_that_runs_out_is_an_error(void **state)
{
    (void)state;
    struct err err = {0};
    struct scenario *scenario = make(2);
    struct capacity capacity = stretch_of(scenario, 0, 1.25);
    struct policy *policy = policy_open("fcfs", &err);
    struct capacity_found answer;
    long n = 0;
    for (;; n++) {
        mem_fail_after(n);
        int status = capacity_find(&capacity, policy, &answer, &err);
        mem_fail_after(-1);
        if (status == 0)
            break;
        assert_non_null(strstr(err.text, "out of memory"));
    }
    assert_true(n > 10);
    assert_int_equal(answer.copies, 2);
    policy_free(policy);
    scenario_free(scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_share_the_file_system_until_the_last_is_too_late),
        cmocka_unit_test(a_limit_that_is_met_exactly_is_not_passed),
        cmocka_unit_test(yield_and_dilation_are_limited_likewise),
        cmocka_unit_test(the_number_in_the_scenario_does_not_matter),
        cmocka_unit_test(the_others_take_their_part),
        cmocka_unit_test(without_a_copy_the_others_are_measured),
        cmocka_unit_test(alone_there_is_nobody_to_measure_without_a_copy),
        cmocka_unit_test(inside_a_window_only_that_counts),
        cmocka_unit_test(nodes_may_be_the_limit),
        cmocka_unit_test(nodes_of_applications_that_come_later_are_free),
        cmocka_unit_test(there_may_be_no_node_left),
        cmocka_unit_test(unknown_nodes_are_no_limit),
        cmocka_unit_test(the_values_are_those_of_a_scenario_with_so_many),
        cmocka_unit_test(others_are_drawn_alike_whatever_the_number),
        cmocka_unit_test(progress_tells_how_many_are_being_simulated),
        cmocka_unit_test(a_plan_is_made_for_every_number),
        cmocka_unit_test(a_simulation_that_fails_says_which),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "base/mem.h"
#include "common.h"
#include "gen/gen.h"
#include "metric/measure.h"
#include "trial/planned.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void run(const struct trial *trial, struct row *row)
{
    struct err err;
    if (trial_run(trial, row, &err) < 0)
        fail_msg("%s", err.text);
}

/* --- what the program prints ------------------------------------------------------------------ */

/* The value of the next member of this name, after which reading continues. */
static const char *member(const char **at, const char *name)
{
    char key[64];
    snprintf(key, sizeof key, "\"%s\": ", name);
    const char *found = strstr(*at, key);
    if (!found)
        fail_msg("no %s in %.40s...", name, *at);
    return *at = found + strlen(key);
}

static void expect_text(const char **at, const char *name, const char *expected)
{
    const char *value = member(at, name);
    size_t length = strlen(expected);
    if (*value != '"' || strncmp(value + 1, expected, length) != 0 || value[1 + length] != '"')
        fail_msg("%s is %.40s, not %s", name, value, expected);
}

static void expect_number(const char **at, const char *name, double expected)
{
    const char *value = member(at, name);
    if (strncmp(value, "null", 4) == 0 ? isfinite(expected) : strtod(value, NULL) != expected)
        fail_msg("%s is %.20s, not %.17g", name, value, expected);
}

static void expect_printed(const char *text, const struct row *row)
{
    expect_text(&text, "weir", row->made.version);
    expect_text(&text, "scenario", row->made.scenario);
    expect_number(&text, "seed", (double)row->made.seed);
    expect_number(&text, "nodes", row->made.platform.nodes);
    expect_number(&text, "node_bandwidth", row->made.platform.node_bandwidth);
    expect_number(&text, "bandwidth", row->made.platform.bandwidth);
    expect_text(&text, "policy", row->policy);
    for (size_t i = 0; i < MEASURE_COUNT; i++)
        expect_number(&text, measures[i].name, measure_of(&measures[i], &row->metrics));
    for (uint32_t id = 0; id < row->count; id++) {
        expect_text(&text, "name", row->apps[id].name);
        expect_number(&text, "nodes", row->apps[id].nodes);
        for (size_t i = 0; i < APP_MEASURE_COUNT; i++)
            expect_number(&text, app_measures[i].name,
                          measure_of_app(&app_measures[i], &row->apps[id]));
    }
    assert_null(strstr(text, "\"name\": "));
}

static char *print_json(const char *example, const char *policy)
{
    enum { MOST = 1 << 20 };
    char command[1024], *text = mem_alloc(MOST, 1);
    snprintf(command, sizeof command, "%s simulate %s/examples/%s.yaml --policy %s --json",
             getenv("WEIR"), WEIR_SOURCE_DIR, example, policy);
    FILE *out = popen(command, "r");
    assert_non_null(out);
    size_t length = fread(text, 1, MOST - 1, out);
    assert_true(length > 0 && length < MOST - 1);
    assert_int_equal(pclose(out), 0);
    return text;
}

static void a_row_is_what_the_program_prints(void **state)
{
    (void)state;
    static const char *const runs[][2] = {{"quickstart", "fcfs"},
                                          {"noisy", "fair-share"},
                                          {"jupiter1", "look-ahead-greedy-yield"},
                                          {"jupiter1", "apio"}};
    if (!getenv("WEIR"))
        skip();
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        struct scenario *scenario = open_example(runs[i][0]);
        struct policy *policy = open_policy(runs[i][1]);
        struct row row;
        run(&(struct trial){.scenario = scenario, .policy = policy}, &row);
        assert_true(row.hash == scenario_hash(scenario));
        policy_free(policy);
        scenario_free(scenario); /* the row lives on */
        char *text = print_json(runs[i][0], runs[i][1]);
        expect_printed(text, &row);
        free(text);
        row_fini(&row);
    }
}

/* --- what may be given ------------------------------------------------------------------------ */

static void a_workload_and_a_plan_that_are_given_make_no_difference(void **state)
{
    (void)state;
    struct err err = {0};
    struct scenario *scenario = open_example("jupiter1");
    struct policy *policy = open_policy("plan");
    struct workload *workload = workload_realise(scenario, &err);
    struct plan *plan = trial_plan(workload, policy, NULL, &err);
    if (!plan)
        fail_msg("%s", err.text);
    struct row row, given;
    run(&(struct trial){.scenario = scenario, .policy = policy}, &row);
    run(&(struct trial){.workload = workload, .policy = policy, .options = {.plan = plan}}, &given);
    expect_same(&given, &row);
    row_fini(&row);
    row_fini(&given);
    plan_free(plan);
    workload_free(workload);
    policy_free(policy);
    scenario_free(scenario);
}

static void another_seed_changes_the_row_but_not_the_hash(void **state)
{
    (void)state;
    struct scenario *scenario = open_example("noisy");
    struct policy *policy = open_policy("fcfs");
    struct row first, second;
    run(&(struct trial){.scenario = scenario, .policy = policy}, &first);
    scenario->seed++;
    run(&(struct trial){.scenario = scenario, .policy = policy}, &second);
    assert_true(second.made.seed == first.made.seed + 1 && second.hash == first.hash);
    assert_true(second.metrics.makespan != first.metrics.makespan);
    row_fini(&first);
    row_fini(&second);
    policy_free(policy);
    scenario_free(scenario);
}

/* --- failures --------------------------------------------------------------------------------- */

static void expect_failure(const struct scenario *scenario, const char *name, const char *text)
{
    struct err err = {0};
    struct row row;
    struct policy *policy = open_policy(name);
    const struct trial trial = {.scenario = scenario, .policy = policy};
    assert_int_equal(trial_run(&trial, &row, &err), -1);
    assert_string_equal(err.text, text);
    assert_true(!row.apps && !row.policy && row.count == 0);
    policy_free(policy);
}

static void a_plan_file_that_is_missing_is_an_error(void **state)
{
    (void)state;
    struct scenario *scenario = open_example("jupiter1");
    expect_failure(scenario, "plan:file=no/such/plan.json",
                   "cannot read 'no/such/plan.json': No such file or directory");
    scenario_free(scenario);
}

static void a_window_that_cannot_be_is_an_error(void **state)
{
    (void)state;
    struct scenario *scenario = open_example("quickstart");
    scenario->window = (struct window){.kind = WINDOW_FIXED, .start = 5, .end = 5};
    struct err expected;
    assert_int_equal(window_validate(&scenario->window, &expected), -1);
    expect_failure(scenario, "fcfs", expected.text);
    scenario_free(scenario);
}

/* The number of allocations that were made to fail, one after the other. */
static int fail_each(const struct trial *trial)
{
    for (int n = 0;; n++) {
        struct err err = {0};
        struct row row;
        mem_fail_after(n);
        int status = trial_run(trial, &row, &err);
        mem_fail_after(-1);
        if (status < 0) {
            assert_string_equal(err.text, "out of memory");
            assert_true(!row.apps && row.count == 0);
            continue;
        }
        row_fini(&row);
        return n;
    }
}

static void every_failing_allocation_is_reported(void **state)
{
    (void)state;
    static const char *const names[] = {"fcfs", "fair-share", "plan", "apio"};
    struct scenario *scenario = open_twins();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct policy *policy = open_policy(names[i]);
        struct timeline timeline = {0};
        struct trial trial = {.scenario = scenario, .policy = policy};
        int plain = fail_each(&trial);
        assert_true(plain > 10); /* workload, window, controller, outcome, row */
        trial.options = (struct sim_options){.check = true, .timeline = &timeline};
        assert_true(fail_each(&trial) > plain);
        timeline_fini(&timeline);
        policy_free(policy);
    }
    scenario_free(scenario);
}

static void rows_own_what_is_added_also_when_that_fails(void **state)
{
    (void)state;
    struct scenario *scenario = open_example("quickstart");
    struct policy *policy = open_policy("fcfs");
    struct rows rows = {0};
    struct row row;
    struct err err = {0};
    run(&(struct trial){.scenario = scenario, .policy = policy}, &row);
    mem_fail_after(0);
    assert_int_equal(rows_add(&rows, &row, &err), -1);
    mem_fail_after(-1);
    assert_string_equal(err.text, "out of memory");
    assert_null(row.apps);
    run(&(struct trial){.scenario = scenario, .policy = policy}, &row);
    assert_int_equal(rows_add(&rows, &row, &err), 0);
    assert_int_equal(rows.count, 1);
    rows_fini(&rows);
    policy_free(policy);
    scenario_free(scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_is_what_the_program_prints),
        cmocka_unit_test(a_workload_and_a_plan_that_are_given_make_no_difference),
        cmocka_unit_test(another_seed_changes_the_row_but_not_the_hash),
        cmocka_unit_test(a_plan_file_that_is_missing_is_an_error),
        cmocka_unit_test(a_window_that_cannot_be_is_an_error),
        cmocka_unit_test(every_failing_allocation_is_reported),
        cmocka_unit_test(rows_own_what_is_added_also_when_that_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <weir/simulate.h>

#include <cmocka.h>

/* An application that can use half of the file system: two copies run undisturbed. */
static const char halves[] = "platform: {nodes: 8, node_bandwidth: 5, bandwidth: 10}\n"
                             "applications:\n"
                             "  - {name: half, nodes: 1, work: 1, io: 5, iterations: 4}\n";

static struct weir_scenario *scenario;

static int set_up(void **state)
{
    (void)state;
    scenario = weir_scenario_parse(halves, NULL, NULL);
    return scenario ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    weir_scenario_free(scenario);
    return 0;
}

static struct weir_answer *ask(const char *name, const char *const *words, struct weir_error *error)
{
    const struct weir_scenario *const scenarios[] = {scenario, NULL};
    const struct weir_question question = {.name = name, .scenarios = scenarios, .words = words};
    return weir_ask(&question, error);
}

static void an_answer_has_its_members(void **state)
{
    static const char *const words[] = {"--max-stretch=1", "--policy=fcfs", "--policy",
                                        "fair-share", NULL};
    struct weir_error error = {""};
    struct weir_answer *answer = ask("capacity", words, &error);
    (void)state;
    if (!answer)
        fail_msg("%s", error.text);
    assert_string_equal(weir_answer_text(answer, "application"), "half");
    assert_int_equal(weir_answer_count(answer, "strategies"), 2);
    assert_string_equal(weir_answer_text(answer, "strategies[0].policy"), "fcfs");
    assert_true(weir_answer_number(answer, "strategies[1].copies") == 2);
    assert_true(weir_answer_number(answer, "platform.bandwidth") == 10);
    assert_true(isnan(weir_answer_number(answer, "application")));
    assert_null(weir_answer_text(answer, "limit"));
    assert_int_equal(weir_answer_count(answer, "limit"), 0);
    char *text = weir_answer_json(answer, &error);
    assert_non_null(strstr(text, "\"measure\":\"max_stretch\",\"limit\":1,"));
    weir_text_free(text);
    weir_answer_free(answer);
}

static void expect_refusal(const char *name, const char *const *words, const char *text)
{
    struct weir_error error = {""};
    assert_null(ask(name, words, &error));
    assert_string_equal(error.text, text);
}

static void a_wrong_question_is_refused(void **state)
{
    (void)state;
    expect_refusal("capacit", NULL, "unknown question 'capacit', did you mean 'capacity'?");
    expect_refusal("capacity", (const char *const[]){"--max-stretch=1", "--json", NULL},
                   "capacity: --json: an answer of the library is data");
    expect_refusal("capacity", (const char *const[]){"--help", NULL},
                   "capacity: --help: an answer of the library is data");
    expect_refusal("capacity", (const char *const[]){"--max-stretch=1", "--most=0", NULL},
                   "capacity: --most: expected 1 to 134217728");
    expect_refusal("capacity", (const char *const[]){"another.yaml", "--max-stretch=1", NULL},
                   "capacity: unexpected argument 'another.yaml'");
    expect_refusal("capacity", (const char *const[]){"--max-stretch=1", "--nodes=4", NULL},
                   "--nodes: the scenario is not read from a file");
    expect_refusal("blame", (const char *const[]){"--journal", NULL},
                   "--journal: the scenario is not read from a file");
}

/* "bound" has no function of its own in Python, where the others are compared with the program. */
static void a_bound_is_that_of_the_scenario(void **state)
{
    static const char *const words[] = {"--window=auto", "--min-yield=0.5", "--policy=fcfs", NULL};
    struct weir_error error = {""};
    struct weir_metrics bound;
    struct weir_answer *answer = ask("bound", words, &error);
    struct weir_scenario *windowed = weir_scenario_copy(scenario, &error);
    (void)state;
    if (!answer || !windowed)
        fail_msg("%s", error.text);
    weir_scenario_set_auto_window(windowed);
    assert_int_equal(weir_scenario_bound(windowed, &bound, &error), 0);
    assert_int_equal(weir_answer_count(answer, "bound"), 2);
    assert_true(weir_answer_number(answer, "bound.min_yield") == bound.min_yield);
    assert_true(weir_answer_number(answer, "given.min_yield") == 0.5);
    assert_string_equal(weir_answer_text(answer, "runs[0].policy"), "fcfs");
    assert_true(weir_answer_number(answer, "runs[0].metrics.efficiency") > 0);
    assert_true(isnan(weir_answer_number(answer, "optimum.bound")));
    weir_scenario_free(windowed);
    weir_answer_free(answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_has_its_members),
        cmocka_unit_test(a_wrong_question_is_refused),
        cmocka_unit_test(a_bound_is_that_of_the_scenario),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

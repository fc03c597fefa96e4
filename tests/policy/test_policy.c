#include "base/mem.h"
#include "policy/policy.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct policy *open_well(const char *text)
{
    struct err err;
    struct policy *policy = policy_open(text, &err);
    if (!policy)
        fail_msg("%s", err.text);
    assert_string_equal(policy->name, text);
    return policy;
}

/* The index of a parameter of a strategy. */
static int find(const struct policy *policy, const char *name)
{
    int i = 0;
    while (strcmp(policy->ops->params[i].name, name) != 0)
        i++;
    return i;
}

static void expect_param(const char *text, const char *param, double expected)
{
    struct policy *policy = open_well(text);
    double value = policy->params[find(policy, param)];
    if (!(value == expected || (isnan(value) && isnan(expected))))
        fail_msg("%s: %s is %g, not %g", text, param, value, expected);
    policy_free(policy);
}

/* The message names the whole text and says this. */
static void expect_error(const char *text, const char *says)
{
    struct err err = {0};
    struct policy *policy = policy_open(text, &err);
    if (policy)
        fail_msg("'%s' was accepted", text);
    char name[128];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
    if (!strstr(err.text, says) || !strstr(err.text, name))
        fail_msg("'%s': %s", text, err.text);
    assert_null(strchr(err.text, '\n'));
}

static void a_parameter_has_its_default_unless_given(void **state)
{
    (void)state;
    expect_param("min-max", "gamma", 0.5);
    expect_param("min-max", "priority", 0);
    expect_param("min-max:gamma=0.25", "gamma", 0.25);
    expect_param("min-max:gamma=0.25", "priority", 0);
    expect_param("min-max:gamma=0.25,priority", "priority", 1);
    expect_param("min-max:priority,gamma=.75", "gamma", 0.75);
    expect_param("min-max:gamma=1e-1", "gamma", 0.1);
    expect_param("min-max", "key", 0);
    expect_param("min-max:key=slides", "key", 1);
    expect_param("max-syseff:priority,key=apio", "key", 0);
    expect_param("groups", "lend", 1);
    expect_param("groups:lend=off", "lend", 0);
    expect_param("list", "order", 0);
    expect_param("list:order=lowest-id", "order", 1);
    expect_param("list:order=johnson", "order", 9);
    expect_param("periodic:order=most-remaining", "order", 2);
    expect_param("floor", "level", NAN);
    expect_param("floor:level=auto", "level", NAN);
    expect_param("floor:level=0.9", "level", 0.9);
    expect_param("periodic-greedy-yield", "delta", NAN);
    expect_param("periodic-greedy-yield:delta=20", "delta", 20);
    expect_param("best-next-event", "topup", 1);
    expect_param("best-next-event:topup=off", "topup", 0);
    expect_param("best-next-event:topup=on", "topup", 1);
    expect_param("min-max:priority=off", "priority", 0);
}

static void names_that_papers_use_are_aliases(void **state)
{
    (void)state;
    struct policy *policy = open_well("round-robin");
    assert_string_equal(policy->ops->name, "fcfs");
    policy_free(policy);
    policy = open_well("look-ahead");
    assert_string_equal(policy->ops->name, "look-ahead-greedy-yield");
    policy_free(policy);
    expect_param("round-robin:priority", "priority", 1);
}

static void a_misspelt_word_is_an_error_that_suggests_the_nearest(void **state)
{
    (void)state;
    expect_error("fair-shar", "did you mean 'fair-share'?");
    expect_error("Greedy-Yeild", "did you mean 'greedy-yield'?");
    expect_error("min-max:gama=0.5", "did you mean 'gamma'?");
    expect_error("list:order=fifi", "did you mean 'fifo'");
    expect_error("list:order=longest", "'longest'");
    expect_error("something-else-entirely", "unknown strategy 'something-else-entirely'");
    expect_error("", "unknown strategy ''");
    expect_error(":", "unknown strategy ''");
}

static void a_parameter_that_does_not_exist_is_an_error(void **state)
{
    (void)state;
    expect_error("fair-share:x=1", "there are no parameters, got 'x'");
    expect_error("floor:quantile=1", "unknown parameter 'quantile', expected level");
    expect_error("min-max:zzz", "unknown parameter 'zzz', expected priority");
    expect_error("min-max:", "unknown parameter ''");
    expect_error("min-max:gamma=0.5,", "unknown parameter ''");
}

static void a_parameter_that_is_given_twice_is_an_error(void **state)
{
    (void)state;
    expect_error("floor:level=0.5,level=0.6", "strategy 'floor:level=0.5,level=0.6': "
                                              "parameter 'level' is given twice");
    expect_error("fcfs:priority,priority", "parameter 'priority' is given twice");
}

static void an_error_quotes_a_name_once(void **state)
{
    (void)state;
    const char *const names[] = {"zzz", "latest.so"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct err err = {0};
        assert_null(policy_open(names[i], &err));
        const char *first = strstr(err.text, names[i]);
        assert_non_null(first);
        assert_null(strstr(err.text, "strategy 'latest"));
        assert_null(strstr(first + 1, "'zzz'"));
    }
}

static void a_value_that_makes_no_sense_is_an_error(void **state)
{
    (void)state;
    expect_error("min-max:gamma", "parameter 'gamma' needs a value: 'min-max:gamma=...'");
    expect_error("min-max:gamma=", "parameter 'gamma' needs a value");
    expect_error("min-max:gamma=half", "expected a number, got 'half'");
    expect_error("min-max:gamma=0.5s", "expected a number, got '0.5s'");
    expect_error("min-max:gamma=auto", "expected a number, got 'auto'");
    expect_error("floor:level=automatic", "expected a number or 'auto', got 'automatic'");
    expect_error("min-max:gamma=1.5", "expected a number from 0 to 1, got '1.5'");
    expect_error("min-max:gamma=-0.1", "expected a number from 0 to 1, got '-0.1'");
    expect_error("min-max:gamma=nan", "expected a number");
    expect_error("periodic-greedy-yield:delta=0", "expected a number from 1e-09");
    expect_error("periodic-greedy-yield:delta=inf", "expected a number");
    expect_error("periodic-greedy-yield:delta=1e999", "expected a number");
    expect_error("min-max:priority=1", "parameter 'priority': unknown choice '1'");
    expect_error("min-max:priority=", "parameter 'priority' needs a value");
}

static void a_text_is_kept_as_it_is_written(void **state)
{
    (void)state;
    struct policy *policy = open_well("plan");
    int file = policy_param(policy, "file");
    assert_true(file >= 0 && policy_param(policy, "files") < 0);
    assert_null(policy->texts[file]);
    policy_free(policy);
    policy = open_well("plan:file=../a b=c.json,objective=dilation");
    assert_string_equal(policy->texts[file], "../a b=c.json");
    assert_true(policy->params[policy_param(policy, "objective")] == 1);
    policy_free(policy);
    expect_error("plan:file=x,file=y", "parameter 'file' is given twice");
    expect_error("plan:file=", "parameter 'file' needs a value");
    expect_error("plan:file", "parameter 'file' needs a value");
    expect_error("plan:objective=makespan", "unknown choice 'makespan'");
}

static void a_plug_in_that_cannot_be_loaded_is_an_error(void **state)
{
    (void)state;
    expect_error("./there-is-no-such.so", "plug-in './there-is-no-such.so' cannot be loaded");
    expect_error("/dev/null", "cannot be loaded");
    expect_error("./none.so:x=1", "plug-in './none.so' cannot be loaded");
}

static void decide(void *state, const struct weir_view *view, struct weir_grants *grants)
{
    (void)state;
    (void)view;
    (void)grants;
}

static void a_strategy_at_hand_is_wrapped_if_it_fits(void **state)
{
    (void)state;
    static const struct weir_param params[] = {
        {.name = "size", .kind = WEIR_PARAM_NUMBER, .initial = 3, .high = 9, .help = "a number"},
        {.name = NULL}};
    struct weir_policy_ops ops = {
        .abi = WEIR_POLICY_ABI, .name = "mine", .params = params, .decide = decide};
    struct err err = {0};
    struct policy *policy = policy_wrap(&ops, NULL, &err);
    assert_string_equal(policy->name, "mine");
    assert_true(policy->ops == &ops && policy->params[0] == 3);
    policy_free(policy);
    policy = policy_wrap(&ops, "size=5", &err);
    assert_true(policy->params[0] == 5);
    policy_free(policy);
    assert_null(policy_wrap(&ops, "size=10", &err));
    assert_non_null(strstr(err.text, "expected a number from 0 to 9, got '10'"));
    ops.decide = NULL;
    assert_null(policy_wrap(&ops, NULL, &err));
    assert_non_null(strstr(err.text, "lacks a name or a decide function"));
    ops.abi++;
    assert_null(policy_wrap(&ops, NULL, &err));
    assert_non_null(strstr(err.text, "version 7 of the strategy interface, not 6"));
}

static void a_choice_without_choices_is_refused(void **state)
{
    (void)state;
    static const char *const none[] = {NULL};
    static const struct weir_param without[] = {{.name = "order", .kind = WEIR_PARAM_CHOICE},
                                                {.name = NULL}};
    static const struct weir_param empty[] = {
        {.name = "order", .kind = WEIR_PARAM_CHOICE, .choices = none}, {.name = NULL}};
    struct weir_policy_ops ops = {.abi = WEIR_POLICY_ABI, .name = "mine", .decide = decide};
    struct err err = {0};
    ops.params = without;
    assert_null(policy_wrap(&ops, "order=x", &err));
    assert_string_equal(err.text, "the given strategy has a parameter 'order' without choices");
    ops.params = empty;
    assert_null(policy_wrap(&ops, "order=x", &err));
}

static void every_strategy_says_what_it_is(void **state)
{
    (void)state;
    for (int i = 0; policy_registry[i]; i++) {
        const struct weir_policy_ops *ops = policy_registry[i];
        assert_int_equal(ops->abi, WEIR_POLICY_ABI);
        assert_non_null(ops->name);
        assert_non_null(ops->decide);
        assert_true(ops->summary && strlen(ops->summary) > 10);
        assert_true(ops->paper && strlen(ops->paper) > 3);
        assert_int_equal(strspn(ops->name, "abcdefghijklmnopqrstuvwxyz0123456789-"),
                         strlen(ops->name));
        for (int j = 0; j < i; j++)
            assert_string_not_equal(ops->name, policy_registry[j]->name);
        policy_free(open_well(ops->name));
    }
}

static void every_parameter_says_what_it_is(void **state)
{
    (void)state;
    for (int i = 0; policy_registry[i]; i++) {
        int count = 0;
        for (const struct weir_param *p = policy_registry[i]->params; p && p->name; p++, count++) {
            assert_true(p->help && strlen(p->help) > 10);
            if (p->kind == WEIR_PARAM_CHOICE)
                assert_true(p->choices && p->choices[0] && p->initial == 0);
            if (p->kind == WEIR_PARAM_NUMBER)
                assert_true(isnan(p->initial) || (p->low <= p->initial && p->initial <= p->high));
            if (p->kind == WEIR_PARAM_FLAG)
                assert_true(p->initial == 0 || p->initial == 1);
        }
        assert_true(count <= POLICY_MAX_PARAMS);
    }
}

/* Whether "all" has this text, or one that begins with it and a colon. */
static bool is_in_all(const char *text)
{
    size_t length = strlen(text);
    for (int i = 0; policy_all[i]; i++)
        if (strncmp(policy_all[i], text, length) == 0 &&
            (policy_all[i][length] == '\0' || policy_all[i][length] == ':'))
            return true;
    return false;
}

static void all_has_every_strategy_and_every_order(void **state)
{
    (void)state;
    for (int i = 0; policy_registry[i]; i++) {
        const struct weir_policy_ops *ops = policy_registry[i];
        assert_true(is_in_all(ops->name) == !(ops->flags & WEIR_NEEDS_PLAN));
        for (const struct weir_param *p = ops->params; p && p->name; p++)
            for (int c = 0; strcmp(p->name, "order") == 0 && p->choices[c]; c++) {
                char text[64];
                snprintf(text, sizeof(text), "%s:order=%s", ops->name, p->choices[c]);
                assert_true(is_in_all(text));
            }
    }
    for (int i = 0; policy_all[i]; i++) {
        policy_free(open_well(policy_all[i]));
        for (int j = 0; j < i; j++)
            assert_string_not_equal(policy_all[i], policy_all[j]);
    }
}

static void a_failing_allocation_is_an_error(void **state)
{
    (void)state;
    long n = 0;
    for (struct policy *policy = NULL; !policy; n++) {
        struct err err = {0};
        mem_fail_after(n);
        policy = policy_open("plan:objective=dilation,file=x", &err);
        mem_fail_after(-1);
        if (!policy)
            assert_non_null(strstr(err.text, "out of memory"));
        policy_free(policy);
    }
    assert_true(n > 1);
    policy_free(NULL);
}

static void keys_that_differ_by_rounding_go_by_their_ids(void **state)
{
    (void)state;
    assert_true(weir_before(1, 7, 1 + 1e-11, 2));
    assert_false(weir_before(1, 7, 1 + 1e-13, 2));
    assert_true(weir_before(1 + 1e-13, 2, 1, 7));
    assert_true(weir_before(0, 1, 0, 2) && !weir_before(0, 2, 0, 1));
    /* Infinite keys are equal to each other, and to nothing else. */
    assert_true(weir_before(1, 7, INFINITY, 2) && !weir_before(INFINITY, 2, 1, 7));
    assert_true(weir_before(-INFINITY, 7, 1, 2) && !weir_before(1, 2, -INFINITY, 7));
    assert_true(weir_before(INFINITY, 2, INFINITY, 7) && !weir_before(INFINITY, 7, INFINITY, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_that_differ_by_rounding_go_by_their_ids),
        cmocka_unit_test(a_parameter_has_its_default_unless_given),
        cmocka_unit_test(names_that_papers_use_are_aliases),
        cmocka_unit_test(a_misspelt_word_is_an_error_that_suggests_the_nearest),
        cmocka_unit_test(a_parameter_that_does_not_exist_is_an_error),
        cmocka_unit_test(a_parameter_that_is_given_twice_is_an_error),
        cmocka_unit_test(an_error_quotes_a_name_once),
        cmocka_unit_test(a_value_that_makes_no_sense_is_an_error),
        cmocka_unit_test(a_text_is_kept_as_it_is_written),
        cmocka_unit_test(a_plug_in_that_cannot_be_loaded_is_an_error),
        cmocka_unit_test(a_strategy_at_hand_is_wrapped_if_it_fits),
        cmocka_unit_test(a_choice_without_choices_is_refused),
        cmocka_unit_test(every_strategy_says_what_it_is),
        cmocka_unit_test(every_parameter_says_what_it_is),
        cmocka_unit_test(all_has_every_strategy_and_every_order),
        cmocka_unit_test(a_failing_allocation_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What changes while the controller runs. */
#include "base/mem.h"
#include "support/stage.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* A controller with the applications a and b of one user. */
static void open_pair(struct stage *stage, const char *policy, struct seat *a, struct seat *b)
{
    stage_open(stage, policy);
    *a = stage_attach(stage, 1, "a", 1);
    *b = stage_attach(stage, 1, "b", 2);
}

static int change(struct stage *stage, struct wire_set message, const char *text, struct err *err)
{
    message.app = WIRE_ALL;
    snprintf(message.text, sizeof message.text, "%s", text);
    int status = controller_set(stage->channel.controller, stage->now, &message, err);
    channel_settle(&stage->channel, stage->now);
    return status;
}

static int set(struct stage *stage, enum wire_setting setting, double value, const char *text,
               struct err *err)
{
    return change(stage, (struct wire_set){.setting = setting, .value = value}, text, err);
}

static int unset(struct stage *stage, enum wire_setting setting, const char *text, struct err *err)
{
    return change(stage, (struct wire_set){.setting = setting, .unset = 1}, text, err);
}

static void the_strategy_changes_under_running_ios(void **state)
{
    (void)state;
    struct stage stage;
    struct err err = {0};
    struct seat a, b;
    open_pair(&stage, "fair-share", &a, &b);
    stage_begin(&stage, &a, 500);
    stage_enter(&stage, &a, 500);
    stage_pass(&stage, 0.01);
    stage_begin(&stage, &b, 500);
    assert_true(stage_rate(&a) == 50 && stage_rate(&b) == 50);
    assert_int_equal(set(&stage, WIRE_SET_POLICY, 0, "fcfs", &err), 0);
    assert_true(stage_rate(&a) == 100 && stage_rate(&b) == 0);
    struct wire_status status;
    controller_report(stage.channel.controller, stage.now, &status);
    assert_string_equal(status.policy, "fcfs");
    assert_true(status.granted == 100);

    assert_int_equal(set(&stage, WIRE_SET_POLICY, 0, "fcsf", &err), -1);
    assert_non_null(strstr(err.text, "fcfs")); /* what was meant */
    assert_int_equal(set(&stage, WIRE_SET_POLICY, 0, "plan", &err), -1);
    assert_non_null(strstr(err.text, "follows a plan"));
    assert_true(stage_rate(&a) == 100 && stage_rate(&b) == 0);
    stage_close(&stage);
}

static void another_max_wait_reaches_running_applications(void **state)
{
    (void)state;
    struct stage stage;
    struct err err = {0};
    stage_open(&stage, "fair-share");
    struct seat a = stage_attach(&stage, 1, "a", 1);
    struct service next = stage.service;
    next.max_wait = 7;
    assert_int_equal(channel_reload(&stage.channel, stage.now, &next, &err), 0);
    assert_int_equal(a.app->pages.grant->patience, 7000000000u);
    struct seat b = stage_attach(&stage, 1, "b", 2);
    assert_int_equal(b.app->pages.last.patience, 7000000000u);
    stage_close(&stage);
}

static void the_bandwidth_changes(void **state)
{
    (void)state;
    struct stage stage;
    struct err err = {0};
    struct seat a, b;
    open_pair(&stage, "fair-share", &a, &b);
    stage_begin(&stage, &a, 500);
    stage_begin(&stage, &b, 500);
    assert_int_equal(set(&stage, WIRE_SET_BANDWIDTH, 300, "", &err), 0);
    assert_true(stage_rate(&a) == 150 && stage_rate(&b) == 150);
    assert_true(stage_describe(&stage, &a).bmax == 300);
    assert_int_equal(set(&stage, WIRE_SET_BANDWIDTH, NAN, "", &err), -1);
    stage_close(&stage);
}

static bool is_off(struct stage *stage)
{
    struct wire_status status;
    controller_report(stage->channel.controller, stage->now, &status);
    return status.off;
}

static void without_a_bandwidth_everything_runs_uncontrolled(void **state)
{
    (void)state;
    struct stage stage;
    struct err err = {0};
    struct page_grant grant;
    struct seat a, b;
    open_pair(&stage, "fcfs", &a, &b);
    assert_int_equal(set(&stage, WIRE_SET_OPS, 200, "", &err), 0);
    stage_begin(&stage, &a, 500);
    stage_begin(&stage, &b, 500);
    assert_int_equal(set(&stage, WIRE_SET_BANDWIDTH, 0, "", &err), 0);
    assert_true(is_off(&stage));
    struct seat c = stage_attach(&stage, 1, "c", 3);
    stage_begin(&stage, &c, 500);
    assert_true(stage_rate(&a) == -1 && stage_rate(&b) == -1 && stage_rate(&c) == -1);
    page_read(a.app->pages.grant, &grant);
    assert_true(grant.ops.rate == 0);
    stage_end(&stage, &c);
    assert_true(stage_rate(&c) == -1);
    assert_int_equal(set(&stage, WIRE_SET_BANDWIDTH, 300, "", &err), 0);
    assert_false(is_off(&stage));
    assert_true(stage_rate(&a) == 300 && stage_rate(&b) == 0 && stage_rate(&c) == 0);
    page_read(a.app->pages.grant, &grant);
    assert_true(fabs(line_speed(&grant.ops) / LINE_OPERATION - 200) < 1e-3);
    stage_close(&stage);
}

static void control_is_switched_off_and_on(void **state)
{
    (void)state;
    struct stage stage;
    struct err err = {0};
    struct seat a, b;
    open_pair(&stage, "fcfs", &a, &b);
    stage_begin(&stage, &a, 500);
    stage_begin(&stage, &b, 500);
    assert_int_equal(set(&stage, WIRE_SET_CONTROL, 0, "", &err), 0);
    assert_true(is_off(&stage) && stage_rate(&a) == -1 && stage_rate(&b) == -1);
    /* What is set meanwhile holds afterwards. */
    assert_int_equal(set(&stage, WIRE_SET_LIMIT, 30, "a", &err), 0);
    assert_true(stage_rate(&a) == -1);
    assert_int_equal(set(&stage, WIRE_SET_CONTROL, 1, "", &err), 0);
    assert_true(!is_off(&stage) && stage_rate(&a) == 30 && stage_rate(&b) == 70);
    stage_close(&stage);
}

static void what_is_unset_is_as_configured(void **state)
{
    (void)state;
    static const struct limit limits[] = {{.name = "a", .bandwidth = 20, .weight = 4}};
    struct stage stage;
    struct err err = {0};
    stage_open(&stage, "fcfs");
    stage.service.limits.list = limits;
    stage.service.limits.count = 1;
    assert_int_equal(channel_reload(&stage.channel, stage.now, &stage.service, &err), 0);
    struct seat a = stage_attach(&stage, 1, "a", 1);
    assert_true(stage_describe(&stage, &a).limit == 20);
    assert_true(stage_describe(&stage, &a).weight == 4);
    assert_int_equal(set(&stage, WIRE_SET_LIMIT, 0, "a", &err), 0);
    assert_int_equal(set(&stage, WIRE_SET_WEIGHT, 7, "a", &err), 0);
    assert_true(stage_describe(&stage, &a).limit == 0);
    assert_true(stage_describe(&stage, &a).weight == 7);
    assert_int_equal(unset(&stage, WIRE_SET_LIMIT, "a", &err), 0);
    assert_int_equal(unset(&stage, WIRE_SET_WEIGHT, "a", &err), 0);
    assert_true(stage_describe(&stage, &a).limit == 20);
    assert_true(stage_describe(&stage, &a).weight == 4);
    assert_int_equal(unset(&stage, WIRE_SET_LIMIT, "a", &err), -1);
    assert_non_null(strstr(err.text, "no such 'limit' was set"));
    assert_int_equal(set(&stage, WIRE_SET_POLICY, 0, "fair-share", &err), 0);
    assert_int_equal(unset(&stage, WIRE_SET_POLICY, "", &err), 0);
    assert_string_equal(stage.channel.controller->policy->name, "fcfs");
    /* Another configuration leaves what was set. */
    assert_int_equal(set(&stage, WIRE_SET_BANDWIDTH, 300, "", &err), 0);
    stage.service.limits.count = 0;
    stage.service.platform.bandwidth = 50;
    assert_int_equal(channel_reload(&stage.channel, stage.now, &stage.service, &err), 0);
    assert_true(stage_describe(&stage, &a).bmax == 300);
    assert_int_equal(unset(&stage, WIRE_SET_BANDWIDTH, "", &err), 0);
    assert_true(stage_describe(&stage, &a).bmax == 50);
    stage_close(&stage);
}

/* Three want 100 each of 100, so 33.3 each; one is limited to 10, so 45 are left for each of the
 * others. Were bmax what it weighs, it would get 10 * 100 / 210 = 4.8. */
static void a_limit_under_fair_share_is_what_it_gets(void **state)
{
    (void)state;
    struct stage stage;
    struct err err = {0};
    stage_open(&stage, "fair-share");
    struct seat a = stage_attach(&stage, 1, "a", 1), b = stage_attach(&stage, 1, "b", 2),
                c = stage_attach(&stage, 1, "c", 3);
    stage_begin(&stage, &a, 500);
    stage_begin(&stage, &b, 500);
    stage_begin(&stage, &c, 500);
    assert_int_equal(set(&stage, WIRE_SET_LIMIT, 10, "a", &err), 0);
    assert_true(stage_rate(&a) == 10 && stage_rate(&b) == 45 && stage_rate(&c) == 45);
    /* One above its part changes nothing. */
    assert_int_equal(set(&stage, WIRE_SET_LIMIT, 60, "a", &err), 0);
    assert_true(fabs(stage_rate(&a) - 100.0 / 3) < 1e-3);
    assert_true(fabs(stage_rate(&b) - 100.0 / 3) < 1e-3);
    /* What an operator says is more important weighs more: 2 of 4 parts. */
    assert_int_equal(set(&stage, WIRE_SET_LIMIT, 0, "a", &err), 0);
    assert_int_equal(set(&stage, WIRE_SET_WEIGHT, 2, "a", &err), 0);
    assert_true(stage_rate(&a) == 50 && stage_rate(&b) == 25 && stage_rate(&c) == 25);
    stage_close(&stage);
}

static void a_limit_leaves_the_rest_to_the_others(void **state)
{
    (void)state;
    struct stage stage;
    struct err err = {0};
    struct seat a, b;
    open_pair(&stage, "fcfs", &a, &b);
    stage_begin(&stage, &a, 500);
    stage_begin(&stage, &b, 500);
    assert_int_equal(set(&stage, WIRE_SET_LIMIT, 30, "a", &err), 0);
    assert_true(stage_rate(&a) == 30 && stage_rate(&b) == 70);
    /* Those to come, of the same name, too; others not. */
    node_detach(stage.channel.node, stage.now, &a);
    a = stage_attach(&stage, 1, "a", 3);
    assert_true(stage_describe(&stage, &a).limit == 30);
    assert_true(stage_describe(&stage, &b).limit == 0);
    /* One for all spares those that have one of their own, until it is lifted. */
    assert_int_equal(set(&stage, WIRE_SET_LIMIT, 60, "", &err), 0);
    assert_true(stage_describe(&stage, &a).limit == 30);
    assert_true(stage_describe(&stage, &b).limit == 60);
    assert_int_equal(set(&stage, WIRE_SET_LIMIT, 0, "a", &err), 0);
    assert_true(stage_describe(&stage, &a).limit == 0);
    stage_close(&stage);
}

static void weights_and_operations_can_be_set(void **state)
{
    (void)state;
    struct stage stage;
    struct err err = {0};
    struct page_grant grant;
    stage_open(&stage, "fcfs");
    struct seat a = stage_attach(&stage, 1, "a", 1);
    assert_int_equal(set(&stage, WIRE_SET_WEIGHT, 3, "a", &err), 0);
    assert_true(stage_describe(&stage, &a).weight == 3);
    assert_int_equal(set(&stage, WIRE_SET_WEIGHT, 0, "a", &err), -1);
    assert_int_equal(set(&stage, WIRE_SET_OPS, 200, "", &err), 0);
    page_read(a.app->pages.grant, &grant);
    assert_true(fabs(line_speed(&grant.ops) / LINE_OPERATION - 200) < 1e-3 &&
                grant.ops.burst == 2 * LINE_OPERATION); /* 10 ms of it */
    assert_int_equal(set(&stage, WIRE_SET_OPS, 5, "", &err), 0);
    page_read(a.app->pages.grant, &grant);
    assert_true(grant.ops.burst == LINE_OPERATION); /* always one */
    stage_close(&stage);
}

static void an_id_names_one_application(void **state)
{
    (void)state;
    struct stage stage;
    struct err err = {0};
    stage_open(&stage, "fcfs");
    struct seat a = stage_attach(&stage, 1, "a", 1), b = stage_attach(&stage, 1, "a", 2);
    struct wire_set message = {.setting = WIRE_SET_LIMIT, .app = b.app->who.app, .value = 7};
    assert_int_equal(controller_set(stage.channel.controller, stage.now, &message, &err), 0);
    assert_true(stage_describe(&stage, &a).limit == 0);
    assert_true(stage_describe(&stage, &b).limit == 7);
    message.app = 99;
    assert_int_equal(controller_set(stage.channel.controller, stage.now, &message, &err), -1);
    assert_string_equal(err.text, "unknown application 99");
    stage_close(&stage);
}

static void limits_of_the_configuration_hold_from_the_start(void **state)
{
    (void)state;
    static const struct limit limits[] = {{.name = "", .ops = 50},
                                                  {.name = "b", .bandwidth = 10}};
    struct stage stage;
    struct err err = {0};
    stage_open(&stage, "fcfs");
    stage.service.limits.list = limits;
    stage.service.limits.count = 2;
    stage_control(&stage, policy_open("fcfs", &err));
    struct seat b = stage_attach(&stage, 1, "b", 1);
    assert_true(stage_describe(&stage, &b).limit == 10);
    assert_true(stage_describe(&stage, &b).ops_limit == 50);
    stage_close(&stage);
}

/* Good until two want bandwidth at once: then each gets all of it. */
static void grant_all_to_everybody(void *self, const struct weir_view *view,
                                   struct weir_grants *grants)
{
    (void)self;
    for (uint32_t i = 0; i < view->active_count; i++)
        weir_grant(grants, view->active[i], view->bandwidth);
}

static char said[512];
static int times_said;

static void note_said(void *context, const char *text)
{
    (void)context;
    times_said++;
    snprintf(said, sizeof said, "%s", text);
}

static void a_foreign_strategy_that_breaks_a_rule_is_replaced(void **state)
{
    (void)state;
    static const struct weir_policy_ops ops = {
        .abi = WEIR_POLICY_ABI, .name = "generous", .decide = grant_all_to_everybody};
    struct stage stage;
    struct err err = {0};
    stage_open(&stage, "fcfs");
    stage_control(&stage, policy_wrap(&ops, NULL, &err));
    stage.channel.controller->say = note_said;
    struct seat a = stage_attach(&stage, 1, "a", 1), b = stage_attach(&stage, 1, "b", 2);
    stage_begin(&stage, &a, 500);
    stage_enter(&stage, &a, 500);
    assert_true(stage_rate(&a) == 100 && times_said == 0);
    assert_string_equal(stage.channel.controller->policy->name, "generous");
    stage_begin(&stage, &b, 500);
    assert_true(stage_rate(&a) == 50 && stage_rate(&b) == 50);
    assert_string_equal(stage.channel.controller->policy->name, "fair-share");
    stage_enter(&stage, &b, 500);
    stage_pass(&stage, 0.5);
    assert_int_equal(times_said, 1);
    assert_string_equal(said, "strategy 'generous' breaks a rule, fair-share replaces it: granted "
                              "200 bytes/s in all, the file system has 100");
    /* It can be set again, and another one too. */
    assert_int_equal(set(&stage, WIRE_SET_POLICY, 0, "greedy-com", &err), 0);
    assert_string_equal(stage.channel.controller->policy->name, "greedy-com");
    stage_close(&stage);
}

static void want_of_memory_is_reported_and_changes_nothing(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage, "fair-share");
    struct seat a = stage_attach(&stage, 1, "a", 1);
    stage_begin(&stage, &a, 500);
    for (long n = 0;; n++) {
        struct err err = {0};
        mem_fail_after(n);
        int status = set(&stage, WIRE_SET_BANDWIDTH, 300, "", &err);
        mem_fail_after(-1);
        if (status == 0)
            break;
        assert_string_equal(err.text, "out of memory");
        assert_true(stage_rate(&a) == 100);
    }
    assert_true(stage_rate(&a) == 300);
    stage_close(&stage);
}

static void want_of_memory_sets_no_half_of_a_limit(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage, "fair-share");
    struct seat a = stage_attach(&stage, 1, "a", 1);
    for (long n = 0;; n++) {
        struct err err = {0};
        mem_fail_after(n);
        int status = set(&stage, WIRE_SET_LIMIT, 30, "a", &err);
        mem_fail_after(-1);
        if (status == 0)
            break;
        assert_string_equal(err.text, "out of memory");
        struct seat next = stage_attach(&stage, 1, "a", 2);
        assert_true(stage_describe(&stage, &a).limit == 0);
        assert_true(stage_describe(&stage, &next).limit == 0);
        node_detach(stage.channel.node, stage.now, &next);
    }
    assert_true(stage_describe(&stage, &a).limit == 30);
    assert_true(stage_describe(&stage, &a).bmax == 30);
    stage_close(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_strategy_changes_under_running_ios),
        cmocka_unit_test(another_max_wait_reaches_running_applications),
        cmocka_unit_test(the_bandwidth_changes),
        cmocka_unit_test(without_a_bandwidth_everything_runs_uncontrolled),
        cmocka_unit_test(control_is_switched_off_and_on),
        cmocka_unit_test(what_is_unset_is_as_configured),
        cmocka_unit_test(a_limit_under_fair_share_is_what_it_gets),
        cmocka_unit_test(a_limit_leaves_the_rest_to_the_others),
        cmocka_unit_test(weights_and_operations_can_be_set),
        cmocka_unit_test(an_id_names_one_application),
        cmocka_unit_test(limits_of_the_configuration_hold_from_the_start),
        cmocka_unit_test(a_foreign_strategy_that_breaks_a_rule_is_replaced),
        cmocka_unit_test(want_of_memory_is_reported_and_changes_nothing),
        cmocka_unit_test(want_of_memory_sets_no_half_of_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What users have: limits and weights for all of their applications together, and how they are
 * found. */
#include "base/mem.h"
#include "support/stage.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void set_for(struct stage *stage, uint32_t uid, enum wire_setting setting, double value)
{
    struct err err = {0};
    const struct wire_set message = {
        .setting = setting, .app = WIRE_ALL, .value = value, .scope = WIRE_OF_USER, .uid = uid};
    assert_int_equal(controller_set(stage->channel.controller, stage->now, &message, &err), 0);
    channel_settle(&stage->channel, stage->now);
}

static void a_limit_of_a_user_is_for_its_applications_together(void **state)
{
    (void)state;
    struct stage stage;
    struct err err = {0};
    stage_open(&stage, "fair-share");
    struct seat a = stage_attach(&stage, 1, "a", 1), b = stage_attach(&stage, 1, "b", 2),
                c = stage_attach(&stage, 2, "c", 3);
    set_for(&stage, 1, WIRE_SET_LIMIT, 40);
    stage_begin(&stage, &a, 5000);
    assert_true(stage_rate(&a) == 40); /* alone it has all of it */
    stage_begin(&stage, &b, 5000);
    assert_true(stage_rate(&a) == 20 && stage_rate(&b) == 20);
    stage_begin(&stage, &c, 5000);
    assert_true(stage_rate(&a) == 20 && stage_rate(&b) == 20 && stage_rate(&c) == 60);
    /* One that takes less, by a limit of its own, leaves the rest to the other. */
    struct wire_set own = {.setting = WIRE_SET_LIMIT, .app = WIRE_ALL, .value = 5, .text = "a"};
    assert_int_equal(controller_set(stage.channel.controller, stage.now, &own, &err), 0);
    channel_settle(&stage.channel, stage.now);
    assert_true(stage_rate(&a) == 5 && stage_rate(&b) == 35 && stage_rate(&c) == 60);
    stage_end(&stage, &b);
    assert_true(stage_rate(&a) == 5 && stage_rate(&c) == 95);
    set_for(&stage, 1, WIRE_SET_LIMIT, 0);
    stage_begin(&stage, &b, 5000);
    assert_true(stage_rate(&a) == 5 && stage_rate(&b) == 47.5 && stage_rate(&c) == 47.5);
    stage_close(&stage);
}

static void a_weight_of_a_user_is_divided_among_its_applications(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage, "fair-share");
    struct seat a = stage_attach(&stage, 1, "a", 1), b = stage_attach(&stage, 1, "b", 2),
                c = stage_attach(&stage, 2, "c", 3);
    set_for(&stage, 1, WIRE_SET_WEIGHT, 1);
    stage_begin(&stage, &a, 5000);
    stage_begin(&stage, &b, 5000);
    stage_begin(&stage, &c, 5000);
    /* Two of one user weigh as much as one of the other. */
    assert_true(stage_rate(&a) == 25 && stage_rate(&b) == 25 && stage_rate(&c) == 50);
    assert_true(stage_describe(&stage, &a).weight == 0.5);
    set_for(&stage, 1, WIRE_SET_WEIGHT, 3);
    assert_true(stage_rate(&a) == 37.5 && stage_rate(&b) == 37.5 && stage_rate(&c) == 25);
    stage_end(&stage, &b);
    assert_true(stage_rate(&a) == 75 && stage_rate(&c) == 25);
    stage_close(&stage);
}

static double ops_of(const struct seat *seat)
{
    struct page_grant grant;
    page_read(seat->app->pages.grant, &grant);
    return round(line_speed(&grant.ops) / LINE_OPERATION);
}

static void operations_of_a_user_are_divided_among_its_applications(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage, "fcfs");
    struct seat a = stage_attach(&stage, 1, "a", 1), c = stage_attach(&stage, 2, "c", 3);
    set_for(&stage, 1, WIRE_SET_OPS, 100);
    assert_true(ops_of(&a) == 100 && ops_of(&c) == 0);
    struct seat b = stage_attach(&stage, 1, "b", 2);
    assert_true(ops_of(&a) == 50 && ops_of(&b) == 50);
    node_detach(stage.channel.node, stage.now, &b);
    assert_true(ops_of(&a) == 100);
    stage_close(&stage);
}

/* --- any number of applications, any strategy ---------------------------------------------------
 */

enum { APPS = 12, USERS = 4, STEPS = 150 };

struct crowd {
    struct stage stage;
    struct seat seats[APPS];
    bool open[APPS];
    double limits[USERS]; /* 0 = none */
};

/* What the applications with an I/O could use at most, within the limits of their users. */
static double usable(const struct crowd *crowd)
{
    double sum = 0;
    for (uint32_t user = 0; user < USERS; user++) {
        double wanted = 0;
        for (uint32_t i = user; i < APPS; i += USERS)
            wanted += crowd->open[i] ? 100 : 0;
        sum += crowd->limits[user] > 0 ? fmin(wanted, crowd->limits[user]) : wanted;
    }
    return sum;
}

static void check_sums(struct crowd *crowd)
{
    double total = 0;
    for (uint32_t user = 0; user < USERS; user++) {
        double sum = 0;
        for (uint32_t i = user; i < APPS; i += USERS)
            sum += crowd->seats[i].app->rate;
        if (crowd->limits[user] > 0)
            assert_true(sum <= crowd->limits[user] * (1 + 1e-9));
        total += sum;
    }
    assert_true(total <= 100 * (1 + 1e-9));
    /* The others get the rest. */
    if (crowd->stage.channel.controller->policy->ops->flags & WEIR_WORK_CONSERVING)
        assert_true(total >= fmin(100, usable(crowd)) * (1 - 1e-9));
}

static void play(struct crowd *crowd, const char *policy, uint64_t seed)
{
    srand48((long)seed);
    *crowd = (struct crowd){0};
    stage_open(&crowd->stage, policy);
    for (uint32_t i = 0; i < APPS; i++)
        crowd->seats[i] = stage_attach(&crowd->stage, 1 + i % USERS, "a", i);
    for (int step = 0; step < STEPS; step++) {
        uint32_t i = (uint32_t)(drand48() * APPS), user = (uint32_t)(drand48() * USERS);
        if (drand48() < 0.2) {
            crowd->limits[user] = drand48() < 0.2 ? 0 : 1 + 60 * drand48();
            set_for(&crowd->stage, 1 + user, WIRE_SET_LIMIT, crowd->limits[user]);
        } else if (crowd->open[i]) {
            stage_end(&crowd->stage, &crowd->seats[i]);
        } else {
            stage_begin(&crowd->stage, &crowd->seats[i], 10 + 1000 * drand48());
        }
        crowd->open[i] = crowd->seats[i].begun > 0;
        check_sums(crowd);
    }
    stage_close(&crowd->stage);
}

static void no_strategy_exceeds_the_limits_of_users(void **state)
{
    (void)state;
    static struct crowd crowd;
    for (size_t i = 0; policy_all[i]; i++)
        for (uint64_t seed = 1; seed <= 3; seed++)
            play(&crowd, policy_all[i], seed);
}

/* --- finding ------------------------------------------------------------------------------------
 */

static void a_user_is_known_while_it_has_something(void **state)
{
    (void)state;
    static struct users users;
    struct user *a = users_get(&users, 7), *b = users_get(&users, 7 + USERS_HASHES);
    assert_ptr_equal(users_get(&users, 7), a);
    a->connections = 1;
    users_release(&users, a);
    assert_ptr_equal(users_find(&users, 7), a);
    users_release(&users, b);
    assert_null(users_find(&users, 7 + USERS_HASHES));
    a->connections = 0;
    users_release(&users, a);
    assert_null(users_find(&users, 7));
    mem_fail_after(0);
    assert_null(users_get(&users, 7));
    mem_fail_after(-1);
    users_fini(&users);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_limit_of_a_user_is_for_its_applications_together),
        cmocka_unit_test(a_weight_of_a_user_is_divided_among_its_applications),
        cmocka_unit_test(operations_of_a_user_are_divided_among_its_applications),
        cmocka_unit_test(no_strategy_exceeds_the_limits_of_users),
        cmocka_unit_test(a_user_is_known_while_it_has_something),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

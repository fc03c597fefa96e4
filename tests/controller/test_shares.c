/* Shares of users while programs run. */
#include "base/mem.h"
#include "support/stage.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static const struct share_user users[] = {{"2", NULL, 3}};
static const struct shares by_user = {
    .levels = 1u << SHARE_USER, .period = 1, .users = users, .user_count = 1};
static const struct shares equal = {.levels = 1u << SHARE_USER, .period = 1};

static void reload(struct stage *stage, const struct shares *shares)
{
    static struct service next[2];
    static int latest;
    struct err err = {0};
    latest = !latest;
    next[latest] = stage->service;
    next[latest].shares = shares;
    assert_int_equal(channel_reload(&stage->channel, stage->now, &next[latest], &err), 0);
    channel_settle(&stage->channel, stage->now);
}

/* Weights 1 and 3: the two applications of user 1 divide 25 of 100. */
static void users_have_their_shares_from_one_reload_to_the_next(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage, "fair-share");
    struct seat a = stage_attach(&stage, 1, "a", 1), b = stage_attach(&stage, 1, "b", 2);
    stage_begin(&stage, &a, 500);
    stage_begin(&stage, &b, 500);
    reload(&stage, &by_user);
    assert_true(stage_rate(&a) == 50 && stage_rate(&b) == 50);
    struct seat c = stage_attach(&stage, 2, "c", 3);
    stage_begin(&stage, &c, 500);
    assert_true(stage_rate(&a) == 12.5 && stage_rate(&b) == 12.5 && stage_rate(&c) == 75);
    reload(&stage, &equal);
    assert_true(stage_rate(&a) == 25 && stage_rate(&b) == 25 && stage_rate(&c) == 50);
    reload(&stage, NULL);
    assert_true(fabs(stage_rate(&a) - 100 / 3.0) < 1e-3 && stage_rate(&a) == stage_rate(&c));
    stage_close(&stage);
}

/* Accounts of weights 1, 2 and 7. User 1 is in the first two: one application announces the second,
 * and one the third, which does not count. */
static void an_announced_account_counts_if_the_user_is_in_it(void **state)
{
    (void)state;
    static const struct share_account accounts[] = {
        {"physics", NULL, 1}, {"stars", NULL, 2}, {"chemistry", NULL, 7}};
    static const struct share_user members[] = {
        {"1", "physics", 1}, {"1", "stars", 1}, {"2", "chemistry", 1}};
    static const struct shares by_account = {.levels = SHARES_LEVELS,
                                             .period = 1,
                                             .accounts = accounts,
                                             .account_count = 3,
                                             .users = members,
                                             .user_count = 3};
    struct stage stage;
    stage_open(&stage, "fair-share");
    reload(&stage, &by_account);
    struct seat a = stage_attach_for(&stage, 1, "chemistry", 1);
    struct seat b = stage_attach_for(&stage, 1, "stars", 2);
    struct seat c = stage_attach(&stage, 2, "c", 3);
    stage_begin(&stage, &a, 500);
    stage_begin(&stage, &b, 500);
    stage_begin(&stage, &c, 500);
    for (int again = 0; again < 2; again++) {
        assert_true(fabs(stage_rate(&a) - 10) < 1e-3 && fabs(stage_rate(&b) - 20) < 1e-3);
        assert_true(fabs(stage_rate(&c) - 70) < 1e-3);
        reload(&stage, NULL);
        reload(&stage, &by_account);
    }
    stage_close(&stage);
}

/* Both do I/O for this long, as fast as they may. */
static void move(struct stage *stage, struct seat *a, struct seat *b, double seconds)
{
    struct seat *both[] = {a, b};
    for (double left = seconds; left > 1e-6; left -= 0.05) {
        for (int i = 0; i < 2; i++)
            stage_enter(stage, both[i], 5);
        stage_pass(stage, 0.05);
        for (int i = 0; i < 2; i++)
            stage_exit(stage, both[i], stage_rate(both[i]) > 0 ? 5 : 0);
    }
}

/* Users 1 and 2 have equal shares under fcfs, and begin a long I/O each. */
static void open_two(struct stage *stage, struct seat *a, struct seat *b)
{
    stage_open(stage, "fcfs");
    reload(stage, &equal);
    *a = stage_attach(stage, 1, "a", 1);
    *b = stage_attach(stage, 2, "b", 2);
    stage_begin(stage, a, 5000);
    stage_begin(stage, b, 5000);
}

/* Equal weights: user 1 has 100 under fcfs, of which 50 are its part, and is ahead by 100 after 2
 * s. Then user 2 has 100 until it has had as much. */
static void the_user_that_got_less_goes_first(void **state)
{
    (void)state;
    struct stage stage;
    struct seat a, b;
    open_two(&stage, &a, &b);
    move(&stage, &a, &b, 1.9);
    assert_true(stage_rate(&a) == 100 && stage_rate(&b) == 0);
    move(&stage, &a, &b, 0.2);
    assert_true(stage_rate(&a) == 0 && stage_rate(&b) == 100);
    move(&stage, &a, &b, 2);
    assert_true(stage_rate(&a) == 100 && stage_rate(&b) == 0);
    move(&stage, &a, &b, 2);
    assert_true(stage_rate(&a) == 0 && stage_rate(&b) == 100);
    /* Nothing is kept from it when the other has ended its I/O. */
    stage_end(&stage, &b);
    assert_true(stage_rate(&a) == 100);
    stage_close(&stage);
}

/* More applications than there was room for, by size: a rebuilt controller knows all of them. */
static void shares_survive_growth(void **state)
{
    (void)state;
    enum { MANY = 200 };
    static const struct shares by_size = {.levels = 1u << SHARE_SIZE, .period = 1};
    struct stage stage;
    struct seat seats[MANY];
    double sum = 0;
    stage_open(&stage, "fair-share");
    reload(&stage, &by_size);
    for (uint32_t i = 0; i < MANY; i++) {
        seats[i] = stage_attach(&stage, 1 + i % 7, "x", i + 1);
        stage_begin(&stage, &seats[i], 500);
    }
    for (uint32_t i = 0; i < MANY; i++)
        sum += stage_rate(&seats[i]);
    assert_true(fabs(sum - 100) < 1e-6 && fabs(stage_rate(&seats[0]) - 100.0 / MANY) < 1e-9);
    stage_close(&stage);
}

/* I/Os begin, pause and end at random under every strategy; never is more granted than there is. */
static void no_strategy_grants_more_than_there_is(void **state)
{
    (void)state;
    enum { APPS = 9 };
    for (int i = 0; policy_all[i]; i++) {
        struct stage stage;
        struct seat seats[APPS];
        bool open[APPS] = {false};
        srand48(i);
        stage_open(&stage, policy_all[i]);
        reload(&stage, i % 2 ? &by_user : &equal);
        for (uint32_t k = 0; k < APPS; k++)
            seats[k] = stage_attach(&stage, 1 + k % 3, "x", k + 1);
        for (int turn = 0; turn < 300; turn++) {
            uint32_t k = (uint32_t)(drand48() * APPS);
            double sum = 0;
            if (open[k])
                stage_exit(&stage, &seats[k], 300), stage_end(&stage, &seats[k]);
            else
                stage_begin(&stage, &seats[k], 300), stage_enter(&stage, &seats[k], 300);
            open[k] = !open[k];
            if (turn % 50 == 49)
                reload(&stage, drand48() < 0.3 ? NULL : drand48() < 0.5 ? &by_user : &equal);
            stage_pass(&stage, 0.3 * drand48());
            for (uint32_t n = 0; n < APPS; n++)
                sum += control_rate(stage.channel.controller->control, seats[n].app->who.app);
            assert_true(sum <= 100 * (1 + 1e-9));
        }
        stage_close(&stage);
    }
}

static struct wire_app describe(struct stage *stage, const struct seat *seat)
{
    struct wire_app app;
    controller_describe(stage->channel.controller, stage->now, seat->app->who.app, &app);
    return app;
}

/* As above: the configuration is read again after 1.9 s, with or without a change of weights, and
 * so the turn still comes after 2 s. */
static void what_users_have_had_survives_a_reload(void **state)
{
    (void)state;
    static const struct shares same = {.levels = 1u << SHARE_USER, .period = 1};
    static const struct share_user light[] = {{"7", NULL, 2}};
    static const struct shares other = {
        .levels = 1u << SHARE_USER, .period = 1, .users = light, .user_count = 1};
    const struct shares *const next[] = {&same, &other};
    for (int i = 0; i < 2; i++) {
        struct stage stage;
        struct seat a, b;
        open_two(&stage, &a, &b);
        move(&stage, &a, &b, 1.9);
        assert_true(fabs(describe(&stage, &a).ahead - 0.95) < 0.01);
        assert_true(fabs(describe(&stage, &b).ahead + 0.95) < 0.01);
        reload(&stage, next[i]);
        assert_true(fabs(describe(&stage, &a).ahead - 0.95) < 0.01);
        move(&stage, &a, &b, 0.2);
        assert_int_equal(describe(&stage, &a).state, WIRE_HELD);
        assert_true(describe(&stage, &a).held && !describe(&stage, &b).held);
        assert_true(stage_rate(&a) == 0 && stage_rate(&b) == 100);
        reload(&stage, &equal);
        assert_int_equal(describe(&stage, &a).state, WIRE_HELD);
        stage_close(&stage);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(users_have_their_shares_from_one_reload_to_the_next),
        cmocka_unit_test(an_announced_account_counts_if_the_user_is_in_it),
        cmocka_unit_test(what_users_have_had_survives_a_reload),
        cmocka_unit_test(the_user_that_got_less_goes_first),
        cmocka_unit_test(shares_survive_growth),
        cmocka_unit_test(no_strategy_grants_more_than_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

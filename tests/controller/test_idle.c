/* Under every strategy: applications that announce I/O and move nothing cost the others next to
 * nothing, whatever they write into their pages; and no call waits for ever. */
#include "support/stage.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define BANDWIDTH 20e6
#define STEP      0.001

/* What an attacker does besides announcing an I/O every 20 ms. */
enum attack {
    ANNOUNCES,
    ENDS,     /* says at once that it is over, and announces another, every millisecond */
    CALLS,    /* counts calls that it does not make */
    HANGS,    /* says that a call is under way */
    TRICKLES, /* moves 4 KiB each time */
    CLAIMS,   /* takes tickets */
    ATTACKS
};
static const char *const attack_names[] = {"announces", "ends",     "calls",
                                           "hangs",     "trickles", "claims"};

static void attack(struct stage *stage, struct seat *seat, enum attack attack, int step)
{
    struct usage_page *usage = seat->app->pages.usage;
    if (attack == ENDS)
        node_end(stage->channel.node, stage->now, seat);
    if (attack == ENDS || step % 20 == 0) {
        usage->phase = PHASE_OPEN;
        node_post(stage->channel.node, stage->now, seat,
                  &(struct wire_post){.volume = 1e9, .begun = 1});
    }
    usage->calls += attack == CALLS;
    usage->slots[seat->slot].busy = attack >= HANGS;
    if (attack == TRICKLES && step % 20 == 0) {
        usage->used += 4096 * LINE_BYTE;
        usage->slots[seat->slot].moved += 4096;
    }
    if (attack == CLAIMS)
        usage->used += LINE_BYTE * (uint64_t)(BANDWIDTH * STEP);
}

/* What a QUERY tells as granted, each and in all, is no more than there is. Those that have waited
 * too long get 1 % on top. */
static void assert_told_within_bandwidth(struct stage *stage)
{
    struct controller *controller = stage->channel.controller;
    struct wire_status status;
    struct wire_app app;
    double sum = 0;
    controller_report(controller, stage->now, &status);
    for (uint32_t id = 0; id < controller->capacity; id++)
        if (controller->apps[id]) {
            controller_describe(controller, stage->now, id, &app);
            sum += app.rate;
        }
    assert_true(sum <= 1.01 * BANDWIDTH * (1 + 1e-9));
    assert_true(status.granted <= 1.01 * BANDWIDTH * (1 + 1e-9));
}

/* What the victim gets of the bandwidth in a second that begins when the attack has lasted for so
 * long. */
static double measure(const char *policy, enum attack kind, uint32_t attackers, double idle)
{
    enum { MOST = 50 };
    struct stage stage;
    struct seat victim, seats[MOST];
    struct err err;
    stage_open(&stage, policy);
    assert_int_equal(
        controller_set(
            stage.channel.controller, stage.now,
            &(struct wire_set){.setting = WIRE_SET_BANDWIDTH, .app = WIRE_ALL, .value = BANDWIDTH},
            &err),
        0);
    victim = stage_attach(&stage, 1000, "victim", 0);
    for (uint32_t i = 0; i < attackers; i++)
        seats[i] = stage_attach(&stage, 1001, "idle", i + 1);
    int begin = 100 + (int)(idle / STEP), end = begin + 1000;
    uint64_t before = 0;
    for (int step = 0; step < end; step++) {
        if (step == begin)
            before = victim.app->pages.usage->slots[victim.slot].moved;
        stage_write_on(&stage, &victim);
        for (uint32_t i = 0; step >= 100 && i < attackers; i++)
            attack(&stage, &seats[i], kind, step - 100);
        stage_pass(&stage, STEP);
        if (step % 50 == 1)
            assert_told_within_bandwidth(&stage);
    }
    double moved = (double)(victim.app->pages.usage->slots[victim.slot].moved - before);
    stage_close(&stage);
    return moved / (BANDWIDTH * STEP * (end - begin));
}

static void assert_costs_little(enum attack kind, uint32_t attackers, double idle)
{
    for (size_t p = 0; policy_all[p]; p++) {
        double alone = measure(policy_all[p], kind, 0, idle);
        double got = measure(policy_all[p], kind, attackers, idle);
        if (got < 0.95 * alone)
            print_error("%s: %u that do '%s' leave %.3f of %.3f\n", policy_all[p], attackers,
                        attack_names[kind], got, alone);
        assert_true(got >= 0.95 * alone);
    }
}

static void any_number_of_idle_announcers_costs_little(void **state)
{
    (void)state;
    assert_costs_little(ANNOUNCES, 1, 0.1);
    assert_costs_little(ANNOUNCES, 3, 0.1);
    assert_costs_little(ANNOUNCES, 50, 0.1);
}

static void announcing_again_and_again_does_not_help(void **state)
{
    (void)state;
    assert_costs_little(ENDS, 3, 0.1);
    assert_costs_little(ENDS, 50, 0.1);
}

static void signs_of_life_do_not_help(void **state)
{
    (void)state;
    assert_costs_little(CALLS, 3, 0.1);
    assert_costs_little(HANGS, 3, 0.1);
    /* Each may be believed for .1 s, one after the other. */
    assert_costs_little(TRICKLES, 3, 0.3);
}

/* Tickets may be those of one large call, so they are believed for a second each. */
static void claims_without_bytes_do_not_help_for_long(void **state)
{
    (void)state;
    assert_costs_little(CLAIMS, 3, 3.5);
}

static void one_that_was_idle_is_served_when_it_moves(void **state)
{
    (void)state;
    for (size_t p = 0; policy_all[p]; p++) {
        struct stage stage;
        struct err err;
        stage_open(&stage, policy_all[p]);
        const struct wire_set set = {
            .setting = WIRE_SET_BANDWIDTH, .app = WIRE_ALL, .value = BANDWIDTH};
        assert_int_equal(controller_set(stage.channel.controller, stage.now, &set, &err), 0);
        struct seat seat = stage_attach(&stage, 1000, "idle", 1);
        for (int step = 0; step < 200; step++) {
            attack(&stage, &seat, ANNOUNCES, step);
            stage_pass(&stage, STEP);
        }
        assert_true(seat.app->idle);
        uint64_t before = seat.app->pages.usage->slots[seat.slot].moved;
        for (int step = 0; step < 200; step++) {
            stage_write_on(&stage, &seat);
            stage_pass(&stage, STEP);
        }
        double moved = (double)(seat.app->pages.usage->slots[seat.slot].moved - before);
        assert_true(moved > 0.95 * BANDWIDTH * 200 * STEP);
        assert_false(seat.app->idle);
        stage_close(&stage);
    }
}

/* Under fcfs an endless writer keeps its place; after 30 s the other gets a trickle of 1 %. */
static void nobody_waits_for_ever(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage, "fcfs");
    struct seat endless = stage_attach(&stage, 1, "endless", 1);
    struct seat waiting = stage_attach(&stage, 2, "waiting", 2);
    stage_write_on(&stage, &endless);
    stage_pass(&stage, STEP);
    stage_enter(&stage, &waiting, 10);
    for (int step = 0; step < 29500; step++) {
        stage_write_on(&stage, &endless);
        stage_pass(&stage, STEP);
    }
    assert_true(stage_rate(&waiting) == 0);
    for (int step = 0; step < 1000; step++) {
        stage_write_on(&stage, &endless);
        stage_pass(&stage, STEP);
    }
    assert_true(stage_rate(&waiting) == 1);
    assert_true(stage_rate(&endless) == 100);
    stage_close(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_idle_announcers_costs_little),
        cmocka_unit_test(announcing_again_and_again_does_not_help),
        cmocka_unit_test(signs_of_life_do_not_help),
        cmocka_unit_test(claims_without_bytes_do_not_help_for_long),
        cmocka_unit_test(one_that_was_idle_is_served_when_it_moves),
        cmocka_unit_test(nobody_waits_for_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

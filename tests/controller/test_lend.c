/* Whatever an application does with its bandwidth, what it does not use is of use to others: under
 * every strategy, for any length of its calls and of the gaps between them. */
#include "base/random.h"
#include "support/stage.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define BANDWIDTH 20e6
#define STEP      0.0001

/* A program that writes `bytes` in each call, which takes the time of the store once it is
 * granted, and then computes for `gap` seconds. */
struct player {
    struct seat seat;
    double bytes, gap;
    enum { COMPUTES, WAITS, WRITES } state;
    uint64_t ticket, until; /* when it is in the next state */
    double moved;
    struct random dice; /* gaps are from half to one and a half times as long */
};

static uint64_t after(const struct stage *stage, double seconds)
{
    return stage->now + (uint64_t)(seconds * 1e9);
}

/* What a client does before a call (client/pace.c). */
static void player_begins(struct stage *stage, struct player *player)
{
    struct pages *pages = &player->seat.app->pages;
    struct usage_page *usage = pages->usage;
    usage->slots[player->seat.slot].busy = 1;
    if (usage->phase != PHASE_OPEN) {
        usage->phase = PHASE_OPEN;
        node_post(stage->channel.node, stage->now, &player->seat, &(struct wire_post){0});
        channel_settle(&stage->channel, stage->now);
    }
    player->ticket = 0;
    player->state = WAITS;
    usage->waiters++;
}

static void player_waits(struct stage *stage, struct player *player)
{
    struct pages *pages = &player->seat.app->pages;
    struct usage_page *usage = pages->usage;
    struct page_grant grant;
    page_read(pages->grant, &grant);
    if (grant.mode != PAGE_PACED)
        return;
    double front = player->bytes > (double)grant.chunk ? (double)grant.chunk : player->bytes;
    if (player->ticket == 0)
        player->ticket =
            line_take(&grant.bytes, &usage->used, (uint64_t)player->bytes * LINE_BYTE, stage->now) -
            (uint64_t)(player->bytes - front) * LINE_BYTE;
    if (line_ahead(&grant.bytes, player->ticket, stage->now) > 0)
        return;
    usage->waiters--;
    player->state = WRITES;
    player->until = after(stage, player->bytes / BANDWIDTH);
}

static void player_ends(struct stage *stage, struct player *player)
{
    struct usage_page *usage = player->seat.app->pages.usage;
    usage->slots[player->seat.slot].moved += (uint64_t)player->bytes;
    usage->slots[player->seat.slot].busy = 0;
    usage->calls++;
    usage->last = stage->now;
    player->moved += player->bytes;
    player->state = COMPUTES;
    player->until = after(stage, player->gap * random_between(&player->dice, 0.5, 1.5));
}

static void player_plays(struct stage *stage, struct player *player)
{
    if (player->state == WRITES && stage->now >= player->until)
        player_ends(stage, player);
    if (player->state == COMPUTES && stage->now >= player->until)
        player_begins(stage, player);
    if (player->state == WAITS)
        player_waits(stage, player);
}

/* Beside one that always writes, unless it is NULL. */
static void play(struct stage *stage, struct player *player, struct seat *other, double seconds)
{
    for (uint64_t end = after(stage, seconds); stage->now < end;) {
        player_plays(stage, player);
        if (other)
            stage_write_on(stage, other);
        double next = ((double)player->until - (double)stage->now) / 1e9;
        stage_pass(stage, player->state == WAITS || next > STEP ? STEP : next);
    }
}

static void open_stage(struct stage *stage, const char *policy)
{
    struct err err;
    stage_open(stage, policy);
    const struct wire_set set = {
        .setting = WIRE_SET_BANDWIDTH, .app = WIRE_ALL, .value = BANDWIDTH};
    assert_int_equal(controller_set(stage->channel.controller, stage->now, &set, &err), 0);
}

/* The parts of the bandwidth that a program with such calls and gaps gets, and that is used in all,
 * while another one always writes. */
struct outcome {
    double own, all;
};

/* What it gets alone. */
static double natural(const struct player *player)
{
    return player->bytes / (player->bytes + player->gap * BANDWIDTH);
}

static struct outcome measure(const char *policy, struct player player)
{
    struct stage stage;
    open_stage(&stage, policy);
    player.seat = stage_attach(&stage, 1000, "gaps", 1);
    struct seat other = stage_attach(&stage, 1000, "waits", 2);
    const _Atomic uint64_t *moved = &other.app->pages.usage->slots[other.slot].moved;
    play(&stage, &player, NULL, 0.5);
    play(&stage, &player, &other, 1);
    double own = player.moved, before = (double)*moved;
    play(&stage, &player, &other, 1);
    own = (player.moved - own) / BANDWIDTH;
    double others = ((double)*moved - before) / BANDWIDTH;
    stage_close(&stage);
    return (struct outcome){own, own + others};
}

/* From `least` to `most`, as often below as above their geometric mean. */
static double draw(struct random *dice, double least, double most)
{
    return exp(random_between(dice, log(least), log(most)));
}

static void at_least_95_percent_are_used_whenever_anybody_waits(void **state)
{
    enum { DRAWS = 24 };
    uint32_t bad = 0;
    (void)state;
    for (uint32_t seed = 0; seed < DRAWS; seed++) {
        struct player player = {.dice = random_at(seed, 0, 0)};
        player.bytes = floor(draw(&player.dice, 1000, 0.018 * BANDWIDTH));
        player.gap = draw(&player.dice, 0.0001, 0.03);
        for (size_t p = 0; policy_all[p]; p++) {
            struct outcome outcome = measure(policy_all[p], player);
            /* One that came first is first under fcfs, and loses nothing. */
            bool first = strcmp(policy_all[p], "fcfs") == 0;
            bool keeps = !first || outcome.own >= 0.95 * natural(&player);
            /* periodic lets all wait for the one whose turn it is, although that works. */
            if ((outcome.all >= 0.95 && keeps) || strncmp(policy_all[p], "periodic:", 9) == 0)
                continue;
            print_error("%s: seed %u, %.0f bytes, gaps of %.2f ms: %.3f, %.3f of it by them\n",
                        policy_all[p], seed, player.bytes, 1e3 * player.gap, outcome.all,
                        outcome.own);
            bad++;
        }
    }
    assert_int_equal(bad, 0);
}

static void one_that_begins_to_use_all_gets_it_at_once(void **state)
{
    struct stage stage;
    struct player player = {.bytes = 20000, .gap = 0.0015, .dice = random_at(1, 0, 0)};
    (void)state;
    open_stage(&stage, "fcfs");
    player.seat = stage_attach(&stage, 1000, "gaps", 1);
    struct seat other = stage_attach(&stage, 1000, "waits", 2);
    play(&stage, &player, NULL, 0.5);
    play(&stage, &player, &other, 1);
    assert_true(stage_rate(&player.seat) < 0.5 * BANDWIDTH);
    player.gap = 0;
    /* It uses 40 %, and what it did not use of that for 50 ms. After 20 ms of waiting it is granted
     * 80 %, and 100 ms later all. */
    double before = player.moved;
    play(&stage, &player, &other, 0.3);
    assert_true(player.moved - before >= 0.8 * 0.3 * BANDWIDTH);
    assert_true(stage_rate(&player.seat) == BANDWIDTH);
    before = player.moved;
    play(&stage, &player, &other, 0.5);
    assert_true(player.moved - before >= 0.97 * 0.5 * BANDWIDTH);
    stage_close(&stage);
}

static void nothing_changes_while_nobody_waits(void **state)
{
    struct stage stage;
    struct player player = {.bytes = 20000, .gap = 0.001, .dice = random_at(1, 0, 0)};
    (void)state;
    open_stage(&stage, "fcfs");
    player.seat = stage_attach(&stage, 1000, "gaps", 1);
    for (int i = 0; i < 20; i++) {
        play(&stage, &player, NULL, 0.1);
        assert_true(stage_rate(&player.seat) == BANDWIDTH);
    }
    assert_true(player.seat.app->need.rate < 0.6 * BANDWIDTH);
    stage_close(&stage);
}

static void the_rest_of_what_is_not_used_waits_for_nobody(void **state)
{
    struct stage stage;
    struct player player = {.bytes = 20000, .gap = 0.0015, .dice = random_at(1, 0, 0)};
    (void)state;
    open_stage(&stage, "fcfs");
    player.seat = stage_attach(&stage, 1000, "gaps", 1);
    struct seat other = stage_attach(&stage, 1000, "waits", 2);
    play(&stage, &player, NULL, 0.5);
    stage_enter(&stage, &other, 4096);
    assert_true(stage_rate(&other) > 0.55 * BANDWIDTH); /* its first call, at once */
    stage_close(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_that_begins_to_use_all_gets_it_at_once),
        cmocka_unit_test(nothing_changes_while_nobody_waits),
        cmocka_unit_test(the_rest_of_what_is_not_used_waits_for_nobody),
        cmocka_unit_test(at_least_95_percent_are_used_whenever_anybody_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

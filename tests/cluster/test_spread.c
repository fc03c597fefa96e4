/* What many nodes are ordered. */
#include "common_crowd.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void orders_are_sent_again_after_a_report(void **state)
{
    (void)state;
    gather_obey(crowd.gather, crowd.now,
                &(struct node_message){.type = NODE_LIMIT, .limit = {.bmax = 50, .alone = 70}});
    crowd_grant(1, 40);
    crowd_settle();
    crowd_report(0, 1);
    crowd.nodes[0][0] = (struct played){.phase = 1, .open = true}; /* its lease expired */
    crowd.orders = 0;
    crowd_settle();
    assert_int_equal(crowd.orders, 2); /* only to this member */
    assert_true(crowd_rate(0) == 20 && crowd.nodes[0][0].limit.alone == 70);
    assert_false(crowd.nodes[0][0].open);
}

/* --- shares and other orders
 * ----------------------------------------------------------------------------------- */

static void a_grant_is_divided_among_the_parts_that_move(void **state)
{
    (void)state;
    crowd.bound = 60;
    crowd_grant(1, 60);
    assert_true(crowd_rate(0) == 30 && crowd_rate(1) == 30);
    crowd_grant(1, 60);
    crowd_grant(2, 7); /* of another I/O */
    assert_int_equal(crowd.orders, 2);
    crowd_join(2, 0, 0);
    crowd_post(2, 5, 0);
    crowd_settle();
    assert_true(crowd_rate(1) == 20 && crowd_rate(2) == 20);
    crowd_pause(0, 1, false);
    crowd_settle();
    assert_true(crowd_rate(0) == 0 && crowd_rate(1) == 30);
    crowd.orders = 0;
    crowd_end(1, 1, 10);
    crowd_settle();
    assert_true(crowd_rate(1) == 0 && crowd_rate(2) == 60);
    assert_int_equal(crowd.orders, 1); /* the node of an I/O that is over knows */
    gather_bound(crowd.gather, 25);
    crowd_settle();
    assert_true(crowd_rate(2) == 25);
    /* The next I/O has nothing yet. */
    crowd_end(0, 1, 10);
    crowd_end(2, 5, 10);
    crowd_post(2, 6, 10);
    crowd_settle();
    assert_true(crowd_held(0) == 0);
}

/* The first division is at once, the next within GATHER_TURN_NS and GATHER_ORDER_NS per order. */
static void shares_move_within_a_few_milliseconds(void **state)
{
    (void)state;
    crowd_settle();
    crowd.now += 10 * MS;
    crowd_grant(1, 60);
    uint64_t granted = crowd.now;
    crowd.now += MS / 2;
    crowd_pause(0, 1, false);
    gather_settle(crowd.gather, crowd.now);
    assert_true(crowd_rate(0) == 30);
    assert_int_equal(gather_next(crowd.gather), granted + GATHER_TURN_NS + 2 * GATHER_ORDER_NS);
    crowd.now = gather_next(crowd.gather);
    gather_settle(crowd.gather, crowd.now);
    assert_true(crowd_rate(0) == 0 && crowd_rate(1) == 60);
    crowd_grant(1, 20); /* what the controller takes away is gone at once */
    assert_true(crowd_rate(1) == 20);
    crowd.now += 10 * MS;
    crowd_resume(0, 1);
    gather_settle(crowd.gather, crowd.now);
    assert_true(crowd_rate(0) == 10 && crowd_rate(1) == 10);
    assert_int_equal(gather_next(crowd.gather), UINT64_MAX);
}

/* A part that moves 10 MB/s, of 100 that it holds, needs 15. It gets more only as far as it moves
 * it, or the other leaves something. */
static void a_part_that_moves_less_than_it_holds_needs_less(void **state)
{
    (void)state;
    double moved[2] = {0, 0};
    crowd.bound = 200e6;
    crowd_grant(1, 200e6);
    static const double speeds[] = {10e6, 13e6, 40e6};
    /* 40 MB/s are below 0.9 of 100: but the first window in which it holds 100 has to pass. */
    static const double shares[] = {15e6, 19.5e6, 100e6};
    for (int step = 0; step < 3; step++) {
        for (int ms = 0; ms < 40000; ms += 50) {
            crowd.now += 50 * MS;
            moved[0] += 0.05 * fmin(speeds[step], crowd_rate(0));
            moved[1] += 0.05 * crowd_rate(1);
            crowd_progress(0, moved[0]);
            crowd_progress(1, moved[1]);
            gather_settle(crowd.gather, crowd.now);
            if (step == 2 && crowd_rate(0) > 50e6)
                break;
            assert_true(ms < 1000 || crowd_rate(0) < 50e6); /* it does not go to and fro */
        }
        assert_true(fabs(crowd_rate(0) / shares[step] - 1) < 0.05);
        assert_true(fabs(crowd_held(0) - 200e6) < 1);
    }
    /* Nothing is withheld from it while the other needs less as well. */
    crowd_pause(1, 1, false);
    crowd_settle();
    assert_true(crowd_rate(0) == 200e6);
}

static void another_io_begins_with_an_equal_share(void **state)
{
    (void)state;
    double moved = 0;
    crowd_grant(1, 200e6);
    while (crowd_rate(0) == 100e6) { /* it moves nothing */
        crowd.now += 50 * MS;
        moved += 0.05 * 100e6;
        crowd_progress(0, 0);
        crowd_progress(1, moved);
        gather_settle(crowd.gather, crowd.now);
    }
    assert_true(fabs(crowd_rate(0) - 100e6 / 8) < 1); /* what is left to try again */
    crowd_end(0, 1, 0);
    crowd_post(0, 2, 10);
    crowd_settle();
    assert_true(crowd_rate(0) == 100e6 && crowd_rate(1) == 100e6);
}

static void calls_of_16_mib_do_not_look_like_less_need(void **state)
{
    (void)state;
    const double call = 16 * 1024 * 1024;
    double moved = 0;
    crowd_grant(1, 40e6);
    for (int ms = 0; ms < 60000; ms += 50) {
        crowd.now += 50 * MS;
        moved += 0.05 * 20e6;
        crowd_progress(0, moved);
        /* A call takes 0.8 s, and is seen when it ends. */
        crowd_progress(1, call * floor(moved / call));
        gather_settle(crowd.gather, crowd.now);
        assert_true(crowd_rate(0) == 20e6 && crowd_rate(1) == 20e6);
    }
}

static void a_part_that_probes_costs_the_others_little(void **state)
{
    (void)state;
    crowd_grant(1, 64);
    crowd_pause(1, 1, true);
    crowd_settle();
    assert_true(crowd_rate(0) == 60 && crowd_rate(1) == 4); /* 32 / 8 */
    crowd_end(0, 1, 10); /* the controller gives those that probe what nobody misses */
    crowd_grant(1, 100);
    crowd_settle();
    assert_true(crowd_rate(1) == 100);
}

static void limits_are_those_of_a_node_and_operations_are_divided(void **state)
{
    (void)state;
    gather_bound(crowd.gather, 30);
    struct node_message limit = {
        .type = NODE_LIMIT,
        .limit = {.bmax = 50, .alone = 20, .ops = 1000, .phase = 1, .volume = 20}};
    gather_obey(crowd.gather, crowd.now, &limit);
    crowd_settle();
    for (int member = 0; member < 2; member++) {
        const struct node_limit *own = &crowd.nodes[member][0].limit;
        assert_true(own->bmax == 30 && own->alone == 20 && own->ops == 500);
        assert_true(own->volume == 10 && own->phase == 1); /* what it announced */
    }
    crowd.orders = 0;
    limit.limit.volume = 99;
    gather_obey(crowd.gather, crowd.now, &limit);
    crowd_settle();
    assert_int_equal(crowd.orders, 0);
    gather_lose(crowd.gather, crowd.now, 1, false);
    crowd_settle();
    assert_true(crowd.nodes[0][0].limit.ops == 1000);
}

static void a_hint_is_for_all_parts_together(void **state)
{
    (void)state;
    const struct node_message join = {
        .type = NODE_JOIN,
        .join = {
            .uid = 7, .token = {0, 1}, .nodes = 2, .weight = 1, .volume_hint = 80, .name = "a"}};
    for (uint32_t member = 0; member < 2; member++) {
        assert_int_equal(crowd_hear(member, join), 0);
        crowd_post(member, 1, 0);
    }
    struct node_message limit = {.type = NODE_LIMIT,
                                 .limit = {.bmax = 50, .alone = 20, .phase = 1, .volume = 80}};
    gather_obey(crowd.gather, crowd.now, &limit);
    crowd_settle();
    assert_true(crowd.nodes[0][0].limit.volume == 80 && crowd.nodes[1][0].limit.volume == 80);
    limit.limit.volume = 200; /* it turned out to be more */
    gather_obey(crowd.gather, crowd.now, &limit);
    crowd_settle();
    assert_true(crowd.nodes[0][0].limit.volume == 200 && crowd.nodes[1][0].limit.volume == 200);
    /* Its node knows what it expects of the next one. */
    crowd_end(0, 1, 90);
    crowd_end(1, 1, 90);
    crowd_post(0, 2, 0);
    crowd.orders = 0;
    limit.limit.volume = 80;
    limit.limit.phase = 2;
    gather_obey(crowd.gather, crowd.now, &limit);
    crowd_settle();
    assert_int_equal(crowd.orders, 0);
}

static void an_application_that_runs_free_does_so_on_all_nodes(void **state)
{
    (void)state;
    crowd_grant(1, 60);
    const struct node_message open = {.type = NODE_OPEN};
    gather_obey(crowd.gather, crowd.now, &open);
    gather_obey(crowd.gather, crowd.now, &open);
    crowd_join(2, 0, 0);
    crowd_settle();
    for (int member = 0; member < 3; member++)
        assert_true(crowd.nodes[member][0].open);
    crowd_pause(0, 1, false);
    crowd_grant(1, 0);
    for (int member = 0; member < 3; member++)
        assert_true(!crowd.nodes[member][0].open && crowd_rate((uint32_t)member) == 0);
}

static void a_count_is_answered_at_once_and_asked_of_those_that_move(void **state)
{
    (void)state;
    crowd_progress(0, 4);
    crowd_end(1, 1, 6);
    crowd_settle();
    crowd.count = crowd.orders = 0;
    const struct node_message count = {.type = NODE_COUNT};
    for (int i = 0; i < 3; i++) {
        gather_obey(crowd.gather, crowd.now, &count);
        gather_settle(crowd.gather, crowd.now);
    }
    assert_true(crowd.events[0].progress.moved == 10);
    crowd_heard("PROGRESS PROGRESS PROGRESS");
    assert_int_equal(crowd.orders, 1);
    crowd.now += GATHER_COUNT_NS;
    gather_obey(crowd.gather, crowd.now, &count);
    gather_settle(crowd.gather, crowd.now);
    assert_int_equal(crowd.orders, 2);
}

/* --- all of it at random ---------------------------------------------------------------------- */

/* What the test knows of the parts of the application with token 0. */
struct known {
    bool here;
    enum page_phase state;
    bool probing;
    uint32_t phase;
    double moved;
};

static bool known_wants(const struct known *known)
{
    return known->here &&
           (known->state == PHASE_OPEN || (known->state == PHASE_PAUSED && known->probing));
}

static void known_post(struct known *known, uint32_t member)
{
    known->probing = lrand48() % 4 == 0;
    known->state = known->probing ? PHASE_PAUSED : PHASE_OPEN;
    const struct node_message event = {.type = NODE_POST,
                                       .post = {.phase = ++known->phase,
                                                .volume = (double)(lrand48() % 3) * 100,
                                                .idle = known->probing,
                                                .moved = known->moved}};
    crowd_hear(member, event);
}

/* Something that a part may do. */
static void known_step(struct known *known, uint32_t member)
{
    long dice = lrand48() % 12;
    known->moved += (double)(lrand48() % 1000000);
    if (!known->here) {
        crowd_join(member, 0, 0);
        *known = (struct known){.here = true, .state = PHASE_IDLE};
    } else if (dice == 0) {
        crowd_leave(member, 0, known->moved);
        known->here = false;
    } else if (dice == 1) {
        gather_lose(crowd.gather, crowd.now, member, false);
        crowd.nodes[member][0] = (struct played){0};
        known->here = false;
    } else if (known->state == PHASE_IDLE || dice == 2) {
        known_post(known, member);
    } else if (dice < 6) {
        known->probing = lrand48() % 2;
        known->state = PHASE_PAUSED;
        crowd_pause(member, known->phase, known->probing);
    } else if (dice < 8) {
        known->state = PHASE_OPEN;
        crowd_resume(member, known->phase);
    } else if (dice < 10) {
        known->state = PHASE_IDLE;
        crowd_end(member, known->phase, known->moved);
    } else {
        crowd_progress(member, known->moved);
    }
}

/* The controller: the number of the I/O, and what it grants to that. */
struct granted {
    uint32_t phase;
    double rate;
};

static void granted_hear(struct granted *granted)
{
    for (int i = 0; i < crowd.count; i++) {
        const struct node_message *event = &crowd.events[i];
        if (event->type == NODE_POST)
            granted->phase = event->post.phase;
        if (event->type == NODE_END)
            granted->rate = 0;
        if (event->type == NODE_LEAVE)
            *granted = (struct granted){0};
    }
    crowd.count = 0;
}

/* Grants now and then something else. While its orders are on the way, the old grant may be held
 * instead of the new one. */
static void granted_decide(struct granted *granted, bool wanted)
{
    double before = granted->rate;
    if (lrand48() % 3 == 0 && wanted)
        granted->rate = (double)(lrand48() % 5) * 5e9;
    crowd.bound = fmax(1, fmax(before, granted->rate));
    crowd_grant(granted->phase, granted->rate);
    crowd.bound = fmax(1, granted->rate);
    assert_true(crowd_held(0) <= granted->rate * (1 + 1e-12));
}

/* Whatever happens, the parts hold together at most what is granted, and in the end all of it that
 * they can use. */
static void the_parts_never_hold_more_than_the_grant(void **state)
{
    (void)state;
    const double node_bandwidth = 4e9;
    srand48(3);
    for (int round = 0; round < 200; round++) {
        struct known known[MEMBERS] = {0};
        struct granted granted = {0};
        crowd_open();
        gather_bound(crowd.gather, node_bandwidth);
        for (int step = 0; step < 200; step++) {
            uint32_t member = (uint32_t)lrand48() % MEMBERS, wanting = 0;
            crowd.now += (uint64_t)(lrand48() % 1000000);
            known_step(&known[member], member);
            for (int i = 0; i < MEMBERS; i++)
                wanting += known_wants(&known[i]);
            granted_hear(&granted);
            granted_decide(&granted, wanting > 0);
            if (lrand48() % 2)
                continue;
            crowd_settle();
            double can = wanting * node_bandwidth, rate = granted.rate;
            assert_true(fabs(crowd_held(0) - fmin(rate, can)) <= 1e-9 * rate);
            for (uint32_t i = 0; i < MEMBERS; i++)
                assert_true(known_wants(&known[i]) || crowd_rate(i) == 0);
        }
        crowd_close();
    }
}

/* --- many ------------------------------------------------------------------------------------- */

static int deaf_tell(void *context, uint64_t now, const struct node_message *event, struct err *err)
{
    (void)now, (void)event, (void)err;
    ++*(long *)context;
    return 0;
}

static void deaf_order(void *context, uint64_t now, uint32_t member,
                       const struct node_message *order)
{
    (void)now, (void)member, (void)order;
    ((long *)context)[1]++;
}

/* One application on 10,000 nodes, whose parts begin one after the other, a quarter of a
 * millisecond apart: orders stay within those that the network can take, 100,000/s. */
static void parts_that_begin_one_after_the_other_do_not_flood_the_network(void **state)
{
    (void)state;
    enum { NODES = 10000 };
    struct err err = {0};
    long told[2] = {0, 0};
    uint64_t now = 1000 * (uint64_t)MS;
    struct gather *gather =
        gather_new((struct event_sink){deaf_tell, told}, deaf_order, told, &err);
    struct node_message join = crowd_joining(0, NODES);
    for (uint32_t member = 0; member < NODES; member++)
        assert_int_equal(gather_hear(gather, now, member, &join, &err), 0);
    gather_settle(gather, now);
    const struct node_message grant = {.type = NODE_GRANT, .grant = {.phase = 1, .rate = 1e9}};
    told[1] = 0;
    for (uint32_t member = 0; member < NODES; member++) {
        const struct node_message post = {.type = NODE_POST, .post = {.phase = 1, .volume = 1e6}};
        now += MS / 4;
        assert_int_equal(gather_hear(gather, now, member, &post, &err), 0);
        gather_obey(gather, now, &grant);
        gather_settle(gather, now);
    }
    double seconds = 0.25e-3 * NODES;
    assert_in_range(told[1], NODES, (long)(1.1e5 * seconds));
    gather_free(gather);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_TWO(orders_are_sent_again_after_a_report),
        WITH_TWO(a_grant_is_divided_among_the_parts_that_move),
        WITH_TWO(shares_move_within_a_few_milliseconds),
        WITH_TWO(a_part_that_moves_less_than_it_holds_needs_less),
        WITH_TWO(another_io_begins_with_an_equal_share),
        WITH_TWO(calls_of_16_mib_do_not_look_like_less_need),
        WITH_TWO(a_part_that_probes_costs_the_others_little),
        WITH_TWO(limits_are_those_of_a_node_and_operations_are_divided),
        WITH_NONE(a_hint_is_for_all_parts_together),
        WITH_TWO(an_application_that_runs_free_does_so_on_all_nodes),
        WITH_TWO(a_count_is_answered_at_once_and_asked_of_those_that_move),
        cmocka_unit_test(the_parts_never_hold_more_than_the_grant),
        cmocka_unit_test(parts_that_begin_one_after_the_other_do_not_flood_the_network),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

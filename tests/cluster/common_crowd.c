#include "common_crowd.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

double crowd_held(const struct crowd *crowd, uint32_t app)
{
    double sum = 0;
    for (int member = 0; member < MEMBERS; member++)
        sum += crowd->nodes[member][app].rate;
    return sum;
}

static int crowd_tell(void *context, uint64_t now, const struct node_message *event,
                      struct err *err)
{
    struct crowd *crowd = context;
    assert_int_equal(node_direction_of(event->type), NODE_EVENT);
    assert_int_equal(now, crowd->now);
    if (crowd->count < EVENTS)
        crowd->events[crowd->count++] = *event;
    return crowd->refuses && event->type == NODE_JOIN ? err_set(err, "no room") : 0;
}

/* Obeys as a node does. An order has to change something. */
static void crowd_order(void *context, uint64_t now, uint32_t member,
                        const struct node_message *order)
{
    struct crowd *crowd = context;
    struct played *played = &crowd->nodes[member][order->open.app];
    assert_in_range(member, 0, MEMBERS - 1);
    assert_in_range(order->open.app, 0, APPS - 1);
    assert_int_equal(now, crowd->now);
    crowd->orders++;
    if (order->type == NODE_GRANT) {
        assert_int_equal(order->grant.phase, played->phase);
        assert_true(played->open || played->rate != order->grant.rate);
        played->open = false;
        played->rate = order->grant.rate;
        if (crowd->bound > 0)
            assert_true(crowd_held(crowd, order->open.app) <= crowd->bound * (1 + 1e-12));
    } else if (order->type == NODE_OPEN) {
        assert_false(played->open);
        played->open = true;
        played->rate = 0;
    } else if (order->type == NODE_LIMIT) {
        played->limit = order->limit;
    }
}

void crowd_open(struct crowd *crowd)
{
    struct err err = {""};
    *crowd = (struct crowd){.now = 1000 * (uint64_t)MS};
    crowd->gather = gather_new(crowd_tell, crowd_order, crowd, &err);
    assert_non_null(crowd->gather);
}

void crowd_heard(struct crowd *crowd, const char *types)
{
    char all[1024] = "";
    for (int i = 0; i < crowd->count; i++) {
        strcat(all, i > 0 ? " " : "");
        strcat(all, node_type_name(crowd->events[i].type));
    }
    assert_string_equal(all, types);
    crowd->count = 0;
}

void crowd_settle(struct crowd *crowd)
{
    while (gather_next(crowd->gather) != UINT64_MAX) {
        uint64_t next = gather_next(crowd->gather);
        crowd->now = next > crowd->now ? next : crowd->now;
        gather_settle(crowd->gather, crowd->now);
    }
}

int crowd_hear(struct crowd *crowd, uint32_t member, struct node_message event)
{
    struct err err = {""};
    struct played *played = &crowd->nodes[member][event.join.app];
    if (event.type == NODE_END || event.type == NODE_LEAVE ||
        (event.type == NODE_POST && event.post.phase != played->phase))
        played->rate = 0;
    if (event.type == NODE_POST)
        played->phase = event.post.phase;
    if (event.type == NODE_LEAVE)
        *played = (struct played){0};
    return gather_hear(crowd->gather, crowd->now, member, &event, &err);
}

void crowd_join(struct crowd *crowd, uint32_t member, uint32_t app, uint64_t token)
{
    struct node_message event = {.type = NODE_JOIN,
                                 .join = {.app = app,
                                          .uid = 7,
                                          .token = {token, 1},
                                          .nodes = 1,
                                          .weight = 1,
                                          .pid = 100 + member,
                                          .name = "a"}};
    assert_int_equal(crowd_hear(crowd, member, event), 0);
}

void crowd_post(struct crowd *crowd, uint32_t member, uint32_t phase, double volume)
{
    struct node_message event = {
        .type = NODE_POST, .post = {.phase = phase, .volume = volume, .announced = volume > 0}};
    crowd_hear(crowd, member, event);
}

void crowd_end(struct crowd *crowd, uint32_t member, uint32_t phase, double moved)
{
    struct node_message event = {.type = NODE_END, .end = {.phase = phase, .moved = moved}};
    crowd_hear(crowd, member, event);
}

void crowd_pause(struct crowd *crowd, uint32_t member, uint32_t phase, bool probing)
{
    struct node_message event = {.type = NODE_PAUSE,
                                 .pause = {.phase = phase, .quiet = 0.5, .probing = probing}};
    crowd_hear(crowd, member, event);
}

void crowd_resume(struct crowd *crowd, uint32_t member, uint32_t phase)
{
    struct node_message event = {.type = NODE_RESUME, .resume = {.phase = phase}};
    crowd_hear(crowd, member, event);
}

void crowd_leave(struct crowd *crowd, uint32_t member, uint32_t app, double moved)
{
    struct node_message event = {.type = NODE_LEAVE, .leave = {.app = app, .moved = moved}};
    crowd_hear(crowd, member, event);
}

void crowd_progress(struct crowd *crowd, uint32_t member, double moved)
{
    struct node_message event = {
        .type = NODE_PROGRESS,
        .progress = {.processes = 2, .failure = WIRE_FAILURES_COUNT, .moved = moved}};
    crowd_hear(crowd, member, event);
}

void crowd_grant(struct crowd *crowd, uint32_t phase, double rate)
{
    struct node_message order = {.type = NODE_GRANT, .grant = {.phase = phase, .rate = rate}};
    gather_obey(crowd->gather, crowd->now, &order);
    gather_settle(crowd->gather, crowd->now);
}

double crowd_rate(const struct crowd *crowd, uint32_t member)
{
    return crowd->nodes[member][0].rate;
}

void crowd_open_two(struct crowd *crowd)
{
    crowd_open(crowd);
    crowd_join(crowd, 0, 0, 0);
    crowd_join(crowd, 1, 0, 0);
    crowd_post(crowd, 0, 1, 10);
    crowd_post(crowd, 1, 1, 10);
    crowd->count = 0;
}

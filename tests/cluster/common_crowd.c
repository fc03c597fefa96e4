#include "common_crowd.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct crowd crowd;

double crowd_held(uint32_t app)
{
    double sum = 0;
    for (int member = 0; member < MEMBERS; member++)
        sum += crowd.nodes[member][app].rate;
    return sum;
}

static int crowd_tell(void *context, uint64_t now, const struct node_message *event,
                      struct err *err)
{
    (void)context;
    assert_int_equal(node_direction_of(event->type), NODE_EVENT);
    assert_int_equal(now, crowd.now);
    if (crowd.count < EVENTS)
        crowd.events[crowd.count++] = *event;
    return crowd.refuses && event->type == NODE_JOIN ? err_set(err, "no room") : 0;
}

/* Obeys as a node does. An order has to change something. */
static void crowd_order(void *context, uint64_t now, uint32_t member,
                        const struct node_message *order)
{
    (void)context;
    struct played *played = &crowd.nodes[member][order->open.app];
    assert_in_range(member, 0, MEMBERS - 1);
    assert_in_range(order->open.app, 0, APPS - 1);
    assert_int_equal(now, crowd.now);
    crowd.orders++;
    if (order->type == NODE_GRANT) {
        assert_int_equal(order->grant.phase, played->phase);
        assert_true(played->open || played->rate != order->grant.rate);
        played->open = false;
        played->rate = order->grant.rate;
        if (crowd.bound > 0)
            assert_true(crowd_held(order->open.app) <= crowd.bound * (1 + 1e-12));
    } else if (order->type == NODE_OPEN) {
        assert_false(played->open);
        played->open = true;
        played->rate = 0;
    } else if (order->type == NODE_LIMIT) {
        played->limit = order->limit;
    }
}

void crowd_open(void)
{
    struct err err = {0};
    crowd = (struct crowd){.now = 1000 * (uint64_t)MS};
    crowd.gather = gather_new((struct event_sink){crowd_tell, NULL}, crowd_order, NULL, &err);
    assert_non_null(crowd.gather);
}

void crowd_close(void)
{
    gather_free(crowd.gather);
}

void crowd_heard(const char *types)
{
    char all[1024] = "";
    for (int i = 0; i < crowd.count; i++) {
        strcat(all, i > 0 ? " " : "");
        strcat(all, node_type_name(crowd.events[i].type));
    }
    assert_string_equal(all, types);
    crowd.count = 0;
}

void crowd_settle(void)
{
    while (gather_next(crowd.gather) != UINT64_MAX) {
        uint64_t next = gather_next(crowd.gather);
        crowd.now = next > crowd.now ? next : crowd.now;
        gather_settle(crowd.gather, crowd.now);
    }
}

int crowd_hear(uint32_t member, struct node_message event)
{
    struct err err = {0};
    struct played *played = &crowd.nodes[member][event.join.app];
    if (event.type == NODE_END || event.type == NODE_LEAVE ||
        (event.type == NODE_POST && event.post.phase != played->phase))
        played->rate = 0;
    if (event.type == NODE_POST)
        played->phase = event.post.phase;
    if (event.type == NODE_LEAVE)
        *played = (struct played){0};
    return gather_hear(crowd.gather, crowd.now, member, &event, &err);
}

struct node_message crowd_joining(uint64_t token, double nodes)
{
    return (struct node_message){
        .type = NODE_JOIN,
        .join = {.uid = 7, .token = {token, 1}, .nodes = nodes, .weight = 1, .name = "a"}};
}

void crowd_join(uint32_t member, uint32_t app, uint64_t token)
{
    struct node_message event = crowd_joining(token, 1);
    event.join.app = app;
    event.join.pid = 100 + member;
    assert_int_equal(crowd_hear(member, event), 0);
}

void crowd_post(uint32_t member, uint32_t phase, double volume)
{
    struct node_message event = {
        .type = NODE_POST, .post = {.phase = phase, .volume = volume, .announced = volume > 0}};
    crowd_hear(member, event);
}

void crowd_end(uint32_t member, uint32_t phase, double moved)
{
    struct node_message event = {.type = NODE_END, .end = {.phase = phase, .moved = moved}};
    crowd_hear(member, event);
}

void crowd_pause(uint32_t member, uint32_t phase, bool probing)
{
    struct node_message event = {.type = NODE_PAUSE,
                                 .pause = {.phase = phase, .quiet = 0.5, .probing = probing}};
    crowd_hear(member, event);
}

void crowd_resume(uint32_t member, uint32_t phase)
{
    struct node_message event = {.type = NODE_RESUME, .resume = {.phase = phase}};
    crowd_hear(member, event);
}

void crowd_leave(uint32_t member, uint32_t app, double moved)
{
    struct node_message event = {.type = NODE_LEAVE, .leave = {.app = app, .moved = moved}};
    crowd_hear(member, event);
}

void crowd_progress(uint32_t member, double moved)
{
    struct node_message event = {
        .type = NODE_PROGRESS,
        .progress = {.processes = 2, .failure = WIRE_FAILED_NONE, .moved = moved}};
    crowd_hear(member, event);
}

void crowd_grant(uint32_t phase, double rate)
{
    struct node_message order = {.type = NODE_GRANT, .grant = {.phase = phase, .rate = rate}};
    gather_obey(crowd.gather, crowd.now, &order);
    gather_settle(crowd.gather, crowd.now);
}

double crowd_rate(uint32_t member)
{
    return crowd.nodes[member][0].rate;
}

void crowd_report(uint32_t member, uint32_t phase)
{
    gather_report_begins(crowd.gather, member);
    crowd_join(member, 0, 0);
    if (phase > 0)
        crowd_post(member, phase, 10);
    gather_report_ends(crowd.gather, crowd.now, member);
}

int crowd_open_none(void **state)
{
    (void)state;
    crowd_open();
    return 0;
}

int crowd_open_two(void **state)
{
    (void)state;
    crowd_open();
    for (uint32_t member = 0; member < 2; member++)
        crowd_join(member, 0, 0);
    for (uint32_t member = 0; member < 2; member++)
        crowd_post(member, 1, 10);
    crowd.count = 0;
    return 0;
}

int crowd_end_test(void **state)
{
    (void)state;
    crowd_close();
    return 0;
}

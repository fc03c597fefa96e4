#include "common_hub.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct world world;

/* --- the wiring ------------------------------------------------------------------------------- */

static void mail_put(struct mail *mail, uint32_t agent, const void *bytes, size_t size)
{
    assert_true(mail->count < FRAMES);
    struct parcel *parcel = &mail->parcels[mail->count++];
    *parcel = (struct parcel){agent, size, malloc(size)};
    memcpy(parcel->bytes, bytes, size);
}

void mail_drop(struct mail *mail)
{
    for (int i = 0; i < mail->count; i++)
        free(mail->parcels[i].bytes);
    mail->count = 0;
}

static bool agent_send(void *context, const void *bytes, size_t size)
{
    const struct agent *agent = context;
    mail_put(&world.up, agent->number, bytes, size);
    return true;
}

static struct agent *agent_of(uint32_t member)
{
    for (int i = 0; i < AGENTS; i++)
        if (world.agents[i].connected && world.agents[i].member == member)
            return &world.agents[i];
    return NULL;
}

static bool world_send(void *context, uint32_t member, const void *bytes, size_t size)
{
    (void)context;
    struct agent *agent = agent_of(member);
    assert_non_null(agent);
    if (agent->deaf)
        return false;
    mail_put(&world.down, agent->number, bytes, size);
    return true;
}

static void world_note(uint32_t member, const char *what)
{
    char text[64];
    snprintf(text, sizeof text, "%s%u:%s", world.heard[0] ? " " : "", member, what);
    assert_true(strlen(world.heard) + strlen(text) < sizeof world.heard);
    strcat(world.heard, text);
}

static int world_hear(void *context, uint64_t now, struct hub_place from,
                      const struct node_message *event, struct err *err)
{
    (void)context;
    assert_int_equal(now, world.now);
    assert_int_equal(from.channel, 0);
    world_note(from.member, node_type_name(event->type));
    return event->type == NODE_JOIN && world.refuses ? err_set(err, "too many") : 0;
}

static void world_report(void *context, uint64_t now, struct hub_place from, bool ends)
{
    (void)context;
    (void)now;
    world_note(from.member, ends ? "ends" : "begins");
}

static void world_lose(void *context, uint64_t now, struct hub_place from, bool restarted)
{
    (void)context;
    (void)now;
    (void)restarted;
    world_note(from.member, "lost");
}

static void world_close(void *context, uint32_t member, const char *why)
{
    (void)context;
    struct agent *agent = agent_of(member);
    assert_true(why[0]);
    world.closed++;
    if (agent) {
        agent->connected = false;
        uplink_disconnected(agent->uplink, world.now);
    }
}

static void world_superseded(void *context, uint64_t now, uint64_t epoch)
{
    (void)context;
    (void)now;
    world.superseded = epoch;
}

static const struct hub_ops world_ops = {
    .hear = world_hear,
    .report = world_report,
    .lose = world_lose,
    .send = world_send,
    .close = world_close,
    .superseded = world_superseded,
};
static const struct hub_terms world_terms = {
    .lease = 4, .drift = 0.01, .channels = 1, .bandwidth = {B}};

static void agent_start(struct agent *agent)
{
    const struct node_terms node_terms = {.rule = {0.002, 0.05}};
    const struct uplink_terms uplink_terms = {
        .lease = 4, .beat = 1, .progress = 1, .floor = agent->floor, .channels = 1};
    struct err err;
    static uint64_t incarnation;
    agent->incarnation = ++incarnation;
    agent->uplink = uplink_new(&uplink_terms, agent_send, agent, &err);
    agent->node = node_new(&node_terms, (struct event_sink){0}, world.now, &err);
    assert_non_null(agent->uplink);
    assert_non_null(agent->node);
    uplink_bind(agent->uplink, 0, agent->node);
}

static void agent_stop(struct agent *agent)
{
    node_free(agent->node);
    uplink_free(agent->uplink);
}

void agent_restart(uint32_t number)
{
    struct agent *agent = &world.agents[number];
    agent_stop(agent);
    agent->seat = (struct seat){0};
    agent_start(agent);
}

void agent_connect(uint32_t number)
{
    struct agent *agent = &world.agents[number];
    char name[16];
    struct err err = {0};
    snprintf(name, sizeof name, "n%u", number);
    const struct hub_hello hello = {name, agent->incarnation, uplink_epoch(agent->uplink),
                                    NODE_NEWEST};
    agent->member = hub_connect(world.hub, world.now, &hello, &err);
    assert_string_equal(err.text, "");
    agent->connected = true;
    uplink_connected(agent->uplink, world.now, NODE_NEWEST);
}

void agent_cut(uint32_t number)
{
    struct agent *agent = &world.agents[number];
    hub_disconnect(world.hub, world.now, agent->member);
    uplink_disconnected(agent->uplink, world.now);
    agent->connected = false;
}

/* --- frames ----------------------------------------------------------------------------------- */

void world_deliver_up(void)
{
    struct mail mail = world.up;
    world.up.count = 0;
    for (int i = 0; i < mail.count; i++) {
        struct agent *agent = &world.agents[mail.parcels[i].agent];
        struct err err = {0};
        if (agent->connected)
            assert_int_equal(hub_frame(world.hub, world.now, agent->member, mail.parcels[i].bytes,
                                       mail.parcels[i].size, &err),
                             0);
    }
    mail_drop(&mail);
}

void world_deliver_down(void)
{
    struct mail mail = world.down;
    world.down.count = 0;
    for (int i = 0; i < mail.count; i++) {
        struct agent *agent = &world.agents[mail.parcels[i].agent];
        struct err err = {0};
        if (agent->connected)
            assert_int_equal(uplink_frame(agent->uplink, world.now, mail.parcels[i].bytes,
                                          mail.parcels[i].size, &err),
                             0);
    }
    mail_drop(&mail);
}

void world_agents(void)
{
    for (int i = 0; i < AGENTS; i++)
        if (world.agents[i].uplink)
            uplink_settle(world.agents[i].uplink, world.now);
}

void world_hub(void)
{
    hub_settle(world.hub, world.now);
    assert_true(hub_held(world.hub, 0) <= B * (1 + 1e-9));
}

void world_tell(void)
{
    world_agents();
    world_deliver_up();
}

void world_answer(void)
{
    world_hub();
    world_deliver_down();
}

void world_settle(void)
{
    do {
        world_tell();
        world_answer();
        world_agents();
    } while (world.up.count + world.down.count > 0 || hub_next(world.hub) == 0);
}

void world_pass(double seconds)
{
    for (uint64_t end = world.now + (uint64_t)(seconds * S); world.now < end;) {
        world.now += 50 * MS;
        world_settle();
    }
}

/* --- from start to end ------------------------------------------------------------------------ */

struct hub *world_new_hub(struct err *err)
{
    return hub_new(&world_terms, &world_ops, NULL, err);
}

void world_lead(uint64_t epoch)
{
    world_lead_after(epoch, NULL);
}

void world_lead_after(uint64_t epoch, const double *held)
{
    struct err err = {0};
    hub_free(world.hub);
    world.hub = world_new_hub(&err);
    assert_non_null(world.hub);
    hub_activate(world.hub, world.now, epoch, UINT64_MAX, held);
}

static int world_open(uint32_t agents)
{
    world = (struct world){.now = 1000 * (uint64_t)S};
    world_lead(1);
    for (uint32_t i = 0; i < agents; i++) {
        world.agents[i] = (struct agent){.number = i};
        agent_start(&world.agents[i]);
        agent_connect(i);
    }
    world_pass(4.1); /* no grant of an earlier controller is left */
    world_forget();
    return 0;
}

int world_open_1(void **state)
{
    (void)state;
    return world_open(1);
}

int world_open_2(void **state)
{
    (void)state;
    return world_open(2);
}

int world_shut(void **state)
{
    (void)state;
    for (int i = 0; i < AGENTS; i++)
        if (world.agents[i].uplink)
            agent_stop(&world.agents[i]);
    hub_free(world.hub);
    mail_drop(&world.up);
    mail_drop(&world.down);
    return 0;
}

/* --- programs, and what must be --------------------------------------------------------------- */

void program_post(uint32_t number)
{
    struct agent *agent = &world.agents[number];
    struct err err = {0};
    struct wire_attach who = {.token = {number + 1, 1}, .nodes = 1, .weight = 1, .name = "a"};
    agent->seat.uid = 7;
    if (!agent->seat.app)
        assert_int_equal(node_attach(agent->node, world.now, &agent->seat, &who, &err), 0);
    node_post(agent->node, world.now, &agent->seat, &(struct wire_post){1e9, 1, 0});
}

void world_grant(uint32_t number, double rate)
{
    const struct agent *agent = &world.agents[number];
    struct node_message order = {.type = NODE_GRANT};
    order.grant = (struct node_grant){.phase = agent->seat.app->number, .rate = rate};
    hub_order(world.hub, (struct hub_place){0, agent->member}, &order);
}

void program_wait(uint32_t number)
{
    program_post(number);
    world_settle();
}

void program_hold(uint32_t number, double rate)
{
    program_wait(number);
    world_grant(number, rate);
    world_settle();
}

void program_end(uint32_t number)
{
    struct agent *agent = &world.agents[number];
    node_end(agent->node, world.now, &agent->seat);
}

bool program_is_free(uint32_t number)
{
    return world.agents[number].seat.app->open;
}

void world_forget(void)
{
    world.heard[0] = '\0';
}

void assert_rate(uint32_t number, double rate)
{
    assert_float_equal(world.agents[number].seat.app->rate, rate, 1e-6);
}

void assert_held(double rate)
{
    assert_float_equal(hub_held(world.hub, 0), rate, 1e-6);
}

void assert_heard(const char *events)
{
    assert_string_equal(world.heard, events);
}

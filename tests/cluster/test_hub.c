/* A hub and agents with real nodes; the test plays the controller and carries the frames. */
#include "base/mem.h"
#include "cluster/frame.h"
#include "cluster/hub.h"
#include "cluster/uplink.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MS 1000000u
#define S  1000000000u
#define B  100.0

enum { AGENTS = 4, FRAMES = 256 };

struct parcel {
    uint32_t agent;
    size_t size;
    unsigned char *bytes;
};
struct mail {
    struct parcel parcels[FRAMES];
    int count;
};

struct agent {
    struct world *world;
    uint32_t number, member;
    uint64_t incarnation;
    struct node *node;
    struct uplink *uplink;
    bool connected, deaf; /* deaf: it does not read */
    struct seat seat;
    double floor; /* of its programs without a controller */
};

struct world {
    uint64_t now;
    struct hub *hub;
    struct agent agents[AGENTS];
    struct mail up, down;
    char heard[4096]; /* events */
    bool refuses;
    uint64_t superseded;
    int closed;
};

/* --- the wiring ------------------------------------------------------------------------------- */

static void mail_put(struct mail *mail, uint32_t agent, const void *bytes, size_t size)
{
    assert_true(mail->count < FRAMES);
    struct parcel *parcel = &mail->parcels[mail->count++];
    *parcel = (struct parcel){agent, size, malloc(size)};
    memcpy(parcel->bytes, bytes, size);
}

static void mail_drop(struct mail *mail)
{
    for (int i = 0; i < mail->count; i++)
        free(mail->parcels[i].bytes);
    mail->count = 0;
}

static bool agent_send(void *context, const void *bytes, size_t size)
{
    struct agent *agent = context;
    mail_put(&agent->world->up, agent->number, bytes, size);
    return true;
}

static struct agent *agent_of(struct world *world, uint32_t member)
{
    for (int i = 0; i < AGENTS; i++)
        if (world->agents[i].connected && world->agents[i].member == member)
            return &world->agents[i];
    return NULL;
}

static bool world_send(void *context, uint32_t member, const void *bytes, size_t size)
{
    struct world *world = context;
    struct agent *agent = agent_of(world, member);
    assert_non_null(agent);
    if (agent->deaf)
        return false;
    mail_put(&world->down, agent->number, bytes, size);
    return true;
}

static void note(struct world *world, uint32_t member, const char *what)
{
    char text[64];
    snprintf(text, sizeof text, "%s%u:%s", world->heard[0] ? " " : "", member, what);
    assert_true(strlen(world->heard) + strlen(text) < sizeof world->heard);
    strcat(world->heard, text);
}

static int world_hear(void *context, uint64_t now, struct hub_place from,
                      const struct node_message *event, struct err *err)
{
    struct world *world = context;
    assert_int_equal(now, world->now);
    assert_int_equal(from.channel, 0);
    note(world, from.member, node_type_name(event->type));
    return event->type == NODE_JOIN && world->refuses ? err_set(err, "too many") : 0;
}

static void world_report(void *context, uint64_t now, struct hub_place from, bool ends)
{
    (void)now;
    note(context, from.member, ends ? "ends" : "begins");
}

static void world_lose(void *context, uint64_t now, struct hub_place from)
{
    (void)now;
    note(context, from.member, "lost");
}

static void world_close(void *context, uint32_t member, const char *why)
{
    struct world *world = context;
    struct agent *agent = agent_of(world, member);
    assert_true(why[0]);
    world->closed++;
    if (agent) {
        agent->connected = false;
        uplink_disconnected(agent->uplink, world->now);
    }
}

static void world_superseded(void *context, uint64_t now, uint64_t epoch)
{
    struct world *world = context;
    (void)now;
    world->superseded = epoch;
}

static const struct hub_ops ops = {
    .hear = world_hear,
    .report = world_report,
    .lose = world_lose,
    .send = world_send,
    .close = world_close,
    .superseded = world_superseded,
};
static const struct hub_terms terms = {.lease = 4, .drift = 0.01, .channels = 1, .bandwidth = {B}};

static int agent_tell(void *context, uint64_t now, const struct node_message *event,
                      struct err *err)
{
    struct agent *agent = context;
    (void)err;
    return uplink_hear(agent->uplink, now, 0, event);
}

static void agent_start(struct agent *agent)
{
    const struct node_terms node_terms = {{0.002, 0.05}, 0};
    const struct uplink_terms uplink_terms = {
        .lease = 4, .beat = 1, .progress = 1, .floor = agent->floor, .channels = 1};
    struct err err;
    static uint64_t incarnation;
    agent->incarnation = ++incarnation;
    agent->uplink = uplink_new(&uplink_terms, agent_send, agent, &err);
    agent->node = node_new(&node_terms, agent_tell, agent, agent->world->now, &err);
    assert_non_null(agent->uplink);
    assert_non_null(agent->node);
    uplink_bind(agent->uplink, 0, agent->node);
}

static void agent_stop(struct agent *agent)
{
    node_free(agent->node);
    uplink_free(agent->uplink);
}

static void agent_connect(struct world *world, uint32_t number)
{
    struct agent *agent = &world->agents[number];
    char name[16];
    struct err err = {""};
    snprintf(name, sizeof name, "n%u", number);
    const struct hub_hello hello = {name, agent->incarnation, uplink_epoch(agent->uplink), 1};
    agent->member = hub_connect(world->hub, world->now, &hello, &err);
    assert_string_equal(err.text, "");
    agent->connected = true;
    uplink_connected(agent->uplink, world->now, 1);
}

static void agent_cut(struct world *world, uint32_t number)
{
    struct agent *agent = &world->agents[number];
    hub_disconnect(world->hub, world->now, agent->member);
    uplink_disconnected(agent->uplink, world->now);
    agent->connected = false;
}

/* Delivers the frames that are under way, each side's once. */
static void world_deliver_up(struct world *world)
{
    struct mail mail = world->up;
    world->up.count = 0;
    for (int i = 0; i < mail.count; i++) {
        struct agent *agent = &world->agents[mail.parcels[i].agent];
        struct err err = {""};
        if (agent->connected)
            assert_int_equal(hub_frame(world->hub, world->now, agent->member, mail.parcels[i].bytes,
                                       mail.parcels[i].size, &err),
                             0);
    }
    mail_drop(&mail);
}

static void world_deliver_down(struct world *world)
{
    struct mail mail = world->down;
    world->down.count = 0;
    for (int i = 0; i < mail.count; i++) {
        struct agent *agent = &world->agents[mail.parcels[i].agent];
        struct err err = {""};
        if (agent->connected)
            assert_int_equal(uplink_frame(agent->uplink, world->now, mail.parcels[i].bytes,
                                          mail.parcels[i].size, &err),
                             0);
    }
    mail_drop(&mail);
}

/* Lets all agents send, and the hub. */
static void world_agents(struct world *world)
{
    for (int i = 0; i < AGENTS; i++)
        if (world->agents[i].uplink)
            uplink_settle(world->agents[i].uplink, world->now);
}

static void world_hub(struct world *world)
{
    hub_settle(world->hub, world->now);
    assert_true(hub_held(world->hub, 0) <= B * (1 + 1e-9));
}

/* Until nothing is under way. */
static void world_settle(struct world *world)
{
    do {
        world_agents(world);
        world_deliver_up(world);
        world_hub(world);
        world_deliver_down(world);
        world_agents(world);
    } while (world->up.count + world->down.count > 0 || hub_next(world->hub) == 0);
}

/* Lets time pass in steps in which everything that is due happens. */
static void world_pass(struct world *world, double seconds)
{
    for (uint64_t end = world->now + (uint64_t)(seconds * S); world->now < end;) {
        world->now += 50 * MS;
        world_settle(world);
    }
}

static void world_open(struct world *world, uint32_t agents)
{
    struct err err = {""};
    *world = (struct world){.now = 1000 * (uint64_t)S};
    world->hub = hub_new(&terms, &ops, world, &err);
    assert_non_null(world->hub);
    hub_activate(world->hub, world->now, 1, UINT64_MAX);
    for (uint32_t i = 0; i < agents; i++) {
        world->agents[i] = (struct agent){.world = world, .number = i};
        agent_start(&world->agents[i]);
        agent_connect(world, i);
    }
    world_pass(world, 4.1); /* no grant of an earlier controller is left */
    world->heard[0] = '\0';
}

static void world_shut(struct world *world)
{
    for (int i = 0; i < AGENTS; i++)
        if (world->agents[i].uplink)
            agent_stop(&world->agents[i]);
    hub_free(world->hub);
    mail_drop(&world->up);
    mail_drop(&world->down);
}

/* A program of an agent attaches and begins an I/O. */
static void program_post(struct world *world, uint32_t number)
{
    struct agent *agent = &world->agents[number];
    struct err err = {""};
    struct wire_attach who = {.token = {number + 1, 1}, .nodes = 1, .weight = 1, .name = "a"};
    agent->seat.uid = 7;
    if (!agent->seat.app)
        assert_int_equal(node_attach(agent->node, world->now, &agent->seat, &who, &err), 0);
    node_post(agent->node, world->now, &agent->seat, &(struct wire_post){1e9, 1, 0});
}

static void grant(struct world *world, uint32_t number, double rate)
{
    const struct agent *agent = &world->agents[number];
    struct node_message order = {.type = NODE_GRANT};
    order.grant = (struct node_grant){.phase = agent->seat.app->number, .rate = rate};
    hub_order(world->hub, (struct hub_place){0, agent->member}, &order);
}

static double rate_of(const struct world *world, uint32_t number)
{
    return world->agents[number].seat.app->rate;
}

static bool is_free(const struct world *world, uint32_t number)
{
    return world->agents[number].seat.app->open;
}

/* --- grants ----------------------------------------------------------------------------------- */

static void an_event_comes_back_as_a_grant_in_one_turn(void **state)
{
    struct world world;
    (void)state;
    world_open(&world, 1);
    program_post(&world, 0);
    uplink_settle(world.agents[0].uplink, world.now);
    assert_int_equal(world.up.count, 1); /* JOIN, POST */
    world_deliver_up(&world);
    assert_string_equal(world.heard, "0:JOIN 0:POST 0:PROGRESS");
    grant(&world, 0, 60);
    world_hub(&world);
    assert_int_equal(world.down.count, 1);
    world_deliver_down(&world);
    assert_float_equal(rate_of(&world, 0), 60, 1e-6);
    assert_float_equal(hub_held(world.hub, 0), 60, 1e-6);
    uplink_settle(world.agents[0].uplink, world.now);
    assert_int_equal(world.up.count, 0); /* a raise needs no answer */
    world_shut(&world);
}

static void a_grant_is_raised_when_what_it_needs_is_acknowledged(void **state)
{
    struct world world;
    (void)state;
    world_open(&world, 2);
    program_post(&world, 0);
    program_post(&world, 1);
    world_settle(&world);
    grant(&world, 0, 100);
    world_settle(&world);
    grant(&world, 0, 50);
    grant(&world, 1, 50);
    world_hub(&world);
    assert_int_equal(world.down.count, 1); /* the second waits for the first */
    world_deliver_down(&world);
    assert_float_equal(rate_of(&world, 0), 50, 1e-6);
    assert_float_equal(hub_held(world.hub, 0), 100, 1e-6);
    world_agents(&world);
    assert_int_equal(world.up.count, 1); /* acknowledged at once */
    world_deliver_up(&world);
    world_hub(&world);
    world_deliver_down(&world);
    assert_float_equal(rate_of(&world, 1), 50, 1e-6);
    world_shut(&world);
}

static void a_pause_or_an_end_frees_bandwidth_without_an_order(void **state)
{
    struct world world;
    (void)state;
    world_open(&world, 2);
    program_post(&world, 0);
    program_post(&world, 1);
    world_settle(&world);
    grant(&world, 0, 100);
    world_settle(&world);
    node_end(world.agents[0].node, world.now, &world.agents[0].seat);
    uplink_settle(world.agents[0].uplink, world.now);
    world_deliver_up(&world);
    assert_float_equal(hub_held(world.hub, 0), 0, 1e-6);
    grant(&world, 1, 100);
    world_hub(&world);
    world_deliver_down(&world);
    assert_float_equal(rate_of(&world, 1), 100, 1e-6);
    world_shut(&world);
}

static void a_grant_that_crosses_a_pause_is_not_obeyed(void **state)
{
    struct world world;
    (void)state;
    world_open(&world, 1);
    program_post(&world, 0);
    world_settle(&world);
    grant(&world, 0, 80);
    world_hub(&world); /* it is under way, */
    struct node_app *app = world.agents[0].seat.app;
    uplink_hear(world.agents[0].uplink, world.now, 0,
                &(struct node_message){.type = NODE_PAUSE, .pause = {.phase = app->number}});
    uplink_hear(world.agents[0].uplink, world.now, 0,
                &(struct node_message){.type = NODE_RESUME, .resume = {.phase = app->number}});
    world_deliver_down(&world);
    assert_float_equal(rate_of(&world, 0), 0, 1e-6);
    world_settle(&world); /* the controller hears of the pause, and its order holds again */
    assert_float_equal(rate_of(&world, 0), 80, 1e-6);
    world_shut(&world);
}

/* --- leases ----------------------------------------------------------------------------------- */

static void programs_run_free_when_the_lease_ends_and_come_back(void **state)
{
    struct world world;
    (void)state;
    world_open(&world, 1);
    program_post(&world, 0);
    world_settle(&world);
    grant(&world, 0, 60);
    world_settle(&world);
    world_pass(&world, 10); /* beats renew it */
    assert_false(is_free(&world, 0));
    agent_cut(&world, 0);
    world_pass(&world, 2.9);
    assert_false(is_free(&world, 0));
    assert_float_equal(hub_held(world.hub, 0), 60, 1e-6);
    world_pass(&world, 1.15);
    assert_true(is_free(&world, 0));
    assert_float_equal(hub_held(world.hub, 0), 0, 1e-6);
    world.heard[0] = '\0';
    agent_connect(&world, 0);
    world_settle(&world);
    assert_string_equal(world.heard, "0:begins 0:JOIN 0:POST 0:RESUME 0:PROGRESS 0:ends");
    grant(&world, 0, 30);
    world_settle(&world);
    assert_false(is_free(&world, 0));
    assert_float_equal(rate_of(&world, 0), 30, 1e-6);
    world_shut(&world);
}

static void programs_fall_to_a_floor_if_there_is_one(void **state)
{
    struct world world;
    (void)state;
    world_open(&world, 1);
    agent_stop(&world.agents[0]);
    world.agents[0].floor = 5;
    agent_start(&world.agents[0]);
    program_post(&world, 0); /* no controller has ever answered */
    assert_float_equal(rate_of(&world, 0), 5, 1e-6);
    agent_connect(&world, 0);
    world_settle(&world);
    grant(&world, 0, 60);
    world_settle(&world);
    assert_float_equal(rate_of(&world, 0), 60, 1e-6);
    agent_cut(&world, 0);
    world_pass(&world, 4.1);
    assert_false(is_free(&world, 0));
    assert_float_equal(rate_of(&world, 0), 5, 1e-6);
    node_end(world.agents[0].node, world.now, &world.agents[0].seat);
    program_post(&world, 0);
    assert_float_equal(rate_of(&world, 0), 5, 1e-6);
    world_shut(&world);
}

static void an_agent_that_comes_back_in_time_keeps_what_it_holds(void **state)
{
    struct world world;
    (void)state;
    world_open(&world, 1);
    program_post(&world, 0);
    world_settle(&world);
    grant(&world, 0, 60);
    world_settle(&world);
    agent_cut(&world, 0);
    world_pass(&world, 1);
    grant(&world, 0, 40); /* it does not hear of it now */
    world_settle(&world);
    assert_float_equal(hub_held(world.hub, 0), 60, 1e-6);
    agent_connect(&world, 0);
    world_settle(&world);
    assert_false(is_free(&world, 0));
    assert_float_equal(rate_of(&world, 0), 40, 1e-6);
    assert_float_equal(hub_held(world.hub, 0), 40, 1e-6);
    world_shut(&world);
}

static void a_program_without_a_controller_waits_at_most_for_the_lease(void **state)
{
    struct world world;
    (void)state;
    world_open(&world, 1);
    world_pass(&world, 20); /* an agent that needs nothing says nothing */
    uint64_t before = hub_counts(world.hub).received;
    world_pass(&world, 20);
    assert_int_equal(hub_counts(world.hub).received, before);
    program_post(&world, 0);
    for (int i = 0; i < 79; i++) {
        world.now += 50 * MS;
        uplink_settle(world.agents[0].uplink, world.now);
        mail_drop(&world.up); /* the controller hears nothing */
        assert_false(is_free(&world, 0));
    }
    world.now += 50 * MS;
    uplink_settle(world.agents[0].uplink, world.now);
    assert_true(is_free(&world, 0));
    world_shut(&world);
}

static void a_late_frame_renews_nothing(void **state)
{
    struct world world;
    (void)state;
    world_open(&world, 1);
    program_post(&world, 0);
    world_settle(&world);
    grant(&world, 0, 60);
    world_hub(&world);
    world.now += 4 * (uint64_t)S; /* the grant is under way for as long as it is valid */
    world_deliver_down(&world);
    assert_float_equal(rate_of(&world, 0), 0, 1e-6);
    uplink_settle(world.agents[0].uplink, world.now);
    assert_true(is_free(&world, 0));
    world_shut(&world);
}

/* --- restarts --------------------------------------------------------------------------------- */

static void what_a_restarted_agent_held_counts_until_its_lease_ends(void **state)
{
    struct world world;
    (void)state;
    world_open(&world, 1);
    program_post(&world, 0);
    world_settle(&world);
    grant(&world, 0, 60);
    world_settle(&world);
    agent_stop(&world.agents[0]);
    world.agents[0].seat = (struct seat){0};
    agent_start(&world.agents[0]);
    world.heard[0] = '\0';
    agent_connect(&world, 0); /* before the end of its old connection is noticed */
    assert_int_equal(world.closed, 1);
    assert_int_equal(world.agents[0].member, 1);
    assert_string_equal(world.heard, "0:lost");
    world_settle(&world);
    program_post(&world, 0);
    world_settle(&world);
    grant(&world, 0, 100);
    world_settle(&world);
    assert_float_equal(rate_of(&world, 0), 40, 1e-6); /* what is left of it */
    world_pass(&world, 4.1);
    assert_float_equal(rate_of(&world, 0), 100, 1e-6);
    world_shut(&world);
}

static void a_new_controller_adopts_and_raises_nothing_for_a_lease(void **state)
{
    struct world world;
    struct err err;
    (void)state;
    world_open(&world, 2);
    program_post(&world, 0);
    world_settle(&world);
    grant(&world, 0, 60);
    world_settle(&world);
    agent_cut(&world, 0);
    agent_cut(&world, 1);
    hub_free(world.hub);
    world.hub = hub_new(&terms, &ops, &world, &err);
    hub_activate(world.hub, world.now, 2, UINT64_MAX);
    agent_connect(&world, 0);
    agent_connect(&world, 1);
    world_settle(&world);
    assert_float_equal(hub_held(world.hub, 0), 60, 1e-6);
    program_post(&world, 1);
    world_settle(&world);
    grant(&world, 0, 50);
    grant(&world, 1, 50);
    world_settle(&world);
    assert_float_equal(rate_of(&world, 0), 50, 1e-6); /* lowered at once, */
    world_pass(&world, 3.9);
    assert_float_equal(rate_of(&world, 0), 50, 1e-6); /* renewed, */
    assert_float_equal(rate_of(&world, 1), 0, 1e-6);
    world_pass(&world, 0.2);
    assert_float_equal(rate_of(&world, 1), 50, 1e-6); /* and raised later */
    world_shut(&world);
}

static void an_old_controller_steps_down_and_is_not_obeyed(void **state)
{
    struct world world;
    (void)state;
    world_open(&world, 1);
    program_post(&world, 0);
    world_settle(&world);
    grant(&world, 0, 60);
    world_hub(&world);
    /* A frame of a new controller overtakes the grant. */
    struct frame frame;
    struct err err = {""};
    frame_clear(&frame);
    frame_seal(&frame, &(struct frame_head){.epoch = 9, .sequence = 5});
    assert_int_equal(uplink_frame(world.agents[0].uplink, world.now, frame.bytes, frame.size, &err),
                     0);
    assert_int_equal(uplink_epoch(world.agents[0].uplink), 9);
    assert_int_equal(uplink_frame(world.agents[0].uplink, world.now, world.down.parcels[0].bytes,
                                  world.down.parcels[0].size, &err),
                     -1);
    assert_string_equal(err.text, "another controller has taken its place");
    assert_float_equal(rate_of(&world, 0), 0, 1e-6);
    mail_drop(&world.down);
    uplink_settle(world.agents[0].uplink, world.now);
    world_deliver_up(&world); /* it hears that it was replaced */
    assert_false(hub_is_active(world.hub));
    assert_int_equal(world.superseded, 9);
    assert_int_equal(hub_heard(world.hub), 9);
    world_shut(&world);
}

static void an_elected_controller_is_silent_after_its_term(void **state)
{
    struct world world;
    struct err err = {""};
    (void)state;
    world_open(&world, 1);
    program_post(&world, 0);
    world_settle(&world);
    hub_extend(world.hub, world.now + S);
    grant(&world, 0, 60);
    world.now += S;
    world_hub(&world);
    assert_int_equal(world.down.count, 0);
    assert_false(hub_is_active(world.hub));
    const struct hub_hello hello = {"n9", 1, 0, 1};
    assert_int_equal(hub_connect(world.hub, world.now, &hello, &err), HUB_NONE);
    assert_string_equal(err.text, "this controller is not active");
    world_shut(&world);
}

/* --- lost frames ------------------------------------------------------------------------------ */

static void a_lost_event_is_made_up_for_by_a_report(void **state)
{
    struct world world;
    (void)state;
    world_open(&world, 1);
    program_post(&world, 0);
    uplink_settle(world.agents[0].uplink, world.now);
    mail_drop(&world.up);
    world_pass(&world, 1.1); /* the next beat shows the gap */
    assert_string_equal(world.heard, "0:begins 0:JOIN 0:POST 0:RESUME 0:PROGRESS 0:ends");
    grant(&world, 0, 60);
    world_hub(&world);
    mail_drop(&world.down); /* the same in the other direction */
    world_pass(&world, 1.1);
    assert_float_equal(rate_of(&world, 0), 60, 1e-6);
    world_shut(&world);
}

static void an_application_that_a_report_lacks_has_left(void **state)
{
    struct world world;
    (void)state;
    world_open(&world, 1);
    program_post(&world, 0);
    world_settle(&world);
    grant(&world, 0, 60);
    world_settle(&world);
    node_detach(world.agents[0].node, world.now, &world.agents[0].seat);
    uplink_settle(world.agents[0].uplink, world.now);
    mail_drop(&world.up); /* its LEAVE */
    world.heard[0] = '\0';
    world_pass(&world, 1.1);
    assert_string_equal(world.heard, "0:begins 0:ends");
    assert_float_equal(hub_held(world.hub, 0), 0, 1e-6);
    world_shut(&world);
}

static void a_deaf_agent_gets_the_newest_state_when_it_reads_again(void **state)
{
    struct world world;
    (void)state;
    world_open(&world, 1);
    program_post(&world, 0);
    world_settle(&world);
    world.agents[0].deaf = true;
    for (int rate = 10; rate < 50; rate += 10) {
        grant(&world, 0, rate);
        world_settle(&world);
    }
    world.agents[0].deaf = false;
    hub_writable(world.hub, world.agents[0].member);
    world_settle(&world);
    assert_float_equal(rate_of(&world, 0), 40, 1e-6);
    world_shut(&world);
}

static void a_refused_application_runs_free(void **state)
{
    struct world world;
    (void)state;
    world_open(&world, 1);
    world.refuses = true;
    program_post(&world, 0);
    world_settle(&world);
    assert_true(is_free(&world, 0));
    assert_string_equal(world.heard, "0:JOIN");
    world_shut(&world);
}

/* Every byte of a frame can be anything. */
static void malformed_frames_are_refused(void **state)
{
    struct world world;
    struct err err = {""};
    (void)state;
    world_open(&world, 1);
    program_post(&world, 0);
    uplink_settle(world.agents[0].uplink, world.now);
    struct parcel *sent = &world.up.parcels[0];
    for (size_t size = 0; size < FRAME_HEAD; size++)
        assert_int_equal(hub_frame(world.hub, world.now, 0, sent->bytes, size, &err), -1);
    struct frame frame;
    frame_clear(&frame);
    frame_seal(&frame, &(struct frame_head){.epoch = 1, .sequence = 2, .acknowledged = 99});
    assert_int_equal(hub_frame(world.hub, world.now, 0, frame.bytes, frame.size, &err), -1);
    frame_seal(&frame, &(struct frame_head){.epoch = 1, .sequence = 2, .flags = 1 << 20});
    assert_int_equal(hub_frame(world.hub, world.now, 0, frame.bytes, frame.size, &err), -1);
    frame_add(&frame, 1, 1, &(struct node_message){.type = NODE_LEAVE});
    frame_seal(&frame, &(struct frame_head){.epoch = 1, .sequence = 2});
    assert_int_equal(hub_frame(world.hub, world.now, 0, frame.bytes, frame.size, &err), -1);
    assert_string_equal(err.text, "the message is of an unknown channel");
    frame_clear(&frame);
    frame_add(
        &frame, 1, 0,
        &(struct node_message){.type = NODE_JOIN,
                               .join = {.app = UINT32_MAX, .nodes = 1, .weight = 1, .name = "a"}});
    frame_seal(&frame, &(struct frame_head){.epoch = 1, .sequence = 3});
    assert_int_equal(hub_frame(world.hub, world.now, 0, frame.bytes, frame.size, &err), -1);
    world_shut(&world);
}

static void a_hub_without_memory_refuses_an_agent(void **state)
{
    struct world world;
    struct err err;
    (void)state;
    world_open(&world, 1);
    for (long n = 0; n < 3; n++) {
        const struct hub_hello hello = {"other", 1, 0, 1};
        mem_fail_after(0);
        uint32_t member = hub_connect(world.hub, world.now, &hello, &err);
        mem_fail_after(-1);
        assert_int_equal(member, HUB_NONE);
    }
    for (long n = 0;; n++) {
        mem_fail_after(n);
        struct hub *hub = hub_new(&terms, &ops, &world, &err);
        mem_fail_after(-1);
        hub_free(hub);
        if (hub)
            break;
    }
    world_shut(&world);
}

/* --- two agents of one name ------------------------------------------------------------------- */

static void a_second_agent_of_a_name_waits_while_the_first_lives(void **state)
{
    struct world world;
    const struct hub_hello same = {"n0", 0, 0, 1}, other = {"n9", 77, 0, 1};
    struct hub_hello second = {"n0", 77, 0, 1};
    (void)state;
    world_open(&world, 1);
    struct agent *first = &world.agents[0];
    second.epoch = uplink_epoch(first->uplink);
    assert_false(hub_has_rival(world.hub, world.now, &other));
    assert_true(hub_has_rival(world.hub, world.now, &second));
    struct hub_hello again = same;
    again.incarnation = first->incarnation;
    assert_false(hub_has_rival(world.hub, world.now, &again)); /* the same one connects again */
    for (int i = 0; i < 3; i++) { /* it has nothing to say, but answers when it is asked */
        world_pass(&world, 5);
        assert_true(hub_has_rival(world.hub, world.now, &second));
        world_pass(&world, 1.5);
        assert_true(hub_has_rival(world.hub, world.now, &second));
    }
    first->deaf = true; /* it hangs: the second takes its place */
    world_pass(&world, 5);
    assert_true(hub_has_rival(world.hub, world.now, &second));
    world_pass(&world, 1.5);
    assert_false(hub_has_rival(world.hub, world.now, &second));
    world_shut(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_event_comes_back_as_a_grant_in_one_turn),
        cmocka_unit_test(a_grant_is_raised_when_what_it_needs_is_acknowledged),
        cmocka_unit_test(a_pause_or_an_end_frees_bandwidth_without_an_order),
        cmocka_unit_test(a_grant_that_crosses_a_pause_is_not_obeyed),
        cmocka_unit_test(programs_run_free_when_the_lease_ends_and_come_back),
        cmocka_unit_test(programs_fall_to_a_floor_if_there_is_one),
        cmocka_unit_test(an_agent_that_comes_back_in_time_keeps_what_it_holds),
        cmocka_unit_test(a_program_without_a_controller_waits_at_most_for_the_lease),
        cmocka_unit_test(a_late_frame_renews_nothing),
        cmocka_unit_test(what_a_restarted_agent_held_counts_until_its_lease_ends),
        cmocka_unit_test(a_new_controller_adopts_and_raises_nothing_for_a_lease),
        cmocka_unit_test(an_old_controller_steps_down_and_is_not_obeyed),
        cmocka_unit_test(an_elected_controller_is_silent_after_its_term),
        cmocka_unit_test(a_lost_event_is_made_up_for_by_a_report),
        cmocka_unit_test(an_application_that_a_report_lacks_has_left),
        cmocka_unit_test(a_deaf_agent_gets_the_newest_state_when_it_reads_again),
        cmocka_unit_test(a_refused_application_runs_free),
        cmocka_unit_test(a_second_agent_of_a_name_waits_while_the_first_lives),
        cmocka_unit_test(malformed_frames_are_refused),
        cmocka_unit_test(a_hub_without_memory_refuses_an_agent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

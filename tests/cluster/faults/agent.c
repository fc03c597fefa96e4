/* Agents: nodes and uplinks, and their connections. */
#include "cluster/frame.h"
#include "world.h"
#include <stdlib.h>

uint64_t agent_now(const struct world *world, int number)
{
    return clock_read(&world->agent[number].process.clock, world->now);
}

/* The uplink's context: an agent in its world. They are never moved. */
struct place {
    struct world *world;
    int number;
};
static struct place places[AGENTS];

static bool agent_send(void *context, const void *bytes, size_t size)
{
    const struct place *place = context;
    struct agent *agent = &place->world->agent[place->number];
    if (agent->mute)
        return false;
    network_send(place->world, agent->connection, GOES_UP, bytes, size);
    return true;
}

/* --- coming and going ------------------------------------------------------------------------- */

static void agent_dial_in(struct world *world, int number, double seconds)
{
    world->agent[number].dialling = false;
    world_push(world, SECONDS(seconds),
               (struct event){.kind = KIND_DIAL,
                              .who = number,
                              .number = ++world->agent[number].attempt,
                              .more = world->agent[number].process.life});
}

void agent_start(struct world *world, int number)
{
    struct agent *agent = &world->agent[number];
    const struct uplink_terms terms = {
        .lease = SPAN, .beat = BEAT, .progress = BEAT, .channels = 1};
    const struct node_terms node_terms = {
        .rule = {world->service.soft_release, world->service.phase_gap},
        .life = 1000 * (uint64_t)number + agent->process.life + 1};
    places[number] = (struct place){world, number};
    agent->process.alive = true;
    agent->process.life++;
    agent->process.frozen = 0;
    agent->connection = NOBODY;
    agent->dialled = (int)random_below(&world->random, CONTROLLERS);
    agent->next_look = agent->next_beat = agent_now(world, number);
    agent->served = world->now;
    agent->epoch = 0;
    agent->deaf = agent->mute = false;
    agent->uplink = uplink_new(&terms, agent_send, &places[number], NULL);
    agent->node = node_new(&node_terms, (struct event_sink){0}, agent_now(world, number), NULL);
    if (!agent->uplink || !agent->node)
        abort();
    uplink_bind(agent->uplink, 0, agent->node);
    world_say(world, "agent %d starts", number);
    agent_dial_in(world, number, world_between(world, 0, 0.05));
    agent_act(world, number);
}

/* Its programs go on with what they were granted until they notice. */
static void agent_leave_programs(struct world *world, int number)
{
    const struct agent *agent = &world->agent[number];
    uint64_t lease = clock_when(&agent->process.clock, uplink_lease(agent->uplink));
    for (int i = 0; i < world->programs; i++) {
        struct program *program = &world->program[i];
        if (program->agent != number || !program->seat.app)
            continue;
        program_move(world, i);
        bool paced = !program->seat.app->open && !program->seat.app->probing;
        program->kept = paced ? program->seat.app->rate : 0;
        program->keeps = world->now + SECONDS(world_between(world, 0, SPAN));
        program->keeps = lease < program->keeps ? lease : program->keeps;
        program->seat = (struct seat){.uid = program->seat.uid};
        program->waiting = UINT64_MAX;
        world_push(world, SECONDS(0.01),
                   (struct event){.kind = KIND_PROGRAM, .who = i, .number = ++program->serial});
    }
}

void agent_kill(struct world *world, int number)
{
    struct agent *agent = &world->agent[number];
    world_say(world, "agent %d is gone", number);
    agent_leave_programs(world, number);
    if (agent->connection != NOBODY && world->connection[agent->connection].controller_open)
        network_end(world, agent->connection, GOES_UP);
    agent->process.alive = false;
    node_free(agent->node);
    uplink_free(agent->uplink);
    agent->node = NULL;
    agent->uplink = NULL;
}

/* --- the connection --------------------------------------------------------------------------- */

void agent_hang_up(struct world *world, int number)
{
    struct agent *agent = &world->agent[number];
    if (agent->connection == NOBODY)
        return;
    struct connection *connection = &world->connection[agent->connection];
    world_say(world, "agent %d hangs up", number);
    connection->agent_open = false;
    if (connection->controller_open)
        network_end(world, agent->connection, GOES_UP);
    agent->connection = NOBODY;
    uplink_disconnected(agent->uplink, agent_now(world, number));
    agent_dial_in(world, number, world_between(world, 0.01, 0.1));
}

static void agent_dial(struct world *world, int number)
{
    struct agent *agent = &world->agent[number];
    agent->dialled = (agent->dialled + 1) % CONTROLLERS;
    uint64_t attempt = agent->attempt;
    network_carry(world, &world->path[number][agent->dialled][GOES_UP],
                  (struct event){.kind = KIND_HELLO,
                                 .who = agent->dialled,
                                 .with = number,
                                 .number = attempt,
                                 .more = agent->process.life});
    agent_dial_in(world, number, world_between(world, 0.3, 0.5)); /* unless it is welcome */
    agent->dialling = true;
}

static void agent_welcome(struct world *world, int number, const struct event *event)
{
    struct agent *agent = &world->agent[number];
    struct connection *connection = &world->connection[event->with];
    if (agent->connection != NOBODY || !agent->dialling ||
        connection->agent_life != agent->process.life || agent->attempt != event->number + 1)
        return; /* it has given up on it */
    world_say(world, "agent %d is connected to controller %d", number, connection->controller);
    agent->dialling = false;
    agent->attempt++;
    agent->connection = event->with;
    connection->agent_open = true;
    uplink_connected(agent->uplink, agent_now(world, number), world->version);
}

/* Whether a frame of a controller that was replaced has changed anything. */
static double agent_sum(const struct agent *agent)
{
    double sum = 0;
    for (uint32_t i = 0; i < agent->node->capacity; i++) {
        const struct node_app *app = agent->node->apps[i];
        if (app)
            sum += app->rate * (i + 1) + (app->open ? 1 : 0);
    }
    return sum;
}

static void agent_take(struct world *world, int number, const struct event *event)
{
    struct agent *agent = &world->agent[number];
    struct frame_head head;
    struct err err;
    const char *fault;
    if (agent->connection != event->with)
        return;
    frame_read_head(event->bytes, event->size, &head, &fault);
    double before = agent_sum(agent);
    int status =
        uplink_frame(agent->uplink, agent_now(world, number), event->bytes, event->size, &err);
    world_say(world, "agent %d hears frame %llu (epoch %llu, flags %llu, %zu bytes)", number,
              (unsigned long long)head.sequence, (unsigned long long)head.epoch,
              (unsigned long long)head.flags, event->size);
    if (head.epoch < agent->epoch && agent_sum(agent) != before &&
        agent_now(world, number) < uplink_lease(agent->uplink))
        world_break(world, "agent %d obeys epoch %llu after %llu", number,
                    (unsigned long long)head.epoch, (unsigned long long)agent->epoch);
    agent->epoch = head.epoch > agent->epoch ? head.epoch : agent->epoch;
    if (status != 0)
        agent_hang_up(world, number);
    else if ((head.flags & FRAME_LEASE) && !(head.flags & FRAME_QUIET))
        agent->served = world->now;
}

void agent_hear(struct world *world, struct event *event)
{
    struct agent *agent = &world->agent[event->who];
    switch (event->kind) {
    case KIND_DOWN:
        agent_take(world, event->who, event);
        break;
    case KIND_WELCOME:
        agent_welcome(world, event->who, event);
        break;
    case KIND_REFUSED:
        if (agent->dialling && agent->attempt == event->number + 1)
            agent_dial_in(world, event->who, world_between(world, 0.02, 0.1));
        break;
    case KIND_DIAL:
        if (agent->connection == NOBODY && agent->attempt == event->number &&
            agent->process.life == event->more)
            agent_dial(world, event->who);
        break;
    case KIND_LOST_DOWN:
        if (agent->connection == event->with)
            agent_hang_up(world, event->who);
        break;
    default:
        break;
    }
}

/* --- turns ------------------------------------------------------------------------------------ */

#define LOOK      50000000u
#define LONG_BEAT 500000000u

void agent_act(struct world *world, int number)
{
    struct agent *agent = &world->agent[number];
    uint64_t now = agent_now(world, number);
    for (int i = 0; i < world->programs; i++)
        if (world->program[i].agent == number)
            program_move(world, i);
    if (now >= agent->next_look) {
        agent->next_look = now + LOOK;
        node_look(agent->node, now);
        for (int i = 0; i < world->programs; i++)
            if (world->program[i].agent == number)
                program_look(world, i);
    }
    if (now >= agent->next_beat) {
        agent->next_beat = now + LONG_BEAT;
        node_beat(agent->node, now);
    }
    uplink_settle(agent->uplink, now);
    if (uplink_is_ignored(agent->uplink, now))
        agent_hang_up(world, number);
    for (int i = 0; i < world->programs; i++)
        if (world->program[i].agent == number)
            program_move(world, i);
    uint64_t next = uplink_next(agent->uplink);
    next = agent->next_beat < next ? agent->next_beat : next;
    if (agent->node->open_count > 0 && agent->next_look < next)
        next = agent->next_look;
    agent->process.due = clock_when(&agent->process.clock, next);
}

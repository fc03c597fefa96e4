/* Controllers, and the election among them: a key in etcd with a lease, whose revision is the
 * epoch. */
#include "base/mem.h"
#include "world.h"
#include <stdlib.h>

uint64_t candidate_now(const struct world *world, int number)
{
    return clock_read(&world->candidate[number].process.clock, world->now);
}

struct office {
    struct world *world;
    int number;
};
static struct office offices[CONTROLLERS];

static struct candidate *office_of(void *context)
{
    const struct office *office = context;
    return &office->world->candidate[office->number];
}

/* --- the wiring ------------------------------------------------------------------------------- */

static int candidate_event(void *context, uint64_t now, struct hub_place from,
                           const struct node_message *event, struct err *err)
{
    const struct office *office = context;
    world_say(office->world, "controller %d hears %s of application %u of member %u",
              office->number, node_type_name(event->type), event->join.app, from.member);
    return gather_hear(office_of(context)->gather, now, from.member, event, err);
}

static void candidate_report(void *context, uint64_t now, struct hub_place from, bool ends)
{
    if (ends)
        gather_report_ends(office_of(context)->gather, now, from.member);
    else
        gather_report_begins(office_of(context)->gather, from.member);
}

static void candidate_lose(void *context, uint64_t now, struct hub_place from, bool restarted)
{
    gather_lose(office_of(context)->gather, now, from.member, restarted);
}

/* The open connection of a member. */
static int candidate_connection(const struct world *world, int number, uint32_t member)
{
    for (int i = (int)world->connections_made; i-- > 0;) {
        const struct connection *connection = &world->connection[i];
        if (connection->controller == number && connection->controller_open &&
            connection->member == member)
            return i;
    }
    return NOBODY;
}

static bool candidate_send(void *context, uint32_t member, const void *bytes, size_t size)
{
    const struct office *office = context;
    struct world *world = office->world;
    int connection = candidate_connection(world, office->number, member);
    if (connection == NOBODY) {
        world_break(world, "controller %d sends to member %u without a connection", office->number,
                    member);
        return false;
    }
    for (int i = 0; i < CONTROLLERS && world->terms; i++)
        if (world->candidate[i].process.alive && hub_is_active(world->candidate[i].hub) &&
            hub_epoch(world->candidate[i].hub) > hub_epoch(world->candidate[office->number].hub))
            world_break(world, "controller %d orders although %d leads", office->number, i);
    if (world->agent[world->connection[connection].agent].deaf)
        return false;
    network_send(world, connection, GOES_DOWN, bytes, size);
    return true;
}

static void candidate_close(void *context, uint32_t member, const char *why)
{
    const struct office *office = context;
    int connection = candidate_connection(office->world, office->number, member);
    world_say(office->world, "controller %d closes member %u: %s", office->number, member, why);
    if (connection == NOBODY)
        return;
    office->world->connection[connection].controller_open = false;
    network_end(office->world, connection, GOES_DOWN);
}

static void candidate_superseded(void *context, uint64_t now, uint64_t epoch)
{
    const struct office *office = context;
    (void)now;
    world_say(office->world, "controller %d steps down for epoch %llu", office->number,
              (unsigned long long)epoch);
}

static int candidate_tell(void *context, uint64_t now, const struct node_message *event,
                          struct err *err)
{
    return controller_hear(office_of(context)->controller, now, event, err);
}

static void candidate_divide(void *context, uint64_t now, uint32_t member,
                             const struct node_message *order)
{
    const struct office *office = context;
    (void)now;
    world_say(office->world,
              "controller %d orders %s for application %u of member %u: %.4f phase %u",
              office->number, node_type_name(order->type), order->grant.app, member,
              order->type == NODE_GRANT ? order->grant.rate / BANDWIDTH : 0, order->grant.phase);
    hub_order(office_of(context)->hub, (struct hub_place){0, member}, order);
}

static void candidate_order(void *context, uint64_t now, const struct node_message *order)
{
    gather_obey(office_of(context)->gather, now, order);
}

static const struct hub_ops candidate_ops = {
    .hear = candidate_event,
    .report = candidate_report,
    .lose = candidate_lose,
    .send = candidate_send,
    .close = candidate_close,
    .superseded = candidate_superseded,
};

/* --- coming and going ------------------------------------------------------------------------- */

void candidate_start(struct world *world, int number)
{
    struct candidate *candidate = &world->candidate[number];
    const struct hub_terms terms = {
        .lease = SPAN, .drift = DRIFT, .channels = 1, .bandwidth = {BANDWIDTH}};
    uint64_t now = candidate_now(world, number);
    offices[number] = (struct office){world, number};
    candidate->process.alive = true;
    candidate->process.life++;
    candidate->process.frozen = 0;
    candidate->next_look = candidate->next_beat = now;
    candidate->hub = hub_new(&terms, &candidate_ops, &offices[number], NULL);
    candidate->gather = gather_new((struct event_sink){candidate_tell, &offices[number]},
                                   candidate_divide, &offices[number], NULL);
    candidate->controller =
        controller_new(&world->service, policy_open(world->policy, NULL), NULL, now, NULL);
    if (!candidate->hub || !candidate->gather || !candidate->controller)
        abort();
    candidate->controller->down = (struct order_sink){candidate_order, &offices[number]};
    world_say(world, "controller %d starts", number);
    world_push(
        world, SECONDS(world_between(world, 0, 0.1)),
        (struct event){.kind = KIND_CAMPAIGN, .who = number, .more = candidate->process.life});
    candidate_act(world, number);
}

void candidate_kill(struct world *world, int number)
{
    struct candidate *candidate = &world->candidate[number];
    world_say(world, "controller %d is gone", number);
    candidate->process.alive = false;
    for (int i = 0; i < (int)world->connections_made; i++) {
        struct connection *connection = &world->connection[i];
        if (connection->controller != number || !connection->controller_open)
            continue;
        connection->controller_open = false;
        network_end(world, i, GOES_DOWN);
    }
    hub_free(candidate->hub);
    gather_free(candidate->gather);
    controller_free(candidate->controller);
}

/* It tells etcd what agents hold, and gives its lease back, unless it is apart from etcd. */
void candidate_stop(struct world *world, int number)
{
    struct candidate *candidate = &world->candidate[number];
    struct etcd *etcd = &world->etcd;
    bool leads = etcd->holder == number && etcd->life == candidate->process.life &&
                 world->now < etcd->expires;
    if (leads && hub_is_active(candidate->hub) && !candidate->apart) {
        etcd->holder = NOBODY;
        etcd->closed = true;
        etcd->held = hub_owed(candidate->hub, 0, HUB_NONE);
    }
    candidate_kill(world, number);
}

/* --- the election ----------------------------------------------------------------------------- */

static void candidate_campaign(struct world *world, int number)
{
    const struct candidate *candidate = &world->candidate[number];
    struct event request = {.kind = KIND_REQUEST,
                            .who = number,
                            .number = candidate_now(world, number),
                            .more = candidate->process.life};
    if (!candidate->apart)
        world_push(world, SECONDS(world_between(world, 0.001, 0.05)), request);
    request.kind = KIND_CAMPAIGN;
    world_push(world, SECONDS(TERM / 4), request);
}

void etcd_serve(struct world *world, const struct event *event)
{
    struct etcd *etcd = &world->etcd;
    bool vacant = etcd->holder == NOBODY || world->now >= etcd->expires;
    double *held = NULL;
    if (vacant && etcd->closed) {
        held = mem_alloc(1, sizeof *held);
        *held = etcd->held;
    }
    if (vacant) {
        etcd->closed = false;
        etcd->holder = event->who;
        etcd->life = event->more;
        etcd->revision++;
    }
    if (etcd->holder != event->who || etcd->life != event->more)
        return; /* somebody else leads */
    etcd->expires = world->now + SECONDS(TERM);
    struct event answer = *event;
    answer.kind = KIND_ELECTED;
    answer.bytes = held;
    answer.with = (int)etcd->revision;
    if (world->candidate[event->who].apart)
        free(held);
    else
        world_push(world, SECONDS(world_between(world, 0.001, 0.05)), answer);
}

static void candidate_elected(struct world *world, int number, const struct event *event)
{
    struct hub *hub = world->candidate[number].hub;
    uint64_t now = candidate_now(world, number), epoch = (uint64_t)event->with;
    uint64_t until = world->terms ? event->number + SECONDS(TERM * (1 - DRIFT)) : UINT64_MAX;
    if (now >= until && lease_holds(LEASE_TERM))
        return;
    if (hub_is_active(hub) && hub_epoch(hub) == epoch) {
        hub_extend(hub, until);
        return;
    }
    if (hub_is_active(hub))
        hub_deactivate(hub, now);
    world_say(world, "controller %d leads, epoch %llu", number, (unsigned long long)epoch);
    hub_activate(hub, now, epoch, until, event->bytes);
}

/* --- what comes in ---------------------------------------------------------------------------- */

static void candidate_hello(struct world *world, int number, const struct event *event)
{
    struct candidate *candidate = &world->candidate[number];
    const struct agent *agent = &world->agent[event->with];
    char name[16] = "node";
    name[4] = (char)('0' + event->with);
    struct err err;
    if (!agent->process.alive || agent->process.life != event->more)
        return; /* its credential is not valid any more */
    const struct hub_hello hello = {.node = name,
                                    .incarnation = event->more,
                                    .epoch = uplink_epoch(agent->uplink),
                                    .version = world->version};
    uint32_t member = hub_connect(candidate->hub, candidate_now(world, number), &hello, &err);
    struct event answer = {.kind = KIND_REFUSED, .who = event->with, .number = event->number};
    if (member != HUB_NONE) {
        int made = (int)world->connections_made++;
        if (made >= CONNECTIONS)
            abort();
        answer.kind = KIND_WELCOME;
        answer.with = made;
        world->connection[made] = (struct connection){.agent = event->with,
                                                      .controller = number,
                                                      .agent_life = event->more,
                                                      .controller_open = true,
                                                      .member = member};
    }
    network_carry(world, &world->path[event->with][number][GOES_DOWN], answer);
}

static void candidate_take(struct world *world, int number, const struct event *event)
{
    struct candidate *candidate = &world->candidate[number];
    struct connection *connection = &world->connection[event->with];
    struct err err;
    uint64_t now = candidate_now(world, number);
    if (!connection->controller_open)
        return;
    if (hub_frame(candidate->hub, now, connection->member, event->bytes, event->size, &err) != 0) {
        world_break(world, "controller %d refuses a frame: %s", number, err.text);
        connection->controller_open = false;
        hub_disconnect(candidate->hub, now, connection->member);
    }
}

void candidate_hear(struct world *world, struct event *event)
{
    struct candidate *candidate = &world->candidate[event->who];
    struct connection *connection = &world->connection[event->with];
    bool same_life = event->more == candidate->process.life;
    switch (event->kind) {
    case KIND_UP:
        candidate_take(world, event->who, event);
        break;
    case KIND_HELLO:
        candidate_hello(world, event->who, event);
        break;
    case KIND_LOST_UP:
        if (connection->controller_open) {
            connection->controller_open = false;
            hub_disconnect(candidate->hub, candidate_now(world, event->who), connection->member);
        }
        break;
    case KIND_CAMPAIGN:
        if (same_life)
            candidate_campaign(world, event->who);
        break;
    case KIND_ELECTED:
        if (same_life)
            candidate_elected(world, event->who, event);
        break;
    default:
        break;
    }
}

/* --- turns ------------------------------------------------------------------------------------ */

#define LONG_BEAT 500000000u

/* The same order as in a turn of the controller's process. */
void candidate_act(struct world *world, int number)
{
    struct candidate *candidate = &world->candidate[number];
    struct controller *controller = candidate->controller;
    uint64_t now = candidate_now(world, number);
    if (now >= candidate->next_beat) {
        candidate->next_beat = now + LONG_BEAT;
        controller_beat(controller, now);
        controller_look(controller, now);
    }
    controller_decide(controller, now);
    gather_settle(candidate->gather, now);
    controller_decide(controller, now);
    hub_settle(candidate->hub, now);
    uint64_t next = hub_next(candidate->hub), due = gather_next(candidate->gather);
    next = due < next ? due : next;
    due = controller_next(controller);
    next = due < next ? due : next;
    next = candidate->next_beat < next ? candidate->next_beat : next;
    candidate->process.due = clock_when(&candidate->process.clock, next);
    if (candidate->process.due <= world->now)
        candidate->process.due = world->now + 1;
}

#include "serve/cluster.h"
#include "base/mem.h"
#include "serve/cluster_inner.h"
#include <stdlib.h>

/* The name of its own node among the members: no agent can have it. */
static const char cluster_own_name[] = "/controller";

/* --- between hub and controllers -------------------------------------------------------------- */

static int cluster_hear(void *context, uint64_t now, struct hub_place from,
                        const struct node_message *event, struct err *err)
{
    struct cluster *cluster = context;
    return gather_hear(cluster->channels[from.channel].gather, now, from.member, event, err);
}

static void cluster_report(void *context, uint64_t now, struct hub_place from, bool ends)
{
    struct cluster *cluster = context;
    struct gather *gather = cluster->channels[from.channel].gather;
    if (ends)
        gather_report_ends(gather, now, from.member);
    else
        gather_report_begins(gather, from.member);
}

static void cluster_lose(void *context, uint64_t now, struct hub_place from, bool restarted)
{
    struct cluster *cluster = context;
    struct hub_member_view view;
    /* Not one whose agent was started again. */
    if (from.channel == 0 && hub_member(cluster->hub, now, from.member, &view) &&
        view.silence >= cluster->service->cluster.lease)
        cluster_note_lost(cluster, from.member, "its lease has ended: others get its bandwidth");
    gather_lose(cluster->channels[from.channel].gather, now, from.member, restarted);
}

static void cluster_order(void *context, uint64_t now, uint32_t member,
                          const struct node_message *order)
{
    struct cluster_channel *channel = context;
    (void)now;
    hub_order(channel->cluster->hub, (struct hub_place){channel->number, member}, order);
}

static const struct hub_ops cluster_hub_ops = {
    cluster_hear, cluster_report, cluster_lose, cluster_send, cluster_close, cluster_superseded,
};

/* --- its own node ----------------------------------------------------------------------------- */

static bool cluster_send_up(void *context, const void *bytes, size_t size)
{
    struct cluster *cluster = context;
    struct err err = {0};
    if (cluster->own != HUB_NONE &&
        hub_frame(cluster->hub, cluster->now, cluster->own, bytes, size, &err) != 0)
        engine_say(cluster->engine, err.text);
    return true;
}

/* Connects its own node, if it is not. */
static void cluster_join_itself(struct cluster *cluster, uint64_t now)
{
    struct err err;
    const struct hub_hello hello = {cluster_own_name, 1, uplink_epoch(cluster->uplink),
                                    NODE_NEWEST};
    if (cluster->own != HUB_NONE || !hub_is_active(cluster->hub))
        return;
    uint32_t member = hub_connect(cluster->hub, now, &hello, &err);
    struct link_peer **peers = member == HUB_NONE ? NULL
                                                  : mem_reserve(cluster->peers, &cluster->capacity,
                                                                member + 1, sizeof *peers);
    if (!peers)
        return;
    cluster->peers = peers;
    peers[member] = NULL;
    cluster->own = member;
    uplink_connected(cluster->uplink, now, NODE_NEWEST);
}

/* --- turns ------------------------------------------------------------------------------------ */

/* What the settings have changed. */
static void cluster_follow(struct cluster_channel *channel)
{
    double bandwidth = channel->controller->platform.bandwidth;
    if (bandwidth == channel->bandwidth)
        return;
    channel->bandwidth = bandwidth;
    hub_set_bandwidth(channel->cluster->hub, channel->number, bandwidth);
}

static void cluster_decide(struct cluster_channel *channel, uint64_t now, bool beat, bool look)
{
    cluster_follow(channel);
    controller_decide(channel->controller, now);
    if (beat)
        controller_beat(channel->controller, now);
    if (look)
        controller_look(channel->controller, now);
    if (beat || look)
        controller_decide(channel->controller, now);
    if (beat && hub_is_active(channel->cluster->hub)) /* else agents report elsewhere */
        gather_expire(channel->gather, now);
    gather_settle(channel->gather, now);
}

void cluster_settle(struct cluster *cluster, uint64_t now)
{
    bool beat = now >= cluster->next_beat, look = now >= cluster->next_look;
    cluster->now = now;
    if (cluster->election)
        election_settle(cluster->election, now);
    cluster->engine->peers.closed = hub_is_active(cluster->hub) ? NULL : CLUSTER_STANDS_BY;
    cluster_join_itself(cluster, now);
    uplink_settle(cluster->uplink, now);
    for (uint32_t i = 0; i < cluster->count; i++)
        cluster_decide(&cluster->channels[i], now, beat, look);
    cluster->noted = false;
    hub_settle(cluster->hub, now);
    cluster->answering = clients_proceed(&cluster->clients);
    cluster_note(cluster);
    if (beat)
        cluster->next_beat = now + CHANNEL_BEAT_NS;
    if (look)
        cluster->next_look = now + CHANNEL_LOOK_NS;
}

uint64_t cluster_next(const struct cluster *cluster)
{
    uint64_t dues[] = {cluster->answering ? 0 : cluster->next_beat, hub_next(cluster->hub),
                       uplink_next(cluster->uplink),
                       cluster->election ? election_next(cluster->election) : UINT64_MAX};
    uint64_t next = UINT64_MAX;
    for (size_t i = 0; i < sizeof dues / sizeof *dues; i++)
        next = dues[i] < next ? dues[i] : next;
    for (uint32_t i = 0; i < cluster->count; i++) {
        const struct cluster_channel *channel = &cluster->channels[i];
        uint64_t due = controller_next(channel->controller), turn = gather_next(channel->gather);
        due = turn < due ? turn : due;
        if (channel->controller->open_count > 0 && cluster->next_look < due)
            due = cluster->next_look;
        next = due < next ? due : next;
    }
    return next;
}

/* --- from start to end ------------------------------------------------------------------------ */

static int cluster_take_channels(struct cluster *cluster, struct err *err)
{
    struct channels *channels = &cluster->engine->channels;
    for (uint32_t i = 0; i < channels->count; i++) {
        struct cluster_channel *channel = &cluster->channels[cluster->count];
        struct controller *controller = channels->list[i].controller;
        *channel = (struct cluster_channel){.cluster = cluster,
                                            .number = i,
                                            .controller = controller,
                                            .bandwidth = controller->platform.bandwidth};
        channel->gather = gather_new(controller_events(controller), cluster_order, channel, err);
        if (!channel->gather)
            return -1;
        cluster->count++;
        gather_bound(channel->gather, controller->platform.node_bandwidth);
        controller->band = CONTROLLER_BAND;
        controller->down = gather_orders(channel->gather);
    }
    return 0;
}

/* The machines. */
static int cluster_assemble(struct cluster *cluster, struct err *err)
{
    const struct service_cluster *own = &cluster->service->cluster;
    struct hub_terms terms = {.lease = own->lease, .drift = HUB_DRIFT, .alone = !own->leader};
    if (cluster_take_channels(cluster, err) != 0)
        return -1;
    terms.channels = cluster->count;
    for (uint32_t i = 0; i < cluster->count; i++)
        terms.bandwidth[i] = cluster->channels[i].bandwidth;
    cluster->hub = hub_new(&terms, &cluster_hub_ops, cluster, err);
    const struct uplink_terms up = {.lease = own->lease,
                                    .beat = own->lease / 4,
                                    .progress = UPLINK_PROGRESS,
                                    .floor = own->floor,
                                    .channels = cluster->count};
    cluster->uplink = uplink_new(&up, cluster_send_up, cluster, err);
    if (!cluster->hub || !cluster->uplink)
        return -1;
    channels_bind(&cluster->engine->channels, cluster->uplink);
    return cluster_take_office(cluster, err);
}

struct cluster *cluster_new(struct engine *engine, const struct service *service, struct err *err)
{
    struct cluster *cluster = mem_alloc(1, sizeof *cluster);
    if (!cluster) {
        err_memory(err);
        return NULL;
    }
    *cluster = (struct cluster){.engine = engine,
                                .service = service,
                                .clients = {.peers = &engine->peers},
                                .own = HUB_NONE,
                                .holdings = {.fd = -1},
                                .now = uv_hrtime()};
    if (cluster_assemble(cluster, err) == 0 && cluster_listen(cluster, err) == 0)
        return cluster;
    cluster_free(cluster);
    return NULL;
}

void cluster_free(struct cluster *cluster)
{
    if (!cluster)
        return;
    if (cluster->hub)
        cluster_resign(cluster);
    link_server_free(cluster->server);
    hub_free(cluster->hub);
    uplink_free(cluster->uplink);
    for (uint32_t i = 0; i < cluster->count; i++)
        gather_free(cluster->channels[i].gather);
    holdings_close(&cluster->holdings);
    clients_fini(&cluster->clients);
    free(cluster->peers);
    free(cluster);
}

void cluster_configure(struct cluster *cluster, const struct service *service)
{
    cluster->service = service;
    for (uint32_t i = 0; i < cluster->count; i++)
        gather_bound(cluster->channels[i].gather,
                     cluster->channels[i].controller->platform.node_bandwidth);
}

int cluster_port(const struct cluster *cluster)
{
    return link_server_port(cluster->server);
}

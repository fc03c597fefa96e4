/* Connections of agents, which are members of the hub, and of commands. */
#include "base/mem.h"
#include "base/user.h"
#include "cluster/frame.h"
#include "serve/cluster_inner.h"
#include "serve/terms.h"
#include <stdio.h>

_Static_assert((int)TERMS_MOST <= (int)HELLO_TERMS, "terms fit an answer");

/* --- what the hub sends and closes ------------------------------------------------------------ */

bool cluster_send(void *context, uint32_t member, const void *bytes, size_t size)
{
    struct cluster *cluster = context;
    struct err err = {0};
    if (member != cluster->own && !cluster->noted)
        cluster_note(cluster);
    if (member != cluster->own)
        return !cluster->peers[member] ||
               link_server_send(cluster->peers[member], bytes, size) == 0;
    if (uplink_frame(cluster->uplink, cluster->now, bytes, size, &err) != 0)
        engine_say(cluster->engine, err.text);
    return true;
}

/* Once an hour for each. When the hub steps down it closes all, which is told elsewhere. */
static void cluster_note_closed(struct cluster *cluster, uint32_t member, const char *why)
{
    char text[WIRE_NAME + REFUSALS_REASON];
    struct hub_member_view view;
    if (!hub_is_active(cluster->hub) || !hub_member(cluster->hub, cluster->now, member, &view) ||
        !refusals_note(&cluster->told, cluster->now / 1000000, view.node, why))
        return;
    snprintf(text, sizeof text, "node %s: %s", view.node, why);
    engine_say(cluster->engine, text);
}

void cluster_note_lost(struct cluster *cluster, uint32_t member, const char *what)
{
    enum { MINUTE = 60000 };
    char key[REFUSALS_REASON], text[WIRE_NAME + REFUSALS_REASON];
    struct hub_member_view view;
    uint64_t now = cluster->now / 1000000;
    if (!hub_is_active(cluster->hub) || !hub_member(cluster->hub, cluster->now, member, &view))
        return;
    /* Once a minute for each node, and a bounded number an hour: half of a cluster may be lost. */
    snprintf(key, sizeof key, "%.40s, minute %llu", what, (unsigned long long)(now / MINUTE));
    if (!refusals_note(&cluster->lost, now, view.node, key))
        return;
    snprintf(text, sizeof text, "node %s: %s", view.node, what);
    engine_say(cluster->engine, text);
}

void cluster_close(void *context, uint32_t member, const char *why)
{
    struct cluster *cluster = context;
    if (member == cluster->own) {
        cluster->own = HUB_NONE;
        uplink_disconnected(cluster->uplink, cluster->now);
    } else if (cluster->peers[member]) {
        cluster_note_closed(cluster, member, why);
        link_server_drop(cluster->peers[member]);
        cluster->peers[member] = NULL;
    }
}

/* --- what comes in ---------------------------------------------------------------------------- */

static struct hub_hello cluster_hello(const struct link_hello *hello)
{
    return (struct hub_hello){hello->name, hello->incarnation, hello->epoch, hello->version};
}

static int cluster_admit(void *context, const struct link_who *who, struct link_terms *terms,
                         struct err *err)
{
    struct cluster *cluster = context;
    char name[USER_NAME_SIZE];
    if (!hub_is_active(cluster->hub))
        return err_set(err, CLUSTER_STANDS_BY);
    if (who->hello->role == LINK_CLIENT) {
        const char *fault = peers_check(&cluster->engine->peers, who->uid);
        return fault ? err_set(err, "%s", fault) : 0;
    }
    if (who->uid != 0 && who->uid != cluster->service->cluster.agent_uid)
        return err_set(err, "user %s may not run an agent", user_print(who->uid, name));
    const struct hub_hello hello = cluster_hello(who->hello);
    if (hello.epoch > FRAME_LAST_EPOCH)
        return err_set(err, "node '%s' has heard of an epoch that no controller can have",
                       hello.node);
    if (hub_has_rival(cluster->hub, uv_hrtime(), &hello))
        return err_set(err, "another agent is connected as node '%s': give each its own --name",
                       hello.node);
    terms->size = terms_write(cluster->service, terms->bytes, err);
    return terms->size > 0 ? 0 : -1;
}

static uint32_t cluster_joined(void *context, struct link_peer *peer, const struct link_who *who)
{
    struct cluster *cluster = context;
    struct err err = {0};
    if (who->hello->role == LINK_CLIENT)
        return clients_join(&cluster->clients, peer, who->uid);
    const struct hub_hello hello = cluster_hello(who->hello);
    cluster->now = uv_hrtime();
    uint32_t member = hub_connect(cluster->hub, cluster->now, &hello, &err);
    if (member != HUB_NONE) {
        struct link_peer **peers =
            mem_reserve(cluster->peers, &cluster->capacity, member + 1, sizeof *peers);
        if (peers) {
            cluster->peers = peers;
            peers[member] = peer;
            return member;
        }
        hub_disconnect(cluster->hub, cluster->now, member);
        err_memory(&err);
    }
    err_prepend(&err, "node %s is not served", who->hello->name);
    engine_say(cluster->engine, err.text);
    return LINK_NOBODY;
}

static int cluster_frame(void *context, uint32_t member, const void *bytes, size_t size,
                         struct err *err)
{
    struct cluster *cluster = context;
    cluster->now = uv_hrtime();
    if (member < CLIENTS_FIRST)
        return hub_frame(cluster->hub, cluster->now, member, bytes, size, err);
    clients_hear(&cluster->clients, member, bytes, size);
    return 0;
}

static void cluster_writable(void *context, uint32_t member)
{
    struct cluster *cluster = context;
    if (member < CLIENTS_FIRST)
        hub_writable(cluster->hub, member);
    else
        clients_continue(&cluster->clients, member);
}

static void cluster_gone(void *context, uint32_t member)
{
    struct cluster *cluster = context;
    if (member >= CLIENTS_FIRST) {
        clients_lose(&cluster->clients, member);
        return;
    }
    struct hub_member_view view;
    cluster->now = uv_hrtime();
    cluster->peers[member] = NULL;
    bool refused = hub_member(cluster->hub, cluster->now, member, &view) && view.refuses;
    cluster_note_lost(cluster, member,
                      refused ? "its agent has another controller before this one, and does not "
                                "obey it: start each with --leader"
                              : "its agent is lost, and keeps its grants for the lease");
    hub_disconnect(cluster->hub, cluster->now, member);
}

static void cluster_gate_say(void *context, const char *text)
{
    struct cluster *cluster = context;
    engine_say(cluster->engine, text);
}

static const struct link_server_calls cluster_server_calls = {
    cluster_admit, cluster_joined, cluster_frame, cluster_writable, cluster_gone, cluster_gate_say,
};

int cluster_listen(struct cluster *cluster, struct err *err)
{
    struct link_address address;
    const struct service_cluster *own = &cluster->service->cluster;
    if (link_address_read(own->listen, LINK_PORT, &address, err) != 0)
        return -1;
    const struct link_server_setup setup = {.listen = &address,
                                            .munge = own->munge,
                                            .speaks = {NODE_OLDEST, NODE_NEWEST},
                                            .calls = &cluster_server_calls,
                                            .context = cluster};
    cluster->server = link_server_new(&cluster->engine->loop, &setup, err);
    cluster->engine->shares_files = true;
    return cluster->server ? 0 : -1;
}

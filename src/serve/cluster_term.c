/* When this controller orders: always if it is the only one, else while it is elected. */
#include "serve/cluster_inner.h"
#include <string.h>
#include <time.h>
#include <unistd.h>

void cluster_note(struct cluster *cluster)
{
    double held[WIRE_CHANNELS] = {0};
    double lease = cluster->service->cluster.lease * (1 + HUB_DRIFT);
    if (!cluster->holdings.page)
        return;
    for (uint32_t i = 0; i < cluster->count; i++)
        held[i] = hub_owed(cluster->hub, i, cluster->own);
    holdings_write(&cluster->holdings, cluster->now + (uint64_t)(1e9 * lease), held);
    cluster->noted = true;
}

void cluster_resign(struct cluster *cluster)
{
    struct leader_legacy legacy = {.count = cluster->count};
    for (uint32_t i = 0; i < cluster->count; i++)
        legacy.held[i] = hub_owed(cluster->hub, i, cluster->own);
    election_free(cluster->election, &legacy);
}

/* An elected controller has the epoch of its term. Those of the only one follow the clock, so that
 * they grow over restarts without a memory. */
static void cluster_activate(struct cluster *cluster, uint64_t now, const double *held)
{
    uint64_t epoch = cluster->term.epoch;
    if (!cluster->election) {
        struct timespec time;
        clock_gettime(CLOCK_REALTIME, &time);
        epoch = (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
    }
    for (uint32_t i = 0; i < cluster->count; i++)
        gather_await(cluster->channels[i].gather, now);
    hub_activate(cluster->hub, now, hub_next_epoch(cluster->hub, epoch),
                 cluster->election ? cluster->term.until : UINT64_MAX, held);
}

/* While its term lasts, no other controller can rightly be newer: the epoch is of a time before
 * this etcd, or before there was an election. Goes on above it. */
void cluster_superseded(void *context, uint64_t now, uint64_t epoch)
{
    struct cluster *cluster = context;
    (void)epoch;
    if (cluster->election && now >= cluster->term.until)
        return;
    engine_say(cluster->engine, "an agent knew a later controller: all agents connect again");
    cluster_activate(cluster, now, NULL);
}

/* --- the election ----------------------------------------------------------------------------- */

static void cluster_lead(void *context, uint64_t now, uint64_t epoch, uint64_t until,
                         const struct leader_legacy *legacy)
{
    struct cluster *cluster = context;
    struct err err = {0};
    if (channels_restore(&cluster->engine->channels, now, &err) != 0)
        engine_say(cluster->engine, err.text);
    cluster->term.epoch = epoch;
    cluster->term.until = until;
    cluster_activate(cluster, now, legacy->count == cluster->count ? legacy->held : NULL);
}

static void cluster_extend(void *context, uint64_t until)
{
    struct cluster *cluster = context;
    cluster->term.until = until;
    hub_extend(cluster->hub, until);
}

static void cluster_follow_other(void *context, uint64_t now)
{
    struct cluster *cluster = context;
    cluster->term.until = 0;
    if (hub_is_active(cluster->hub))
        hub_deactivate(cluster->hub, now);
}

static void cluster_term_say(void *context, const char *text)
{
    struct cluster *cluster = context;
    engine_say(cluster->engine, text);
}

static int cluster_run_for_leader(struct cluster *cluster, struct err *err)
{
    static const struct election_calls calls = {cluster_lead, cluster_extend, cluster_follow_other,
                                                cluster_term_say};
    const struct service_cluster *own = &cluster->service->cluster;
    char host[ETCD_NAME] = "";
    gethostname(host, sizeof host - 1);
    const struct election_setup setup = {
        own->leader, host, own->lease, &calls, cluster,
    };
    cluster->election = election_new(&cluster->engine->loop, &setup, err);
    return cluster->election ? 0 : -1;
}

int cluster_take_office(struct cluster *cluster, struct err *err)
{
    const struct service_cluster *own = &cluster->service->cluster;
    double held[WIRE_CHANNELS];
    struct err fault = {0};
    if (cluster->service->cluster.leader)
        return cluster_run_for_leader(cluster, err);
    if (own->controllers && strchr(own->controllers, ','))
        engine_say(cluster->engine, "several controllers without an election: agents use only the "
                                    "first; give each --leader");
    if (holdings_open(&cluster->holdings, cluster->service->socket, cluster->count, &fault) != 0)
        engine_say(cluster->engine, fault.text);
    bool known = holdings_read(&cluster->holdings, cluster->now, held);
    cluster_activate(cluster, cluster->now, known ? held : NULL);
    return 0;
}

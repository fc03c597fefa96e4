#include "daemon/daemon.h"
#include "daemon/cluster.h"
#include "daemon/engine.h"
#include "daemon/plan_worker.h"
#include <string.h>

struct daemon {
    struct engine engine;
    struct cluster *cluster; /* that it controls, NULL = this node alone */
    struct plan_worker planners[WIRE_CHANNELS];
    struct journal *journal;
    const struct service *first; /* the configuration of the start, */
    struct service reloaded[2];  /* the one in force, if it was reloaded, and space for the next */
    int latest;
};

/* --- reloading -------------------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Whether running programs are unaffected by the difference: bandwidths may differ. */
static bool same_stores(const struct service *a, const struct service *b)
{
    bool same = a->stores.count == b->stores.count;
    for (uint32_t i = 0; i < a->stores.count && same; i++) {
        const struct site_store *one = &a->stores.list[i], *other = &b->stores.list[i];
        same = same_text(one->path, other->path) && one->pieces == other->pieces &&
               (one->bandwidth > 0) == (other->bandwidth > 0) &&
               (one->reads > 0) == (other->reads > 0);
    }
    return same;
}

static bool same_cluster(const struct service_cluster *a, const struct service_cluster *b)
{
    return same_text(a->listen, b->listen) && same_text(a->leader, b->leader) &&
           same_text(a->munge, b->munge) && a->agent_uid == b->agent_uid && a->lease == b->lease &&
           a->floor == b->floor;
}

/* Reports changes that need a restart. */
static void say_reloaded(const struct daemon *daemon, const struct service *read)
{
    const struct service *first = daemon->first;
    char text[224];
    snprintf(text, sizeof text, "reloaded%s%s%s%s%s%s",
             same_text(first->socket, read->socket) ? "" : "; another socket needs a restart",
             same_stores(first, read) ? "" : "; other stores need a restart",
             same_text(first->journal, read->journal) ? "" : "; another journal needs a restart",
             same_text(first->state, read->state) ? "" : "; another state needs a restart",
             same_text(first->cgroup, read->cgroup) ? "" : "; another cgroup needs a restart",
             same_cluster(&first->cluster, &read->cluster) ? ""
                                                           : "; another cluster needs a restart");
    engine_say(&daemon->engine, text);
}

static int reload_service(struct daemon *daemon, struct err *err)
{
    const struct daemon_hooks *hooks = daemon->engine.hooks;
    struct service *fresh = &daemon->reloaded[!daemon->latest];
    if (!hooks || !hooks->reload)
        return 0;
    if (hooks->reload(hooks->context, fresh, err) != 0)
        return -1;
    const struct service read = *fresh;
    fresh->socket = daemon->first->socket;
    fresh->journal = daemon->first->journal;
    fresh->state = daemon->first->state;
    fresh->cgroup = daemon->first->cgroup;
    fresh->cluster = daemon->first->cluster;
    if (!same_stores(daemon->first, fresh)) {
        fresh->stores = daemon->first->stores;
    }
    if (channels_reload(&daemon->engine.channels, uv_hrtime(), fresh, err) != 0) {
        arena_fini(&fresh->arena);
        return -1;
    }
    arena_fini(&daemon->reloaded[daemon->latest].arena);
    daemon->latest = !daemon->latest;
    if (daemon->cluster)
        cluster_configure(daemon->cluster, fresh);
    say_reloaded(daemon, &read);
    return 0;
}

static void daemon_reload(void *context)
{
    struct daemon *daemon = context;
    struct err err = {0};
    if (reload_service(daemon, &err) != 0) {
        err_prepend(&err, "not reloaded");
        engine_say(&daemon->engine, err.text);
    }
    if (daemon->journal && journal_reopen(daemon->journal, &err) != 0)
        engine_say(&daemon->engine, err.text);
}

/* --- from start to end ------------------------------------------------------------------------ */

/* A plan is there: the strategy takes it at its next decision. */
static void daemon_on_plan(void *context)
{
    struct controller *controller = context;
    controller->changed = true;
}

static void daemon_offer_plans(struct daemon *daemon, uint32_t channel)
{
    struct controller *controller = daemon->engine.channels.list[channel].live->controller;
    struct plan_worker *worker = &daemon->planners[channel];
    plan_worker_init(worker, &daemon->engine.loop);
    worker->answered = daemon_on_plan;
    worker->context = controller;
    controller->planner = worker->planner;
}

/* Starts the controllers, with the settings from before a restart. */
static int daemon_start(struct daemon *daemon, struct err *err)
{
    const struct daemon_hooks *hooks = daemon->engine.hooks;
    struct channels *channels = &daemon->engine.channels;
    engine_adopt(&daemon->engine, channels);
    if (channels_open(channels, daemon->journal, uv_hrtime(), err) != 0)
        return -1;
    for (uint32_t i = 0; i < channels->count; i++) {
        daemon_offer_plans(daemon, i);
        if (hooks)
            channels->list[i].live->controller->posted = hooks->posted;
    }
    if (engine_count_escapes(&daemon->engine, daemon->first, err) != 0)
        return -1;
    return channels_restore(channels, uv_hrtime(), err);
}

/* The kernel's limits, for the stores that share the platform's bandwidth. */
static int open_backstop(struct daemon *daemon, struct err *err)
{
    struct engine *engine = &daemon->engine;
    if (!daemon->first->cgroup)
        return 0;
    engine->channels.list[0].live->backstop = &engine->backstop;
    return backstop_open(&engine->backstop, daemon->first, err);
}

/* Lets agents connect, if there is a cluster. */
static int daemon_open_cluster(struct daemon *daemon, struct err *err)
{
    char text[64];
    const struct service *service = daemon->first;
    if (!service->cluster.listen)
        return 0;
    daemon->cluster = cluster_new(&daemon->engine, service, err);
    if (!daemon->cluster)
        return -1;
    snprintf(text, sizeof text, "agents connect to port %d", cluster_port(daemon->cluster));
    engine_say(&daemon->engine, text);
    return 0;
}

static int daemon_serve(struct daemon *daemon, struct err *err)
{
    struct engine *engine = &daemon->engine;
    const struct service *service = daemon->first;
    if (channels_plan(&engine->channels, service, err) != 0)
        return -1;
    if (service->journal && !(daemon->journal = journal_open(&engine->loop, service->journal, err)))
        return -1;
    if (daemon_start(daemon, err) != 0 || open_backstop(daemon, err) != 0 ||
        daemon_open_cluster(daemon, err) != 0)
        return -1;
    return engine_run(engine, service->socket, NULL, err);
}

static void daemon_settle(void *context, uint64_t now)
{
    struct daemon *daemon = context;
    if (daemon->cluster)
        cluster_settle(daemon->cluster, now);
}

static uint64_t daemon_next(void *context)
{
    const struct daemon *daemon = context;
    return daemon->cluster ? cluster_next(daemon->cluster) : UINT64_MAX;
}

int daemon_run(const struct service *service, const struct daemon_hooks *hooks, struct err *err)
{
    static const struct engine_calls calls = {daemon_settle, daemon_next, daemon_reload};
    struct daemon daemon = {.first = service};
    if (engine_init(&daemon.engine, hooks, &calls, &daemon, err) != 0)
        return -1;
    int status = daemon_serve(&daemon, err);
    for (uint32_t i = 0; i < WIRE_CHANNELS; i++)
        plan_worker_stop(&daemon.planners[i]);
    cluster_free(daemon.cluster);
    engine_stop(&daemon.engine);
    for (uint32_t i = 0; i < WIRE_CHANNELS; i++)
        plan_worker_fini(&daemon.planners[i]);
    arena_fini(&daemon.reloaded[daemon.latest].arena);
    if (journal_close(daemon.journal, status == 0 ? err : NULL) != 0)
        status = -1;
    engine_fini(&daemon.engine);
    return status;
}

#include "serve/serve.h"
#include "serve/cluster.h"
#include "serve/engine.h"
#include "serve/journal_file.h"
#include "serve/plan_worker.h"
#include <string.h>

struct serve {
    struct engine engine;
    struct cluster *cluster; /* that it controls, NULL = this node alone */
    struct plan_worker planners[WIRE_CHANNELS];
    struct journal_file file;    /* of the journal */
    struct journal *journal;     /* NULL = there is none */
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
static void say_reloaded(const struct serve *serve, const struct service *read)
{
    const struct service *first = serve->first;
    char text[224];
    snprintf(text, sizeof text, "reloaded%s%s%s%s%s%s",
             same_text(first->socket, read->socket) ? "" : "; another socket needs a restart",
             same_stores(first, read) ? "" : "; other stores need a restart",
             same_text(first->journal, read->journal) ? "" : "; another journal needs a restart",
             same_text(first->state, read->state) ? "" : "; another state needs a restart",
             same_text(first->cgroup, read->cgroup) ? "" : "; another cgroup needs a restart",
             same_cluster(&first->cluster, &read->cluster) ? ""
                                                           : "; another cluster needs a restart");
    engine_say(&serve->engine, text);
}

static int reload_service(struct serve *serve, struct err *err)
{
    const struct serve_hooks *hooks = serve->engine.hooks;
    struct service *fresh = &serve->reloaded[!serve->latest];
    if (!hooks || !hooks->reload)
        return 0;
    if (hooks->reload(hooks->context, fresh, err) != 0)
        return -1;
    const struct service read = *fresh;
    fresh->socket = serve->first->socket;
    fresh->journal = serve->first->journal;
    fresh->state = serve->first->state;
    fresh->cgroup = serve->first->cgroup;
    fresh->cluster = serve->first->cluster;
    if (!same_stores(serve->first, fresh)) {
        fresh->stores = serve->first->stores;
    }
    if (channels_reload(&serve->engine.channels, uv_hrtime(), fresh, err) != 0) {
        arena_fini(&fresh->arena);
        return -1;
    }
    arena_fini(&serve->reloaded[serve->latest].arena);
    serve->latest = !serve->latest;
    if (serve->cluster)
        cluster_configure(serve->cluster, fresh);
    say_reloaded(serve, &read);
    return 0;
}

static void serve_reload(void *context)
{
    struct serve *serve = context;
    struct err err = {0};
    if (reload_service(serve, &err) != 0) {
        err_prepend(&err, "not reloaded");
        engine_say(&serve->engine, err.text);
    }
    if (!serve->journal)
        return;
    if (journal_file_reopen(&serve->file, &err) == 0)
        journal_restart(serve->journal);
    else
        engine_say(&serve->engine, err.text);
}

/* --- from start to end ------------------------------------------------------------------------ */

/* A plan is there: the strategy takes it at its next decision. */
static void serve_on_plan(void *context)
{
    struct controller *controller = context;
    controller->changed = true;
}

static void serve_offer_plans(struct serve *serve, uint32_t channel)
{
    struct controller *controller = serve->engine.channels.list[channel].controller;
    struct plan_worker *worker = &serve->planners[channel];
    plan_worker_init(worker, &serve->engine.loop);
    worker->answered = serve_on_plan;
    worker->context = controller;
    controller->planner = worker->planner;
}

/* Starts the controllers, with the settings from before a restart. */
static int serve_start(struct serve *serve, struct err *err)
{
    const struct serve_hooks *hooks = serve->engine.hooks;
    struct channels *channels = &serve->engine.channels;
    engine_adopt(&serve->engine, channels);
    if (channels_open(channels, serve->journal, uv_hrtime(), err) != 0)
        return -1;
    for (uint32_t i = 0; i < channels->count; i++) {
        serve_offer_plans(serve, i);
        if (hooks)
            channels->list[i].controller->posted = hooks->posted;
    }
    if (engine_count_escapes(&serve->engine, serve->first, err) != 0)
        return -1;
    return channels_restore(channels, uv_hrtime(), err);
}

/* The kernel's limits, for the stores that share the platform's bandwidth. */
static int open_backstop(struct serve *serve, struct err *err)
{
    struct engine *engine = &serve->engine;
    if (!serve->first->cgroup)
        return 0;
    engine->channels.list[0].backstop = &engine->backstop;
    if (backstop_open(&engine->backstop, serve->first, err) != 0)
        return -1;
    engine->backstop.say = engine->channels.say;
    engine->backstop.context = engine->channels.context;
    return 0;
}

/* Lets agents connect, if there is a cluster. */
static int serve_open_cluster(struct serve *serve, struct err *err)
{
    char text[64];
    const struct service *service = serve->first;
    if (!service->cluster.listen)
        return 0;
    serve->cluster = cluster_new(&serve->engine, service, err);
    if (!serve->cluster)
        return -1;
    snprintf(text, sizeof text, "agents connect to port %d", cluster_port(serve->cluster));
    engine_say(&serve->engine, text);
    return 0;
}

static int serve_open_journal(struct serve *serve, struct err *err)
{
    if (journal_file_init(&serve->file, &serve->engine.loop, serve->first->journal, err) != 0)
        return -1;
    serve->journal = journal_new(&journal_file_sink, &serve->file, err);
    return serve->journal ? 0 : -1;
}

static int serve_start_all(struct serve *serve, struct err *err)
{
    struct engine *engine = &serve->engine;
    const struct service *service = serve->first;
    if (channels_plan(&engine->channels, service, err) != 0)
        return -1;
    if (service->journal && serve_open_journal(serve, err) != 0)
        return -1;
    if (serve_start(serve, err) != 0 || open_backstop(serve, err) != 0 ||
        serve_open_cluster(serve, err) != 0)
        return -1;
    return engine_run(engine, service->socket, NULL, err);
}

static void serve_settle(void *context, uint64_t now)
{
    struct serve *serve = context;
    if (serve->cluster)
        cluster_settle(serve->cluster, now);
}

static uint64_t serve_next(void *context)
{
    const struct serve *serve = context;
    return serve->cluster ? cluster_next(serve->cluster) : UINT64_MAX;
}

int serve_run(const struct service *service, const struct serve_hooks *hooks, struct err *err)
{
    static const struct engine_calls calls = {serve_settle, serve_next, serve_reload};
    struct serve serve = {.first = service, .file = {.fd = -1, .next = -1}};
    if (engine_init(&serve.engine, hooks, &calls, &serve, err) != 0)
        return -1;
    int status = serve_start_all(&serve, err);
    for (uint32_t i = 0; i < WIRE_CHANNELS; i++)
        plan_worker_stop(&serve.planners[i]);
    cluster_free(serve.cluster);
    engine_stop(&serve.engine);
    for (uint32_t i = 0; i < WIRE_CHANNELS; i++)
        plan_worker_fini(&serve.planners[i]);
    arena_fini(&serve.reloaded[serve.latest].arena);
    journal_free(serve.journal);
    if (journal_file_fini(&serve.file, status == 0 ? err : NULL) != 0)
        status = -1;
    engine_fini(&serve.engine);
    return status;
}

/* `weir agent`: the node's programs, and one connection to the controller. */
#include "serve/agent.h"
#include "link/dialer.h"
#include "serve/terms.h"
#include <string.h>
#include <unistd.h>

/* --- what the controller's terms make --------------------------------------------------------- */

/* As when a process ends that served the node: programs come back within a call. */
static void agent_close(struct agent *agent)
{
    peers_cut_all(&agent->engine.peers);
    census_free(agent->engine.census);
    agent->engine.census = NULL;
    channels_close(&agent->engine.channels);
    uplink_free(agent->uplink);
    agent->uplink = NULL;
    arena_fini(&agent->service.arena);
}

static bool agent_send(void *context, const void *bytes, size_t size)
{
    struct agent *agent = context;
    return link_dialer_send(agent->dialer, bytes, size) == 0;
}

static int agent_open_channels(struct agent *agent, struct err *err)
{
    struct channels *channels = &agent->engine.channels;
    const struct service_cluster *cluster = &agent->service.cluster;
    struct channels plan;
    if (channels_plan(&plan, &agent->service, err) != 0)
        return -1;
    engine_adopt(&agent->engine, &plan);
    *channels = plan;
    if (channels_open_nodes(channels, uv_hrtime(), err) != 0)
        return -1;
    const struct uplink_terms terms = {.lease = cluster->lease,
                                       .beat = cluster->lease / 4,
                                       .progress = UPLINK_PROGRESS,
                                       .floor = cluster->floor,
                                       .channels = channels->count};
    agent->uplink = uplink_new(&terms, agent_send, agent, err);
    if (!agent->uplink)
        return -1;
    channels_bind(channels, agent->uplink);
    return engine_count_escapes(&agent->engine, &agent->service, err);
}

/* Serves on these terms, unless they are those already served on. */
static int agent_serve(struct agent *agent, const void *terms, size_t size, struct err *err)
{
    struct service service = {0};
    if (agent->uplink && size == agent->terms_size && memcmp(terms, agent->terms, size) == 0)
        return 0;
    if (size > sizeof agent->terms || terms_read(terms, size, &service, err) != 0) {
        arena_fini(&service.arena);
        return size > sizeof agent->terms ? err_set(err, "the controller's terms are too long")
                                          : -1;
    }
    agent_close(agent);
    agent->service = service;
    agent->terms_size = size;
    memcpy(agent->terms, terms, size);
    if (agent_open_channels(agent, err) == 0)
        return 0;
    agent_close(agent);
    return -1;
}

/* --- the connection --------------------------------------------------------------------------- */

static int agent_connected(void *context, uint32_t version, const void *terms, size_t size,
                           struct err *err)
{
    struct agent *agent = context;
    if (agent_serve(agent, terms, size, err) != 0)
        return -1;
    uplink_demand_election(agent->uplink, link_dialer_position(agent->dialer) > 0);
    uplink_connected(agent->uplink, uv_hrtime(), version);
    return 0;
}

static int agent_frame(void *context, const void *bytes, size_t size, struct err *err)
{
    struct agent *agent = context;
    int status = uplink_frame(agent->uplink, uv_hrtime(), bytes, size, err);
    link_dialer_heard(agent->dialer, uplink_epoch(agent->uplink));
    if (status == 0 && uplink_is_alone(agent->uplink) && agent->controllers > 1 && !agent->warned) {
        agent->warned = true;
        engine_say(&agent->engine, "several controllers without an election: only the first is "
                                   "used; start each with --leader");
    }
    return status;
}

static void agent_writable(void *context)
{
    struct agent *agent = context;
    if (agent->uplink)
        uplink_writable(agent->uplink);
}

static void agent_gone(void *context)
{
    struct agent *agent = context;
    if (agent->uplink)
        uplink_disconnected(agent->uplink, uv_hrtime());
}

static void agent_say(void *context, const char *text)
{
    struct agent *agent = context;
    engine_say(&agent->engine, text);
}

static const struct link_dialer_calls agent_calls = {
    agent_connected, agent_frame, agent_writable, agent_gone, agent_say, NULL,
};

static int agent_dial(struct agent *agent, struct err *err)
{
    const struct service_cluster *cluster = &agent->given->cluster;
    struct link_address list[LINK_CONTROLLERS];
    char host[256] = "";
    int count = link_address_list(cluster->controllers, LINK_PORT, list, err);
    if (count < 0)
        return -1;
    struct link_dialer_setup setup = {.controllers = list,
                                      .controller_count = (uint32_t)count,
                                      .munge = cluster->munge,
                                      .controller_uid = cluster->controller_uid,
                                      .speaks = {NODE_OLDEST, NODE_NEWEST},
                                      .hello = {.role = LINK_AGENT},
                                      .calls = &agent_calls,
                                      .context = agent};
    gethostname(host, sizeof host - 1);
    wire_name(agent->name, cluster->name ? cluster->name : host);
    memcpy(setup.hello.name, agent->name, sizeof agent->name);
    agent->controllers = (uint32_t)count;
    agent->dialer = link_dialer_new(&agent->engine.loop, &setup, err);
    return agent->dialer ? 0 : -1;
}

/* --- from start to end ------------------------------------------------------------------------ */

/* Tells when the programs of this node begin to run unthrottled, if there are any, and when they
 * are under control again. */
static void agent_note_lease(struct agent *agent)
{
    bool free = uplink_lease(agent->uplink) == 0;
    if (free == agent->freed || (free && channels_applications(&agent->engine.channels) == 0))
        return;
    agent->freed = free;
    engine_say(&agent->engine,
               free ? "no controller has answered for a lease: programs run unthrottled"
                    : "programs are under control");
}

static void agent_settle(void *context, uint64_t now)
{
    struct agent *agent = context;
    if (!agent->uplink)
        return;
    uplink_settle(agent->uplink, now);
    agent_note_lease(agent);
    if (uplink_is_ignored(agent->uplink, now))
        link_dialer_redial(agent->dialer, "it does not answer");
}

static uint64_t agent_next(void *context)
{
    const struct agent *agent = context;
    return agent->uplink ? uplink_next(agent->uplink) : UINT64_MAX;
}

int agent_run(const struct service *service, const struct serve_hooks *hooks, struct err *err)
{
    static const struct engine_calls calls = {agent_settle, agent_next, NULL};
    struct agent agent = {.given = service};
    if (engine_init(&agent.engine, hooks, &calls, &agent, err) != 0)
        return -1;
    int status = agent_dial(&agent, err);
    if (status == 0)
        status = engine_run(&agent.engine, service->socket, &agent_desk, err);
    link_dialer_free(agent.dialer);
    engine_stop(&agent.engine);
    uplink_free(agent.uplink);
    arena_fini(&agent.service.arena);
    engine_fini(&agent.engine);
    return status;
}

/* What an agent replies: its connection, and the programs of its node as the node knows them. */
#include "base/maths.h"
#include "base/text.h"
#include "link/dialer.h"
#include "serve/agent.h"
#include "serve/peer.h"
#include <string.h>

static enum wire_state agent_state_of(const struct node_app *app)
{
    if (app->uncontrolled > 0 || app->open)
        return WIRE_UNCONTROLLED;
    if (app->phase == PHASE_IDLE)
        return WIRE_WORKING;
    if (app->phase == PHASE_PAUSED)
        return WIRE_PAUSED;
    return app->rate > 0 ? WIRE_MOVING : WIRE_WAITING;
}

static void agent_describe(const struct channel *channel, uint32_t number, uint64_t now,
                           const struct node_app *app, struct wire_app *out)
{
    const struct node *node = channel->node;
    enum wire_escape why;
    bool busy = app->phase != PHASE_IDLE;
    double escaped = node_app_escaped(app, &why);
    *out = (struct wire_app){.id = app->who.app,
                             .uid = app->who.uid,
                             .processes = app->processes,
                             .state = agent_state_of(app),
                             .phases = app->number - busy,
                             .nodes = app->who.nodes,
                             .weight = app->who.weight,
                             .bmax = app->alone,
                             .age = maths_max(0, node_seconds(node, now) - app->joined),
                             .rate = app->open || app->phase != PHASE_OPEN ? 0 : app->rate,
                             .moved = app->moved,
                             .volume = busy ? app->volume : 0,
                             .remaining = busy ? maths_max(0, app->volume - app->io_moved) : 0,
                             .ops_limit = app->ops,
                             .escaped = escaped,
                             .pid = app->who.pid,
                             .escaped_why = why,
                             .uncontrolled = app->uncontrolled,
                             .failure = app->failure,
                             .channel = number};
    text_append(out->name, sizeof out->name, app->who.name);
    text_append(out->job, sizeof out->job, app->who.job);
    text_append(out->account, sizeof out->account, app->who.account);
    text_append(out->partition, sizeof out->partition, app->who.partition);
    text_append(out->store, sizeof out->store, channel->store);
}

static int agent_tell_applications(struct peer *peer, uint64_t now)
{
    const struct channel *channel = &peer->peers->channels->list[peer->channel];
    const struct node *node = channel->node;
    struct wire_message message = {.type = WIRE_APP};
    int status = 0;
    for (; peer->next_id < node->capacity && status == 0; peer->next_id += status == 0) {
        if (!node->apps[peer->next_id])
            continue;
        agent_describe(channel, peer->channel, now, node->apps[peer->next_id], &message.app);
        status = peer_send(peer, &message);
    }
    return status;
}

static int agent_tell_itself(struct peer *peer, uint64_t now)
{
    const struct agent *agent = peer->peers->context;
    const struct channels *channels = &agent->engine.channels;
    struct wire_message message = {.type = WIRE_AGENT};
    struct wire_agent *out = &message.agent;
    char place[LINK_PLACE];
    uint64_t lease = agent->uplink ? uplink_lease(agent->uplink) : 0;
    out->connected = link_dialer_is_connected(agent->dialer);
    out->reached = agent->uplink != NULL;
    out->applications = channels_applications(channels);
    for (uint32_t i = 0; i < channels->count; i++)
        out->processes += channels->list[i].node->processes;
    out->epoch = agent->uplink ? uplink_epoch(agent->uplink) : 0;
    out->lease = lease > now ? (double)(lease - now) / 1e9 : 0;
    out->refused = peer->peers->refusals.refusals;
    text_append(out->node, sizeof out->node, agent->name);
    link_address_print(link_dialer_controller(agent->dialer), place);
    text_append(out->controller, sizeof out->controller, place);
    text_clean(out->controller, strlen(out->controller));
    return peer_send(peer, &message);
}

static int agent_answer(struct peer *peer)
{
    uint64_t now = uv_hrtime();
    int status = 0;
    if (peer->question == WIRE_SHOW)
        return peer_refuse(peer, "settings are the controller's: this is the agent of a node") < 0
                   ? -1
                   : 0;
    if (!peer->answering) {
        peer->channel = 0;
        peer->next_id = peer->query.applications ? 0 : UINT32_MAX;
    }
    while (status == 0 && peer->channel < peer->peers->channels->count) {
        status = agent_tell_applications(peer, now);
        if (status == 0) {
            peer->channel++;
            peer->next_id = peer->query.applications ? 0 : UINT32_MAX;
        }
    }
    if (status == 0)
        status = agent_tell_itself(peer, now);
    peer->answering = status > 0;
    return status < 0 ? -1 : 0;
}

static int agent_set(struct peer *peer, const struct wire_set *set, uint64_t now)
{
    (void)set;
    (void)now;
    return peer_refuse(peer, "settings are the controller's: this is the agent of a node");
}

const struct peers_desk agent_desk = {agent_answer, agent_set};

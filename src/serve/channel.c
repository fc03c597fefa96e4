#include "serve/channel.h"
#include <time.h>

/* Which start of a node this is, of all that ever were: by the time of day, to the nanosecond. */
static uint64_t channel_life(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static struct node_terms channel_terms(const struct service *service)
{
    return (struct node_terms){.rule = {service->soft_release, service->phase_gap},
                               .patience = (uint64_t)(1e9 * service->max_wait),
                               .life = channel_life()};
}

/* --- applications on this node ---------------------------------------------------------------- */

/* Not by its JOIN: the node repeats that in every report to a controller elsewhere. */
static void channel_joined(void *context, struct node_app *app)
{
    const struct channel *channel = context;
    struct user *user = channel->users ? users_get(channel->users, app->who.uid) : NULL;
    if (user)
        user->applications++;
}

static void channel_leaves(void *context, struct node_app *app)
{
    const struct channel *channel = context;
    struct user *user = channel->users ? users_find(channel->users, app->who.uid) : NULL;
    backstop_release(channel->backstop, app);
    if (!user)
        return;
    if (user->applications > 0)
        user->applications--;
    users_release(channel->users, user);
}

/* --- opening and closing ---------------------------------------------------------------------- */

int channel_open_node(struct channel *channel, const struct service *service, uint64_t now,
                      struct err *err)
{
    const struct node_terms terms = channel_terms(service);
    channel->next_look = channel->next_beat = now;
    channel->node = node_new(&terms, (struct event_sink){0}, now, err);
    if (!channel->node)
        return -1;
    channel->node->host = (struct node_host){channel_joined, channel_leaves, channel};
    return 0;
}

int channel_open(struct channel *channel, const struct service *service, struct policy *policy,
                 uint64_t now, struct err *err)
{
    if (channel_open_node(channel, service, now, err) != 0) {
        policy_free(policy);
        return -1;
    }
    channel->controller = controller_new(service, policy, channel->journal, now, err);
    if (!channel->controller)
        return -1;
    channel->controller->down = node_orders(channel->node);
    channel->node->up = controller_events(channel->controller);
    channel->direct = true;
    return 0;
}

void channel_close(struct channel *channel)
{
    node_free(channel->node);
    controller_free(channel->controller);
    journal_free(channel->journal);
    channel->node = NULL;
    channel->controller = NULL;
    channel->journal = NULL;
}

void channel_bind(struct channel *channel, struct uplink *uplink, uint32_t number)
{
    uplink_bind(uplink, number, channel->node);
    channel->direct = false;
}

int channel_attach(struct channel *channel, uint64_t now, struct seat *seat,
                   const struct wire_attach *who, struct err *err)
{
    if (node_attach(channel->node, now, seat, who, err) != 0)
        return -1;
    if (who->leader == WIRE_LEADS)
        backstop_admit(channel->backstop, seat->app, seat->pid);
    return 0;
}

/* --- turns ------------------------------------------------------------------------------------ */

static void channel_beat(struct channel *channel, uint64_t now)
{
    channel->next_beat = now + CHANNEL_BEAT_NS;
    node_beat(channel->node, now);
    if (channel->direct)
        controller_beat(channel->controller, now);
    node_recover(channel->node, now);
}

static void channel_look(struct channel *channel, uint64_t now)
{
    channel->next_look = now + CHANNEL_LOOK_NS;
    node_look(channel->node, now);
    if (channel->direct)
        controller_look(channel->controller, now);
}

void channel_settle(struct channel *channel, uint64_t now)
{
    bool beat = now >= channel->next_beat, look = now >= channel->next_look;
    /* First of all: a process that waits for its answer should not wait for a look at the others.
     */
    if (channel->direct)
        controller_decide(channel->controller, now);
    if (beat)
        channel_beat(channel, now);
    if (look)
        channel_look(channel, now);
    if (channel->direct && (beat || look))
        controller_decide(channel->controller, now);
}

uint64_t channel_next(const struct channel *channel)
{
    uint64_t next = channel->next_beat;
    uint64_t due = channel->direct ? controller_next(channel->controller) : UINT64_MAX;
    if (channel->node->open_count > 0 && channel->next_look < next)
        next = channel->next_look;
    return due < next ? due : next;
}

/* --- another configuration -------------------------------------------------------------------- */

void channel_configure(struct channel *channel, const struct service *service)
{
    const struct node_terms terms = channel_terms(service);
    if (channel->controller)
        channel->controller->service = service;
    node_configure(channel->node, &terms);
}

int channel_reload(struct channel *channel, uint64_t now, const struct service *service,
                   struct err *err)
{
    if (controller_reload(channel->controller, now, service, err) != 0)
        return -1;
    channel_configure(channel, service);
    return 0;
}

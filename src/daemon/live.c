#include "daemon/live.h"
#include "base/mem.h"
#include <stdlib.h>

/* --- making and freeing ----------------------------------------------------------------------- */

static struct node_terms live_terms(const struct service *service)
{
    return (struct node_terms){.rule = {service->soft_release, service->phase_gap},
                               .patience = (uint64_t)(1e9 * service->max_wait)};
}

/* An event of the node. */
static int live_hear(void *context, uint64_t now, const struct node_message *event, struct err *err)
{
    struct live *live = context;
    if (event->type == NODE_LEAVE)
        backstop_release(live, live->node->apps[event->leave.app]);
    return controller_hear(live->controller, now, event, err);
}

/* An order of the controller. */
static void live_obey(void *context, uint64_t now, const struct node_message *order)
{
    const struct live *live = context;
    node_obey(live->node, now, order);
}

struct live *live_new(const struct service *service, struct policy *policy, struct journal *journal,
                      uint64_t now, struct err *err)
{
    const struct node_terms terms = live_terms(service);
    struct live *live = mem_alloc(1, sizeof *live);
    if (!live) {
        policy_free(policy);
        err_memory(err);
        return NULL;
    }
    *live = (struct live){.next_look = now, .next_beat = now};
    live->controller = controller_new(service, policy, journal, now, err);
    if (live->controller)
        live->node = node_new(&terms, live_hear, live, now, err);
    if (!live->node) {
        live_free(live);
        return NULL;
    }
    live->controller->order = live_obey;
    live->controller->node = live;
    return live;
}

void live_free(struct live *live)
{
    if (!live)
        return;
    node_free(live->node);
    controller_free(live->controller);
    free(live);
}

/* --- what processes do ------------------------------------------------------------------------ */

int live_attach(struct live *live, uint64_t now, struct seat *seat, const struct wire_attach *who,
                struct err *err)
{
    if (node_attach(live->node, now, seat, who, err) != 0)
        return -1;
    if (who->leader == WIRE_LEADS)
        backstop_admit(live, seat->app, seat->pid);
    return 0;
}

void live_detach(struct live *live, uint64_t now, struct seat *seat)
{
    node_detach(live->node, now, seat);
}

void live_post(struct live *live, uint64_t now, struct seat *seat, const struct wire_post *post)
{
    node_post(live->node, now, seat, post);
}

void live_end(struct live *live, uint64_t now, struct seat *seat)
{
    node_end(live->node, now, seat);
}

void live_fail(struct live *live, uint64_t now, struct seat *seat, enum wire_failure why)
{
    node_fail(live->node, now, seat, why);
}

/* --- turns ------------------------------------------------------------------------------------ */

static void live_beat(struct live *live, uint64_t now)
{
    live->next_beat = now + LIVE_BEAT_NS;
    node_beat(live->node, now);
    controller_beat(live->controller, now);
    node_recover(live->node, now);
}

static void live_look(struct live *live, uint64_t now)
{
    live->next_look = now + LIVE_LOOK_NS;
    node_look(live->node, now);
    controller_look(live->controller, now);
}

void live_settle(struct live *live, uint64_t now)
{
    /* A process that waits for its answer should not wait for a look at all the others. */
    controller_decide(live->controller, now);
    bool beat = now >= live->next_beat, look = now >= live->next_look;
    if (beat)
        live_beat(live, now);
    if (look)
        live_look(live, now);
    if (beat || look)
        controller_decide(live->controller, now);
}

uint64_t live_next(const struct live *live)
{
    uint64_t next = live->next_beat, due = controller_next(live->controller);
    if (live->node->open_count > 0 && live->next_look < next)
        next = live->next_look;
    return due < next ? due : next;
}

/* --- another configuration -------------------------------------------------------------------- */

void live_configure(struct live *live, const struct service *service)
{
    const struct node_terms terms = live_terms(service);
    live->controller->service = service;
    node_configure(live->node, &terms);
}

int live_reload(struct live *live, uint64_t now, const struct service *service, struct err *err)
{
    if (controller_reload(live->controller, now, service, err) != 0)
        return -1;
    live_configure(live, service);
    return 0;
}

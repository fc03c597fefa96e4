#include "serve/live.h"
#include "base/mem.h"
#include <stdlib.h>
#include <time.h>

/* Which start of a node this is, of all that ever were: by the time of day, to the nanosecond. */
static uint64_t live_life(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static struct node_terms live_terms(const struct service *service)
{
    return (struct node_terms){.rule = {service->soft_release, service->phase_gap},
                               .patience = (uint64_t)(1e9 * service->max_wait),
                               .life = live_life()};
}

/* The channels' door counts by user what each has open. */
static void live_count(const struct live *live, uint32_t uid, bool joins)
{
    struct user *user = !live->users ? NULL
                        : joins      ? users_get(live->users, uid)
                                     : users_find(live->users, uid);
    if (!user)
        return;
    if (joins)
        user->applications++;
    else if (user->applications > 0)
        user->applications--;
    users_release(live->users, user);
}

/* An event of the node. */
static int live_hear(void *context, uint64_t now, const struct node_message *event, struct err *err)
{
    struct live *live = context;
    if (event->type == NODE_LEAVE) {
        struct node_app *app = live->node->apps[event->leave.app];
        backstop_release(live->backstop, app);
        live_count(live, app->who.uid, false);
    }
    return live->head->hear(live->behind, now, event, err);
}

/* --- a controller in this process ------------------------------------------------------------- */

static void live_obey(void *context, uint64_t now, const struct node_message *order)
{
    const struct live *live = context;
    node_obey(live->node, now, order);
}

static int live_tell_controller(void *controller, uint64_t now, const struct node_message *event,
                                struct err *err)
{
    return controller_hear(controller, now, event, err);
}

static void live_let_decide(void *controller, uint64_t now)
{
    controller_decide(controller, now);
}

static void live_let_look(void *controller, uint64_t now)
{
    controller_look(controller, now);
}

static void live_let_beat(void *controller, uint64_t now)
{
    controller_beat(controller, now);
}

static uint64_t live_ask_next(void *controller)
{
    return controller_next(controller);
}

static const struct live_head live_controller = {
    live_tell_controller, live_let_decide, live_let_look, live_let_beat, live_ask_next,
};

/* --- making and freeing ----------------------------------------------------------------------- */

struct live *live_new_node(const struct service *service, uint64_t now, struct err *err)
{
    const struct node_terms terms = live_terms(service);
    struct live *live = mem_alloc(1, sizeof *live);
    if (!live) {
        err_memory(err);
        return NULL;
    }
    *live = (struct live){.next_look = now, .next_beat = now};
    live->node = node_new(&terms, live_hear, live, now, err);
    if (live->node)
        return live;
    live_free(live);
    return NULL;
}

struct live *live_new(const struct service *service, struct policy *policy, struct journal *journal,
                      uint64_t now, struct err *err)
{
    struct live *live = live_new_node(service, now, err);
    if (!live) {
        policy_free(policy);
        return NULL;
    }
    live->controller = controller_new(service, policy, journal, now, err);
    if (!live->controller) {
        live_free(live);
        return NULL;
    }
    live->controller->order = live_obey;
    live->controller->node = live;
    live_route(live, &live_controller, live->controller);
    return live;
}

void live_route(struct live *live, const struct live_head *head, void *context)
{
    live->head = head;
    live->behind = context;
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
    uint32_t before = live->node->count;
    if (node_attach(live->node, now, seat, who, err) != 0)
        return -1;
    /* Not by its JOIN, which the node repeats in every report to a controller elsewhere. */
    if (live->node->count > before)
        live_count(live, seat->uid, true);
    if (who->leader == WIRE_LEADS)
        backstop_admit(live->backstop, seat->app, seat->pid);
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
    live->beats++;
    node_beat(live->node, now);
    live->head->beat(live->behind, now);
    node_recover(live->node, now);
}

static void live_look(struct live *live, uint64_t now)
{
    live->next_look = now + LIVE_LOOK_NS;
    node_look(live->node, now);
    live->head->look(live->behind, now);
}

void live_settle(struct live *live, uint64_t now)
{
    /* A process that waits for its answer should not wait for a look at all the others. */
    live->head->decide(live->behind, now);
    bool beat = now >= live->next_beat, look = now >= live->next_look;
    if (beat)
        live_beat(live, now);
    if (look)
        live_look(live, now);
    if (beat || look)
        live->head->decide(live->behind, now);
}

uint64_t live_next(const struct live *live)
{
    uint64_t next = live->next_beat, due = live->head->next(live->behind);
    if (live->node->open_count > 0 && live->next_look < next)
        next = live->next_look;
    return due < next ? due : next;
}

/* --- another configuration -------------------------------------------------------------------- */

void live_configure(struct live *live, const struct service *service)
{
    const struct node_terms terms = live_terms(service);
    if (live->controller)
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

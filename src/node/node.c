#include "node/node.h"
#include "base/maths.h"
#include "base/mem.h"
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 256 };

double node_seconds(const struct node *node, uint64_t now)
{
    return now > node->origin ? (double)(now - node->origin) / 1e9 : 0;
}

void node_send(struct node *node, uint64_t now, const struct node_message *event)
{
    struct err err;
    node->up.hear(node->up.context, now, event, &err);
}

/* --- making and freeing ----------------------------------------------------------------------- */

static int node_make_room(struct node *node, uint32_t capacity, struct err *err)
{
    struct node_app **apps = mem_grow(node->apps, capacity, sizeof *apps);
    if (apps)
        node->apps = apps;
    uint32_t *open = mem_grow(node->open, capacity, sizeof *open);
    if (open)
        node->open = open;
    if (!apps || !open || tokens_resize(&node->tokens, capacity) != 0)
        return err_memory(err);
    for (uint32_t id = node->capacity; id < capacity; id++)
        node->apps[id] = NULL;
    node->capacity = capacity;
    return 0;
}

struct node *node_new(const struct node_terms *terms, struct event_sink up, uint64_t now,
                      struct err *err)
{
    struct node *node = mem_alloc(1, sizeof *node);
    if (!node) {
        err_memory(err);
        return NULL;
    }
    *node = (struct node){.terms = *terms, .up = up, .origin = now};
    if (node_make_room(node, FIRST_CAPACITY, err) == 0)
        return node;
    node_free(node);
    return NULL;
}

void node_free(struct node *node)
{
    if (!node)
        return;
    for (uint32_t id = 0; id < node->capacity; id++) {
        if (node->apps[id])
            pages_open(&node->apps[id]->pages);
        node_app_free(node->apps[id]);
    }
    free(node->apps);
    free(node->open);
    tokens_fini(&node->tokens);
    free(node);
}

void node_configure(struct node *node, const struct node_terms *terms)
{
    uint64_t life = node->terms.life;
    node->terms = *terms;
    node->terms.life = life;
    for (uint32_t id = 0; id < node->capacity; id++)
        if (node->apps[id])
            pages_bound(&node->apps[id]->pages, terms->patience);
}

/* --- coming and going ------------------------------------------------------------------------- */

static struct node_progress node_progress_of(const struct node_app *app)
{
    enum wire_escape why;
    double escaped = node_app_escaped(app, &why);
    return (struct node_progress){.app = app->who.app,
                                  .processes = app->processes,
                                  .uncontrolled = app->uncontrolled,
                                  .failure = app->failure,
                                  .moved = app->moved,
                                  .escaped = escaped,
                                  .why = why,
                                  .pid = app->who.pid,
                                  .outside = app->outside};
}

/* Reports what it has done so far. */
static void node_report(struct node *node, uint64_t now, struct node_app *app)
{
    struct node_message event;
    event.type = NODE_PROGRESS;
    event.progress = app->told = node_progress_of(app);
    node_send(node, now, &event);
}

/* The same, if that is new. */
static void node_report_news(struct node *node, uint64_t now, struct node_app *app)
{
    const struct node_progress *told = &app->told, is = node_progress_of(app);
    if (is.moved != told->moved || is.escaped != told->escaped || is.why != told->why ||
        is.processes != told->processes || is.uncontrolled != told->uncontrolled ||
        is.failure != told->failure || is.pid != told->pid || is.outside != told->outside)
        node_report(node, now, app);
}

void node_repeat(struct node *node, uint64_t now, struct node_app *app)
{
    struct node_message event = {.type = NODE_JOIN, .join = app->who};
    event.join.age = maths_max(0, node_seconds(node, now) - app->joined);
    node_app_count(app);
    node_send(node, now, &event);
    node_repeat_io(node, now, app);
    node_report(node, now, app);
}

/* A free number for a new application, or NODE_NONE with err. */
static uint32_t node_find_number(struct node *node, struct err *err)
{
    uint32_t id = node->first_free;
    while (id < node->capacity && node->apps[id])
        id++;
    node->first_free = id;
    if (id < node->capacity)
        return id;
    if (node->capacity >= NODE_APPS) {
        err_set(err, "too many applications: %u run already", node->count);
        return NODE_NONE;
    }
    return node_make_room(node, 2 * node->capacity, err) ? NODE_NONE : id;
}

static void node_forget(struct node *node, struct node_app *app)
{
    uint32_t id = app->who.app;
    if (app->number > node->numbers)
        node->numbers = app->number;
    node->apps[id] = NULL;
    node->first_free = id < node->first_free ? id : node->first_free;
    node->count--;
    tokens_remove(&node->tokens, &app->entry);
    node_app_free(app);
}

/* A new application with this process as its first; NULL with err. */
static struct node_app *node_admit(struct node *node, uint64_t now, struct seat *seat,
                                   const struct wire_attach *who, struct err *err)
{
    uint32_t id = node_find_number(node, err);
    struct node_app *app =
        id == NODE_NONE ? NULL : node_app_new(who, seat->uid, node->terms.patience, err);
    if (!app || node_app_take_slot(app, seat->pid, &seat->slot, err) != 0) {
        node_app_free(app);
        return NULL;
    }
    app->who.app = id;
    app->who.pid = (uint32_t)seat->pid;
    app->who.counter[0] = node->terms.life;
    app->who.counter[1] = node->terms.life ? ++node->counters : 0;
    app->joined = node_seconds(node, now);
    app->number = node->numbers;
    node->apps[id] = app;
    node->count++;
    tokens_add(&node->tokens, &app->entry);
    struct node_message event = {.type = NODE_JOIN, .join = app->who};
    if (node->up.hear(node->up.context, now, &event, err) != 0) {
        node_forget(node, app);
        return NULL;
    }
    if (node->host.joined)
        node->host.joined(node->host.context, app);
    return app;
}

int node_attach(struct node *node, uint64_t now, struct seat *seat, const struct wire_attach *who,
                struct err *err)
{
    if (seat->app)
        return err_set(err, "this process is already attached");
    struct node_app *app = tokens_find(&node->tokens, seat->uid, who->token);
    if (!app)
        app = node_admit(node, now, seat, who, err);
    else if (node_app_take_slot(app, seat->pid, &seat->slot, err) != 0)
        return -1;
    if (!app)
        return -1;
    if (who->leader || app->who.pid == 0)
        app->who.pid = (uint32_t)seat->pid;
    pages_beat(&app->pages, now); /* so that it sees whether its clock is the same */
    seat->app = app;
    node->processes++;
    node_report(node, now, app);
    return 0;
}

/* Another process to identify it by, if there is one. */
static void pick_pid(struct node_app *app)
{
    for (size_t slot = 0; slot < app->slot_count; slot++)
        if (app->slots[slot].here) {
            app->who.pid = (uint32_t)app->slots[slot].pid;
            return;
        }
}

static void node_leave(struct node *node, uint64_t now, struct node_app *app)
{
    struct node_message event = {.type = NODE_LEAVE};
    enum wire_escape why;
    if (node->host.leaves)
        node->host.leaves(node->host.context, app);
    node_app_count(app);
    double escaped = node_app_escaped(app, &why);
    event.leave = (struct node_leave){.app = app->who.app,
                                      .pid = app->who.pid,
                                      .moved = app->moved,
                                      .escaped = escaped,
                                      .why = why,
                                      .outside = app->outside};
    node_send(node, now, &event);
    if (app->phase != PHASE_IDLE)
        node_unlist(node, app);
    pages_open(&app->pages); /* a process that kept the page must not wait for ever */
    node_forget(node, app);
}

/* The last announcement ends. A process that is inside a call has begun meanwhile, and its POST may
 * wait in another socket: then this is one I/O of both, and ends with the other, or falls quiet. */
static void node_end_announced(struct node *node, uint64_t now, struct node_app *app)
{
    if (app->phase != PHASE_IDLE && !node_app_is_busy(app))
        node_end_io(node, now, app, node_seconds(node, now));
}

void node_detach(struct node *node, uint64_t now, struct seat *seat)
{
    struct node_app *app = seat->app;
    if (!app)
        return;
    bool ends = seat->begun > 0 && seat->begun == app->begun;
    app->begun -= seat->begun;
    node_app_return_slot(app, seat->slot);
    if ((uint32_t)seat->pid == app->who.pid)
        pick_pid(app);
    *seat = (struct seat){.uid = seat->uid, .pid = seat->pid};
    node->processes--;
    if (app->processes == 0) {
        node_leave(node, now, app);
        return;
    }
    node_report(node, now, app);
    if (ends)
        node_end_announced(node, now, app);
}

/* --- what processes say ----------------------------------------------------------------------- */

void node_post(struct node *node, uint64_t now, struct seat *seat, const struct wire_post *post)
{
    struct node_app *app = seat->app;
    /* The paused I/O was recognised from calls; the announced one is another. */
    if (post->begun && app->begun == 0 && app->phase == PHASE_PAUSED)
        node_end_io(node, now, app, node_seconds(node, now));
    seat->begun += post->begun;
    app->begun += post->begun;
    node_begin_io(node, now, app, post->volume);
}

void node_end(struct node *node, uint64_t now, struct seat *seat)
{
    struct node_app *app = seat->app;
    if (seat->begun > 0) {
        seat->begun--;
        app->begun--;
    }
    if (app->begun == 0)
        node_end_announced(node, now, app);
}

void node_fail(struct node *node, uint64_t now, struct seat *seat, enum wire_failure why)
{
    struct node_app *app = seat->app;
    node_app_fail(app, seat->slot, why);
    node_report(node, now, app);
}

/* --- orders ----------------------------------------------------------------------------------- */

/* Writes the page if it changes. */
static void node_pace(struct node *node, uint64_t now, struct node_app *app, double rate)
{
    /* One that uses all of a low rate in quick turns must find what was allowed since the last. */
    pages_keep(&app->pages, node_app_uses_all(app, rate) ? NEED_CYCLE : PAGES_BURST);
    if (app->open) {
        node_app_count_grant(app, node_seconds(node, now));
        app->open = false;
        app->rate = rate;
        pages_grant(&app->pages, now, rate);
        pages_limit(&app->pages, now, app->ops);
    } else if (rate != app->rate) {
        node_app_count_grant(app, node_seconds(node, now));
        app->rate = rate;
        pages_grant(&app->pages, now, rate);
    }
}

/* The grant may have crossed the pause or the end of the I/O on its way. Any that is 0 holds an
 * application that has no I/O. */
static bool node_takes_grant(const struct node_app *app, const struct node_grant *grant)
{
    if (grant->rate == 0 && app->phase == PHASE_IDLE)
        return true;
    bool moves = app->phase == PHASE_OPEN || (app->phase == PHASE_PAUSED && app->probing);
    return grant->phase == app->number && (moves || grant->rate == 0);
}

static void node_take_grant(struct node *node, uint64_t now, struct node_app *app,
                            const struct node_grant *grant)
{
    if (!node_takes_grant(app, grant))
        return;
    node_pace(node, now, app, grant->rate);
}

static void node_take_limit(uint64_t now, struct node_app *app, const struct node_limit *limit)
{
    app->bmax = limit->bmax;
    app->alone = limit->alone;
    pages_speed(&app->pages, limit->alone);
    if (limit->phase == app->number)
        app->volume = limit->volume;
    if (limit->ops == app->ops)
        return;
    app->ops = limit->ops;
    if (!app->open)
        pages_limit(&app->pages, now, app->ops);
}

static struct node_app *node_find(const struct node *node, uint32_t id)
{
    return id < node->capacity ? node->apps[id] : NULL;
}

void node_obey(struct node *node, uint64_t now, const struct node_message *order)
{
    struct node_app *app;
    switch (order->type) {
    case NODE_GRANT:
        if ((app = node_find(node, order->grant.app)))
            node_take_grant(node, now, app, &order->grant);
        break;
    case NODE_LIMIT:
        if ((app = node_find(node, order->limit.app)))
            node_take_limit(now, app, &order->limit);
        break;
    case NODE_OPEN:
        if ((app = node_find(node, order->open.app))) {
            node_app_count_grant(app, node_seconds(node, now));
            app->open = true;
            app->rate = 0;
            pages_open(&app->pages);
        }
        break;
    case NODE_COUNT:
        if ((app = node_find(node, order->count.app))) {
            node_app_count(app);
            node_report(node, now, app);
        }
        break;
    case NODE_TURN:
        if ((app = node_find(node, order->turn.app)) && order->turn.phase == app->number) {
            pages_turn(&app->pages, now);
            app->ahead = 0;
        }
        break;
    default:
        break; /* an event */
    }
}

/* --- now and then ----------------------------------------------------------------------------- */

void node_beat(struct node *node, uint64_t now)
{
    for (uint32_t id = 0; id < node->capacity; id++) {
        struct node_app *app = node->apps[id];
        if (!app)
            continue;
        pages_beat(&app->pages, now);
        node_app_count(app);
        node_report_news(node, now, app);
    }
}

void node_recover(struct node *node, uint64_t now)
{
    for (uint32_t id = 0; id < node->capacity; id++) {
        struct node_app *app = node->apps[id];
        if (!app)
            continue;
        bool missed =
            app->phase == PHASE_IDLE && atomic_load(&app->pages.usage->phase) == PHASE_OPEN;
        if (missed && app->missed)
            node_begin_io(node, now, app, 0);
        app->missed = missed;
    }
}

static void node_obey_sent(void *context, uint64_t now, const struct node_message *order)
{
    node_obey(context, now, order);
}

struct order_sink node_orders(struct node *node)
{
    return (struct order_sink){node_obey_sent, node};
}

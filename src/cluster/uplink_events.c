/* What the nodes tell, and reports of all that they know. */
#include "base/mem.h"
#include "cluster/uplink_inner.h"
#include <string.h>

/* --- what was told ---------------------------------------------------------------------------- */

/* Room for this application; NULL when memory is out. */
static struct told *uplink_told(struct uplink_line *line, uint32_t app)
{
    uint32_t capacity = line->node->capacity;
    if (app < line->capacity)
        return &line->told[app];
    struct told *told = mem_grow(line->told, capacity, sizeof *told);
    if (!told)
        return NULL;
    memset(told + line->capacity, 0, (capacity - line->capacity) * sizeof *told);
    line->told = told;
    line->capacity = capacity;
    return &line->told[app];
}

/* The bytes that the application of an event has moved; NULL if the event does not tell. */
static const double *uplink_moved(const struct node_message *event)
{
    switch (event->type) {
    case NODE_POST:
        return &event->post.moved;
    case NODE_PAUSE:
        return &event->pause.moved;
    case NODE_RESUME:
        return &event->resume.moved;
    case NODE_END:
        return &event->end.moved;
    case NODE_CALLS:
        return &event->calls.moved;
    case NODE_PROGRESS:
        return &event->progress.moved;
    case NODE_LEAVE:
        return &event->leave.moved;
    default:
        return NULL;
    }
}

/* Shows an application's processes what of their bytes was told. */
static void uplink_show(const struct uplink *uplink, uint32_t channel,
                        const struct node_message *event)
{
    const struct node *node = uplink->lines[channel].node;
    const double *moved = uplink_moved(event);
    if (moved && node->apps[event->join.app])
        node_app_tell(node->apps[event->join.app], node->terms.life, *moved);
}

/* Adds a message to the frame of this turn. */
static void uplink_add(struct uplink *uplink, uint64_t now, uint32_t channel,
                       const struct node_message *message)
{
    uplink_show(uplink, channel, message);
    if (frame_add(&uplink->frame, uplink->version, channel, message))
        return;
    uint64_t flags = uplink->begins ? FRAME_WHOLE : 0;
    uplink->begins = false;
    if (uplink_flush(uplink, now, flags))
        frame_add(&uplink->frame, uplink->version, channel, message);
}

/* PROGRESS waits for the next frame: at the latest for the next beat, or for less if other nodes
 * share the application's bandwidth. */
static void uplink_put_off(struct uplink *uplink, uint64_t now, const struct node_app *app,
                           struct told *told)
{
    double delay = app->who.nodes > 1 ? uplink->terms.progress : uplink->terms.beat;
    uint64_t due = now + (uint64_t)(1e9 * delay);
    told->progress = true;
    uplink->progress = due < uplink->progress ? due : uplink->progress;
}

void uplink_tell_freed(struct uplink *uplink, uint64_t now, uint32_t channel,
                       const struct node_app *app)
{
    const struct node_message event = {.type = NODE_OPEN, .open = {.app = app->who.app}};
    if (uplink->connected && !uplink->report)
        uplink_add(uplink, now, channel, &event);
}

/* --- events ----------------------------------------------------------------------------------- */

/* What an event does on the node itself. A paused I/O gives its bandwidth back at once, and so does
 * one that has proved that it moves: what it had then was not counted. */
static void uplink_act(struct uplink *uplink, uint64_t now, uint32_t channel, struct node_app *app,
                       enum node_type type)
{
    struct node *node = uplink->lines[channel].node;
    bool begins = type == NODE_JOIN || type == NODE_POST || type == NODE_RESUME;
    if (uplink->free && begins)
        uplink_release(uplink, now, channel, app);
    if (type == NODE_POST && !uplink->needed) {
        uplink->needed = true;
        uplink->grace = now + (uint64_t)(1e9 * uplink->terms.lease);
    }
    if ((type == NODE_PAUSE || type == NODE_RESUME) && app->rate > 0 && !uplink->free) {
        struct node_message order = {.type = NODE_GRANT};
        order.grant = (struct node_grant){.app = app->who.app, .phase = app->number};
        node_obey(node, now, &order);
    }
}

/* Whether the controller takes the grant back when it hears this. */
static bool uplink_gives_back(enum node_type type)
{
    return type == NODE_JOIN || type == NODE_PAUSE || type == NODE_RESUME || type == NODE_END;
}

static void uplink_tell(struct uplink *uplink, uint64_t now, uint32_t channel,
                        const struct node_message *event)
{
    struct uplink_line *line = &uplink->lines[channel];
    const struct node_app *app = line->node->apps[event->join.app];
    struct told *told = uplink_told(line, event->join.app);
    if (!told) {
        uplink->report = true; /* when there is memory again */
        return;
    }
    if (event->type == NODE_PROGRESS && !uplink->counting) {
        uplink_put_off(uplink, now, app, told);
        return;
    }
    uplink_add(uplink, now, channel, event);
    if (uplink_gives_back(event->type))
        told->changed = uplink->sent + 1;
    if (event->type == NODE_JOIN)
        told->joined = uplink->sent + 1;
    if (event->type == NODE_LEAVE)
        told->progress = false;
    /* A grant that ends this may be under way, and does not count now. */
    if ((uplink_gives_back(event->type) || event->type == NODE_POST) && (app->open || uplink->free))
        uplink_tell_freed(uplink, now, channel, app);
}

/* Notes that an application leaves: bytes that it moved may not be in any account yet. */
static void uplink_note_leave(struct uplink *uplink, uint32_t channel,
                              const struct node_leave *leave, bool told)
{
    const struct node_join *who = &uplink->lines[channel].node->apps[leave->app]->who;
    if (uplink->departed_count == UPLINK_DEPARTED) /* the oldest is given up */
        memmove(uplink->departed, uplink->departed + 1,
                --uplink->departed_count * sizeof *uplink->departed);
    uplink->departed[uplink->departed_count++] =
        (struct uplink_departed){.channel = channel,
                                 .sequence = told ? uplink->sent + 1 : 0,
                                 .gone = {.uid = who->uid,
                                          .token = {who->token[0], who->token[1]},
                                          .counter = {who->counter[0], who->counter[1]},
                                          .moved = leave->moved,
                                          .escaped = leave->escaped,
                                          .why = leave->why}};
}

void uplink_forget_departed(struct uplink *uplink, uint64_t acknowledged)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < uplink->departed_count; i++) {
        const struct uplink_departed *departed = &uplink->departed[i];
        if (departed->sequence == 0 || departed->sequence > acknowledged)
            uplink->departed[kept++] = *departed;
    }
    uplink->departed_count = kept;
}

void uplink_hear(struct uplink *uplink, uint64_t now, uint32_t channel,
                 const struct node_message *event)
{
    if (uplink->reporting) {
        uplink_add(uplink, now, channel, event);
        return;
    }
    uplink_act(uplink, now, channel, uplink->lines[channel].node->apps[event->join.app],
               event->type);
    if (event->type == NODE_JOIN) /* nobody is told before there is a controller */
        node_app_tell(uplink->lines[channel].node->apps[event->join.app],
                      uplink->lines[channel].node->terms.life, 0);
    bool told = uplink->connected && !uplink->report;
    if (told)
        uplink_tell(uplink, now, channel, event);
    if (event->type == NODE_LEAVE)
        uplink_note_leave(uplink, channel, &event->leave, told);
}

/* --- reports ---------------------------------------------------------------------------------- */

/* Tells what an application holds. */
static void uplink_add_held(struct uplink *uplink, uint64_t now, uint32_t channel,
                            const struct node_app *app)
{
    struct node_message held = {.type = NODE_OPEN, .open = {.app = app->who.app}};
    if (!app->open && !uplink->free) {
        held.type = NODE_GRANT;
        held.grant =
            (struct node_grant){.app = app->who.app, .phase = app->number, .rate = app->rate};
    }
    if (app->open || uplink->free || app->rate > 0)
        uplink_add(uplink, now, channel, &held);
}

static void uplink_repeat_departed(struct uplink *uplink, uint64_t now)
{
    for (uint32_t i = 0; i < uplink->departed_count; i++) {
        const struct node_message event = {.type = NODE_GONE, .gone = uplink->departed[i].gone};
        uplink_add(uplink, now, uplink->departed[i].channel, &event);
    }
}

void uplink_send_report(struct uplink *uplink, uint64_t now)
{
    frame_clear(&uplink->frame);
    uplink->report = false;
    uplink->progress = UINT64_MAX;
    uplink->reporting = uplink->begins = true;
    uplink_repeat_departed(uplink, now);
    for (uint32_t channel = 0; channel < uplink->terms.channels; channel++) {
        struct uplink_line *line = &uplink->lines[channel];
        if (line->told)
            memset(line->told, 0, line->capacity * sizeof *line->told);
        for (uint32_t app = 0; app < line->node->capacity && !uplink->blocked; app++)
            if (line->node->apps[app]) {
                node_repeat(line->node, now, line->node->apps[app]);
                uplink_add_held(uplink, now, channel, line->node->apps[app]);
            }
    }
    uplink->reporting = false;
    if (uplink->blocked)
        return;
    for (uint32_t i = 0; i < uplink->departed_count; i++)
        uplink->departed[i].sequence = uplink->sent + 1;
    uplink_flush(uplink, now, FRAME_LAST | (uplink->begins ? FRAME_WHOLE : 0));
    uplink->awaiting = true;
    uplink->report_sequence = uplink->sent;
    uplink->report_stamp = now;
}

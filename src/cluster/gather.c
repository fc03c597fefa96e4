#include "cluster/gather.h"
#include "base/mem.h"
#include "cluster/part.h"
#include <math.h>
#include <stdlib.h>

enum { FIRST_APPS = 64 };

/* --- making and freeing ----------------------------------------------------------------------- */

/* Makes room for twice as many applications. 0, or -1 when memory is out. */
static int gather_grow(struct gather *gather)
{
    uint32_t capacity = gather->capacity > 0 ? 2 * gather->capacity : FIRST_APPS;
    struct gather_app **apps = mem_grow(gather->apps, capacity, sizeof *apps);
    if (apps)
        gather->apps = apps;
    uint32_t *numbers = mem_grow(gather->free, capacity, sizeof *numbers);
    if (numbers)
        gather->free = numbers;
    if (!apps || !numbers || tokens_resize(&gather->tokens, capacity) != 0)
        return -1;
    for (uint32_t id = capacity; id-- > gather->capacity;) { /* the lowest are used first */
        gather->apps[id] = NULL;
        gather->free[gather->free_count++] = id;
    }
    gather->capacity = capacity;
    return 0;
}

struct gather *gather_new(struct event_sink up, gather_order *order, void *context, struct err *err)
{
    struct gather *gather = mem_alloc(1, sizeof *gather);
    if (!gather || gather_grow(gather) != 0) {
        gather_free(gather);
        err_memory(err);
        return NULL;
    }
    gather->up = up;
    gather->order = order;
    gather->context = context;
    gather->node_bandwidth = INFINITY;
    gather->next = UINT64_MAX;
    return gather;
}

void gather_free(struct gather *gather)
{
    if (!gather)
        return;
    for (uint32_t id = 0; id < gather->capacity; id++) {
        struct gather_app *app = gather->apps[id];
        for (struct gather_part *part = app ? app->first : NULL, *next; part; part = next) {
            next = part->next;
            free(part);
        }
        if (app)
            absence_forget(gather, app);
        free(app);
    }
    for (size_t member = 0; member < gather->member_capacity; member++)
        free(gather->members[member].parts);
    free(gather->members);
    free(gather->apps);
    free(gather->free);
    free(gather->claims);
    tokens_fini(&gather->tokens);
    free(gather);
}

void gather_bound(struct gather *gather, double node_bandwidth)
{
    gather->node_bandwidth = node_bandwidth;
    for (uint32_t id = 0; id < gather->capacity; id++)
        if (gather->apps[id])
            spread_mark(gather, gather->apps[id], true);
}

uint32_t gather_applications(const struct gather *gather)
{
    uint32_t count = 0;
    for (uint32_t id = 0; id < gather->capacity; id++)
        count += gather->apps[id] && gather->apps[id]->parts > 0;
    return count;
}

uint32_t gather_parts(const struct gather *gather)
{
    return gather->parts;
}

/* --- room ------------------------------------------------------------------------------------- */

/* A member; NULL when memory is out. */
static struct gather_member *gather_member_of(struct gather *gather, uint32_t at)
{
    size_t known = gather->member_capacity;
    struct gather_member *members =
        mem_reserve(gather->members, &gather->member_capacity, (size_t)at + 1, sizeof *members);
    if (!members)
        return NULL;
    gather->members = members;
    for (; known < gather->member_capacity; known++)
        members[known] = (struct gather_member){0};
    return &members[at];
}

/* The place of a part of this member and number; NULL when memory is out. */
static struct gather_part **gather_place(struct gather *gather, uint32_t at, uint32_t number)
{
    struct gather_member *member = gather_member_of(gather, at);
    if (!member)
        return NULL;
    size_t known = member->capacity;
    struct gather_part **parts =
        mem_reserve(member->parts, &member->capacity, (size_t)number + 1, sizeof *parts);
    if (!parts)
        return NULL;
    member->parts = parts;
    for (; known < member->capacity; known++)
        parts[known] = NULL;
    return &parts[number];
}

/* --- coming ----------------------------------------------------------------------------------- */

static struct gather_app *gather_add_app(struct gather *gather, const struct node_join *who)
{
    struct gather_app *app = mem_alloc(1, sizeof *app);
    if (!app || (gather->free_count == 0 && gather_grow(gather) != 0)) {
        free(app);
        return NULL;
    }
    uint32_t id = gather->free[--gather->free_count];
    *app = (struct gather_app){.who = *who, .failure = WIRE_FAILED_NONE, .state = PHASE_IDLE};
    app->who.app = id;
    app->entry = (struct tokens_entry){.who = &app->who, .owner = app};
    app->last = &app->first;
    gather->apps[id] = app;
    tokens_add(&gather->tokens, &app->entry);
    return app;
}

static void gather_remove_app(struct gather *gather, struct gather_app *app)
{
    uint32_t id = app->who.app;
    absence_forget(gather, app);
    gather->apps[id] = NULL;
    gather->free[gather->free_count++] = id;
    tokens_remove(&gather->tokens, &app->entry);
    spread_forget(app);
    free(app);
}

static void gather_link(struct gather *gather, struct gather_app *app, struct gather_part *part)
{
    part->app = app;
    part->link = app->last;
    *app->last = part;
    app->last = &part->next;
    app->parts++;
    gather->parts++;
}

static void gather_unlink(struct gather *gather, struct gather_part *part)
{
    struct gather_app *app = part->app;
    *part->link = part->next;
    if (part->next)
        part->next->link = part->link;
    else
        app->last = part->link;
    app->parts--;
    gather->parts--;
    gather->members[part->member].parts[part->number] = NULL;
    free(part);
}

/* Tells the controller on how many nodes it runs, if that has changed. */
static void gather_follow_nodes(const struct gather *gather, uint64_t now, struct gather_app *app)
{
    struct node_message event;
    struct err err;
    double nodes = maths_max(app->nodes, app->parts);
    if (nodes == app->who.nodes)
        return;
    app->who.nodes = nodes;
    event.type = NODE_JOIN;
    event.join = app->who;
    gather->up.hear(gather->up.context, now, &event, &err);
}

/* The first part of an application. */
static int gather_introduce(struct gather *gather, uint64_t now, struct gather_app *app,
                            struct err *err)
{
    const struct node_message event = {.type = NODE_JOIN, .join = app->who};
    return gather->up.hear(gather->up.context, now, &event, err);
}

static int gather_admit(struct gather *gather, uint64_t now, uint32_t member,
                        const struct node_join *who, struct err *err)
{
    struct gather_part **place = gather_place(gather, member, who->app);
    struct gather_app *app = tokens_find(&gather->tokens, who->uid, who->token);
    bool first = !app;
    struct gather_part *part = place ? mem_alloc(1, sizeof *part) : NULL;
    struct divide_claim *claims = mem_reserve(gather->claims, &gather->claim_capacity,
                                              first ? 1 : app->parts + 1, sizeof *claims);
    if (claims)
        gather->claims = claims;
    if (part && claims && first)
        app = gather_add_app(gather, who);
    if (!part || !claims || !app) {
        free(part);
        return err_memory(err);
    }
    *part = (struct gather_part){
        .member = member,
        .number = who->app,
        .counter = {who->counter[0], who->counter[1]},
        .pid = who->pid,
        .failure = WIRE_FAILED_NONE,
        .state = PHASE_IDLE,
        .reported_state = PHASE_IDLE,
        .outside = -1,
    };
    *place = part;
    gather_link(gather, app, part);
    absence_end(gather, part);
    if (first && gather_introduce(gather, now, app, err) != 0) {
        gather_unlink(gather, part);
        gather_remove_app(gather, app);
        return -1;
    }
    return 0;
}

/* --- going ------------------------------------------------------------------------------------ */

static void gather_leave(struct gather *gather, uint64_t now, struct gather_part *part)
{
    struct gather_app *app = part->app;
    if (app->parts == 1 && !absence_is_awaited(app, now)) {
        merge_tell_leave(gather, now, app);
        gather_unlink(gather, part);
        gather_remove_app(gather, app);
        return;
    }
    app->processes -= part->processes;
    app->uncontrolled -= part->uncontrolled;
    app->pid = part->pid;
    part_turn(part, PHASE_IDLE, false);
    gather_unlink(gather, part);
    merge_follow(gather, now, app, 0, 0);
    merge_tell_progress(gather, now, app);
    if (app->parts > 0)
        gather_follow_nodes(gather, now, app);
}

static void gather_hear_leave(struct gather *gather, uint64_t now, struct gather_part *part,
                              const struct node_leave *leave)
{
    part_count(part, leave->moved);
    part_count_outside(part, leave->outside);
    part_escape(part, maths_max(leave->escaped, part->escaped), (enum wire_escape)leave->why);
    part->pid = leave->pid;
    gather_leave(gather, now, part);
}

/* --- events ----------------------------------------------------------------------------------- */

static struct gather_part *gather_find(const struct gather *gather, uint32_t member,
                                       uint32_t number)
{
    return member < gather->member_capacity && number < gather->members[member].capacity
               ? gather->members[member].parts[number]
               : NULL;
}

static int gather_hear_join(struct gather *gather, uint64_t now, uint32_t member,
                            const struct node_join *who, struct err *err)
{
    struct gather_part *part = gather_find(gather, member, who->app);
    const struct node_join *known = part ? &part->app->who : NULL;
    if (part && (known->uid != who->uid || known->token[0] != who->token[0] ||
                 known->token[1] != who->token[1])) {
        gather_leave(gather, now, part);
        part = NULL;
    }
    if (!part && gather_admit(gather, now, member, who, err) != 0)
        return -1;
    part = gather_find(gather, member, who->app);
    struct gather_app *app = part->app;
    part->reported = true;
    part->told.lost |= gather->members[member].reporting;
    app->nodes = maths_max(app->nodes, who->nodes);
    gather_follow_nodes(gather, now, app);
    spread_mark(gather, app, false);
    return 0;
}

/* The part that has left, if that is not known: it is there, or its node was lost meanwhile. */
static void gather_hear_gone(struct gather *gather, uint64_t now, const struct node_gone *gone)
{
    struct gather_app *app = tokens_find(&gather->tokens, gone->uid, gone->token);
    struct gather_part *part = app ? app->first : NULL;
    while (part && (part->counter[0] != gone->counter[0] || part->counter[1] != gone->counter[1]))
        part = part->next;
    if (part) {
        part_count(part, gone->moved);
        part_escape(part, maths_max(gone->escaped, part->escaped), (enum wire_escape)gone->why);
        gather_leave(gather, now, part);
    } else if (app && absence_finish(app, gone)) {
        merge_follow(gather, now, app, 0, 0);
        gather_expire(gather, now);
    }
}

int gather_hear(struct gather *gather, uint64_t now, uint32_t member,
                const struct node_message *event, struct err *err)
{
    uint32_t number = event->join.app; /* the first member of all events */
    if (event->type == NODE_GONE) {
        gather_hear_gone(gather, now, &event->gone);
        return 0;
    }
    if (event->type == NODE_JOIN)
        return gather_hear_join(gather, now, member, &event->join, err);
    struct gather_part *part = gather_find(gather, member, number);
    if (part && event->type == NODE_LEAVE)
        gather_hear_leave(gather, now, part, &event->leave);
    else if (part)
        merge_hear(gather, now, part, event);
    return 0;
}

/* --- members ---------------------------------------------------------------------------------- */

static uint64_t gather_until(uint64_t now, double seconds)
{
    return now + (uint64_t)(1e9 * seconds);
}

void gather_lose(struct gather *gather, uint64_t now, uint32_t at, bool restarted)
{
    if (at >= gather->member_capacity)
        return;
    uint64_t until = gather_until(now, restarted ? GATHER_RESTART : GATHER_AWAY);
    for (uint32_t number = 0; number < gather->members[at].capacity; number++) {
        struct gather_part *part = gather_find(gather, at, number);
        if (!part)
            continue;
        absence_begin(part, until);
        gather_leave(gather, now, part);
    }
    free(gather->members[at].parts);
    gather->members[at] = (struct gather_member){0};
}

void gather_expire(struct gather *gather, uint64_t now)
{
    for (uint32_t id = 0; id < gather->capacity; id++) {
        struct gather_app *app = gather->apps[id];
        if (!app || app->parts > 0 || absence_is_awaited(app, now))
            continue;
        merge_tell_leave(gather, now, app);
        gather_remove_app(gather, app);
    }
}

void gather_await(struct gather *gather, uint64_t now)
{
    for (uint32_t id = 0; id < gather->capacity; id++)
        if (gather->apps[id])
            absence_extend(gather->apps[id], gather_until(now, GATHER_AWAY));
}

void gather_report_begins(struct gather *gather, uint32_t at)
{
    struct gather_member *member = gather_member_of(gather, at);
    if (!member) /* it has no parts; a little less is sent to it */
        return;
    member->reporting = true;
    for (size_t number = 0; number < member->capacity; number++)
        if (member->parts[number]) {
            member->parts[number]->reported = false;
            member->parts[number]->reported_state = PHASE_IDLE;
        }
}

void gather_report_ends(struct gather *gather, uint64_t now, uint32_t at)
{
    if (at >= gather->member_capacity)
        return;
    gather->members[at].reporting = false;
    for (uint32_t number = 0; number < gather->members[at].capacity; number++) {
        struct gather_part *part = gather_find(gather, at, number);
        if (!part)
            continue;
        if (!part->reported)
            gather_leave(gather, now, part);
        else if (part->reported_state != part->state)
            merge_correct(gather, now, part);
    }
}

/* What the nodes are ordered: the controller's orders, divided among the parts. */
#include "cluster/part.h"

/* --- when ------------------------------------------------------------------------------------- */

void spread_mark(struct gather *gather, struct gather_app *app, bool at_once)
{
    uint64_t due = at_once ? 0 : app->rest;
    if (!app->due_link) {
        app->due = due;
        app->next_due = gather->due;
        app->due_link = &gather->due;
        if (app->next_due)
            app->next_due->due_link = &app->next_due;
        gather->due = app;
    }
    app->due = due < app->due ? due : app->due;
    gather->next = app->due < gather->next ? app->due : gather->next;
}

void spread_forget(struct gather_app *app)
{
    if (!app->due_link)
        return;
    *app->due_link = app->next_due;
    if (app->next_due)
        app->next_due->due_link = app->due_link;
    app->due_link = NULL;
}

/* Takes those whose time has come off the list, as a list of its own. */
static struct gather_app *spread_take_due(struct gather *gather, uint64_t now)
{
    struct gather_app *first = NULL;
    gather->next = UINT64_MAX;
    for (struct gather_app *app = gather->due, *next; app; app = next) {
        next = app->next_due;
        if (app->due <= now) {
            spread_forget(app);
            app->next_now = first;
            first = app;
        } else if (app->due < gather->next) {
            gather->next = app->due;
        }
    }
    return first;
}

/* --- shares ----------------------------------------------------------------------------------- */

static void spread_divide(const struct gather *gather, struct gather_app *app)
{
    uint32_t wanting = app->moving + app->probing, count = 0;
    double most = maths_min(gather->node_bandwidth, app->rate);
    double probe = wanting > 0 ? maths_min(most, GATHER_PROBE * app->rate / wanting) : 0;
    for (struct gather_part *part = app->first; part; part = part->next) {
        part->share = 0;
        if (part_wants(part))
            gather->claims[count++] = (struct divide_claim){
                .need = part->probing ? probe : maths_min(part->need, most),
                .most = most,
                .of = part,
            };
    }
    divide(gather->claims, count, app->rate);
    for (uint32_t i = 0; i < count; i++) {
        struct gather_part *part = gather->claims[i].of;
        part->share = gather->claims[i].part;
    }
}

/* --- orders ----------------------------------------------------------------------------------- */

static void spread_send(const struct gather *gather, uint64_t now, struct gather_part *part,
                        const struct node_message *order)
{
    part->app->rest += GATHER_ORDER_NS;
    gather->order(gather->context, now, part->member, order);
}

static void spread_grant(const struct gather *gather, uint64_t now, struct gather_part *part)
{
    struct node_message order;
    order.type = NODE_GRANT;
    order.grant =
        (struct node_grant){.app = part->number, .phase = part->phase, .rate = part->share};
    part_hold(part, now, part->share);
    spread_send(gather, now, part, &order);
}

static void spread_open(const struct gather *gather, uint64_t now, struct gather_part *part)
{
    struct node_message order;
    order.type = NODE_OPEN;
    order.open = (struct node_open){.app = part->number};
    part_hold(part, now, 0);
    part->told.open = true;
    spread_send(gather, now, part, &order);
}

/* A part's bounds are those of the application, and of one node; operations are divided equally,
 * since all may need some at any time. Its volume is what it announced; else, as the hint is for
 * all parts together, the whole volume, which a node compares with what it moves. */
static void spread_limit(const struct gather *gather, uint64_t now, struct gather_part *part)
{
    const struct gather_app *app = part->app;
    const struct node_limit *all = &app->limit;
    struct part_told *told = &part->told;
    struct node_message order;
    bool hinted = part->state != PHASE_IDLE && part->volume == 0 && app->who.volume_hint > 0 &&
                  all->phase == app->phase;
    order.type = NODE_LIMIT;
    order.limit = (struct node_limit){
        .app = part->number,
        .bmax = maths_min(all->bmax, gather->node_bandwidth),
        .alone = maths_min(all->alone, gather->node_bandwidth),
        .ops = all->ops / app->parts,
        .phase = part->phase,
        .volume = hinted ? all->volume : told->volume,
    };
    const struct node_limit *own = &order.limit;
    if (!told->lost && own->bmax == told->bmax && own->alone == told->alone &&
        own->ops == told->ops && own->volume == told->volume)
        return;
    told->bmax = own->bmax;
    told->alone = own->alone;
    told->ops = own->ops;
    told->volume = own->volume;
    spread_send(gather, now, part, &order);
}

/* Whether its node may do something else than it was told. Without an I/O so far there is nothing
 * that it could do. */
static bool spread_is_wrong(const struct gather_part *part)
{
    const struct part_told *told = &part->told;
    return told->open || (told->lost && part->phase > 0 && part->share == told->rate);
}

/* All that takes bandwidth away. */
static void spread_lower(const struct gather *gather, uint64_t now, struct gather_app *app)
{
    app->rest = now + GATHER_TURN_NS;
    for (struct gather_part *part = app->first; part; part = part->next) {
        const struct part_told *told = &part->told;
        if (app->limited)
            spread_limit(gather, now, part);
        if (app->open && (!told->open || told->lost))
            spread_open(gather, now, part);
        else if (!app->open && (part->share < told->rate || spread_is_wrong(part)))
            spread_grant(gather, now, part);
    }
}

static void spread_raise(const struct gather *gather, uint64_t now, struct gather_app *app)
{
    for (struct gather_part *part = app->first; part; part = part->next) {
        if (!app->open && part->share > part->told.rate)
            spread_grant(gather, now, part);
        part->told.lost = false;
    }
}

static void spread_ask(const struct gather *gather, uint64_t now, struct gather_app *app)
{
    struct node_message order;
    app->counts = false;
    for (struct gather_part *part = app->first; part; part = part->next) {
        order.type = NODE_COUNT;
        order.count = (struct node_count){.app = part->number};
        if (part_wants(part))
            spread_send(gather, now, part, &order);
    }
}

/* Lets the calls start that wait. */
static void spread_turn(const struct gather *gather, uint64_t now, struct gather_app *app)
{
    struct node_message order;
    app->turn = false;
    for (struct gather_part *part = app->first; part; part = part->next) {
        order.type = NODE_TURN;
        order.turn = (struct node_turn){.app = part->number, .phase = part->phase};
        if (part->ahead > 0)
            spread_send(gather, now, part, &order);
        part->ahead = 0;
    }
}

void gather_settle(struct gather *gather, uint64_t now)
{
    if (now < gather->next)
        return;
    struct gather_app *all = spread_take_due(gather, now);
    for (struct gather_app *app = all; app; app = app->next_now) {
        spread_divide(gather, app);
        spread_lower(gather, now, app);
    }
    for (struct gather_app *app = all; app; app = app->next_now)
        spread_raise(gather, now, app);
    for (struct gather_app *app = all; app; app = app->next_now) {
        if (app->turn)
            spread_turn(gather, now, app);
        if (app->counts)
            spread_ask(gather, now, app);
    }
}

uint64_t gather_next(const struct gather *gather)
{
    return gather->next;
}

/* --- what the controller orders --------------------------------------------------------------- */

static void spread_take_grant(struct gather *gather, struct gather_app *app,
                              const struct node_grant *grant)
{
    if (grant->phase != app->phase || (!app->open && grant->rate == app->rate))
        return;
    app->open = false;
    app->rate = grant->rate;
    spread_mark(gather, app, true);
}

static void spread_take_open(struct gather *gather, struct gather_app *app)
{
    if (app->open)
        return;
    app->open = true;
    app->rate = 0;
    spread_mark(gather, app, true);
}

static void spread_take_limit(struct gather *gather, struct gather_app *app,
                              const struct node_limit *limit)
{
    app->limited = true;
    app->limit = *limit;
    spread_mark(gather, app, false);
}

static void spread_take_count(struct gather *gather, uint64_t now, struct gather_app *app)
{
    merge_tell_progress(gather, now, app);
    if (now - app->counted < GATHER_COUNT_NS || app->moving + app->probing == 0)
        return;
    app->counted = now;
    app->counts = true;
    spread_mark(gather, app, true);
}

void gather_obey(struct gather *gather, uint64_t now, const struct node_message *order)
{
    uint32_t id = order->open.app; /* the first member of all orders */
    struct gather_app *app = id < gather->capacity ? gather->apps[id] : NULL;
    if (!app)
        return;
    switch (order->type) {
    case NODE_GRANT:
        spread_take_grant(gather, app, &order->grant);
        break;
    case NODE_LIMIT:
        spread_take_limit(gather, app, &order->limit);
        break;
    case NODE_OPEN:
        spread_take_open(gather, app);
        break;
    case NODE_COUNT:
        spread_take_count(gather, now, app);
        break;
    case NODE_TURN:
        app->turn = order->turn.phase == app->phase;
        if (app->turn)
            spread_mark(gather, app, true);
        break;
    default:
        break; /* an event */
    }
}

static void gather_obey_sent(void *context, uint64_t now, const struct node_message *order)
{
    gather_obey(context, now, order);
}

struct order_sink gather_orders(struct gather *gather)
{
    return (struct order_sink){gather_obey_sent, gather};
}

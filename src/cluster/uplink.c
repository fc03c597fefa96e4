#include "cluster/uplink.h"
#include "base/mem.h"
#include "cluster/lease.h"
#include "cluster/uplink_inner.h"
#include <stdlib.h>
#include <string.h>

static uint64_t uplink_nanoseconds(double seconds)
{
    return (uint64_t)(seconds * 1e9);
}

/* --- making and freeing ----------------------------------------------------------------------- */

struct uplink *uplink_new(const struct uplink_terms *terms, uplink_send *send, void *context,
                          struct err *err)
{
    struct uplink *uplink = mem_alloc(1, sizeof *uplink);
    if (!uplink) {
        err_memory(err);
        return NULL;
    }
    uplink->terms = *terms;
    uplink->send = send;
    uplink->context = context;
    uplink->free = true;
    uplink->progress = uplink->ignored = UINT64_MAX;
    frame_clear(&uplink->frame);
    return uplink;
}

void uplink_free(struct uplink *uplink)
{
    if (!uplink)
        return;
    for (uint32_t channel = 0; channel < WIRE_CHANNELS; channel++)
        free(uplink->lines[channel].told);
    free(uplink);
}

static int uplink_hear_sent(void *context, uint64_t now, const struct node_message *event,
                            struct err *err)
{
    const struct uplink_line *line = context;
    (void)err;
    uplink_hear(line->uplink, now, (uint32_t)(line - line->uplink->lines), event);
    return 0;
}

void uplink_bind(struct uplink *uplink, uint32_t channel, struct node *node)
{
    struct uplink_line *line = &uplink->lines[channel];
    line->uplink = uplink;
    line->node = node;
    node->up = (struct event_sink){uplink_hear_sent, line};
}

uint64_t uplink_epoch(const struct uplink *uplink)
{
    return uplink->epoch;
}

uint64_t uplink_lease(const struct uplink *uplink)
{
    return uplink->free ? 0 : uplink->lease;
}

void uplink_demand_election(struct uplink *uplink, bool demand)
{
    uplink->demands = demand;
}

bool uplink_is_alone(const struct uplink *uplink)
{
    return uplink->alone;
}

/* --- the connection --------------------------------------------------------------------------- */

static void uplink_reset(struct uplink *uplink)
{
    uplink->blocked = uplink->report = uplink->awaiting = uplink->reply = false;
    uplink->received = uplink->sent = uplink->acknowledged = uplink->asked = 0;
    uplink->progress = uplink->ignored = UINT64_MAX;
    frame_clear(&uplink->frame);
    for (uint32_t i = 0; i < uplink->departed_count; i++)
        uplink->departed[i].sequence = 0;
    for (uint32_t channel = 0; channel < uplink->terms.channels; channel++)
        if (uplink->lines[channel].told)
            memset(uplink->lines[channel].told, 0,
                   uplink->lines[channel].capacity * sizeof *uplink->lines[channel].told);
}

void uplink_connected(struct uplink *uplink, uint64_t now, uint32_t version)
{
    (void)now;
    uplink_reset(uplink);
    uplink->connected = uplink->report = true;
    uplink->version = version;
}

void uplink_disconnected(struct uplink *uplink, uint64_t now)
{
    if (!uplink->connected)
        return;
    uplink_reset(uplink);
    uplink->connected = false;
    if (!uplink->needed) /* programs that begin meanwhile wait no longer for another connection */
        uplink->grace = now + uplink_nanoseconds(uplink->terms.lease);
}

void uplink_writable(struct uplink *uplink)
{
    uplink->blocked = false;
}

bool uplink_is_ignored(const struct uplink *uplink, uint64_t now)
{
    return now >= uplink->ignored;
}

/* --- the lease -------------------------------------------------------------------------------- */

static bool uplink_holds(const struct uplink *uplink)
{
    for (uint32_t channel = 0; channel < uplink->terms.channels; channel++) {
        const struct node *node = uplink->lines[channel].node;
        for (uint32_t i = 0; i < node->open_count; i++)
            if (node->apps[node->open[i]]->rate > 0)
                return true;
    }
    return false;
}

/* What is held ends with the lease. A program that waits is given the time of a lease. */
uint64_t uplink_lapses(const struct uplink *uplink)
{
    if (uplink->free || (!uplink->needed && uplink->connected) || !lease_holds(LEASE_EXPIRE))
        return UINT64_MAX;
    return uplink->grace > uplink->lease && !uplink_holds(uplink) ? uplink->grace : uplink->lease;
}

void uplink_release(struct uplink *uplink, uint64_t now, uint32_t channel, struct node_app *app)
{
    struct node_message order = {.type = NODE_OPEN, .open = {.app = app->who.app}};
    if (uplink->terms.floor > 0) {
        order.type = NODE_GRANT;
        order.grant = (struct node_grant){
            .app = app->who.app, .phase = app->number, .rate = uplink->terms.floor};
    }
    node_obey(uplink->lines[channel].node, now, &order);
}

void uplink_lapse(struct uplink *uplink, uint64_t now)
{
    uplink->free = uplink->report = true;
    uplink->lease = 0;
    for (uint32_t channel = 0; channel < uplink->terms.channels; channel++) {
        const struct node *node = uplink->lines[channel].node;
        for (uint32_t app = 0; app < node->capacity; app++)
            if (node->apps[app])
                uplink_release(uplink, now, channel, node->apps[app]);
    }
}

/* --- patience --------------------------------------------------------------------------------- */

static bool uplink_is_starved(const struct node_app *app)
{
    bool wants = app->phase == PHASE_OPEN || (app->phase == PHASE_PAUSED && app->probing);
    return wants && app->rate == 0 && !app->open;
}

/* When programs that wait have done so for long enough. A controller that is not in office renews
 * what is held, but cannot give them anything: their time goes on from the one before. */
static uint64_t uplink_relents(const struct uplink *uplink)
{
    uint64_t due = uplink->served + uplink_nanoseconds(uplink->terms.lease);
    if (uplink->free || !uplink->needed || !lease_holds(LEASE_RELENT))
        return UINT64_MAX;
    return uplink->grace > due ? uplink->grace : due;
}

static void uplink_relent(struct uplink *uplink, uint64_t now)
{
    for (uint32_t channel = 0; channel < uplink->terms.channels; channel++) {
        const struct node *node = uplink->lines[channel].node;
        for (uint32_t i = 0; i < node->open_count; i++) {
            struct node_app *app = node->apps[node->open[i]];
            if (!uplink_is_starved(app))
                continue;
            uplink_release(uplink, now, channel, app);
            uplink_tell_freed(uplink, now, channel, app);
        }
    }
}

/* --- turns ------------------------------------------------------------------------------------ */

static bool uplink_is_needed(const struct uplink *uplink)
{
    for (uint32_t channel = 0; channel < uplink->terms.channels; channel++)
        if (uplink->lines[channel].node->open_count > 0)
            return true;
    return false;
}

/* When an answer is to be asked for: it renews the lease, or shows that nothing was lost. */
static uint64_t uplink_beats(const struct uplink *uplink)
{
    uint64_t since = uplink->echoed > uplink->asked ? uplink->echoed : uplink->asked;
    if (!uplink->needed && !uplink->awaiting && uplink->acknowledged == uplink->sent)
        return UINT64_MAX;
    return since + uplink_nanoseconds(uplink->terms.beat);
}

bool uplink_flush(struct uplink *uplink, uint64_t now, uint64_t flags)
{
    bool ask = (flags & FRAME_LAST) || now >= uplink_beats(uplink);
    bool demands = uplink->demands && uplink->version >= UPLINK_TELLS_ITSELF;
    const struct frame_head head = {.epoch = uplink->epoch,
                                    .sequence = ++uplink->sent,
                                    .acknowledged = uplink->received,
                                    .stamp = now,
                                    .flags = flags | (ask ? FRAME_ANSWER : 0) |
                                             (demands ? FRAME_ALONE : 0)};
    frame_seal(&uplink->frame, &head);
    bool taken = uplink->send(uplink->context, uplink->frame.bytes, uplink->frame.size);
    frame_clear(&uplink->frame);
    uplink->reply = false;
    if (ask)
        uplink->asked = now;
    if (ask && uplink->ignored == UINT64_MAX)
        uplink->ignored = now + uplink_nanoseconds(uplink->terms.lease / 2);
    if (!taken)
        uplink->blocked = uplink->report = true;
    return taken;
}

/* Adds the PROGRESS that waits. */
static void uplink_add_progress(struct uplink *uplink, uint64_t now)
{
    uplink->progress = UINT64_MAX;
    uplink->counting = true;
    for (uint32_t channel = 0; channel < uplink->terms.channels; channel++) {
        struct uplink_line *line = &uplink->lines[channel];
        for (uint32_t app = 0; app < line->capacity; app++)
            if (line->told[app].progress) {
                line->told[app].progress = false;
                node_obey(line->node, now,
                          &(struct node_message){.type = NODE_COUNT, .count = {.app = app}});
            }
    }
    uplink->counting = false;
}

void uplink_settle(struct uplink *uplink, uint64_t now)
{
    uplink->needed = uplink_is_needed(uplink);
    uplink->turn = now;
    if (now >= uplink_lapses(uplink))
        uplink_lapse(uplink, now);
    if (now >= uplink_relents(uplink))
        uplink_relent(uplink, now);
    if (!uplink->connected || uplink->blocked)
        return;
    if (uplink->report) {
        uplink_send_report(uplink, now);
        return;
    }
    bool beat = now >= uplink_beats(uplink);
    if (beat || now >= uplink->progress)
        uplink_add_progress(uplink, now);
    if (beat || uplink->reply || !frame_is_empty(&uplink->frame))
        uplink_flush(uplink, now, 0);
}

uint64_t uplink_next(const struct uplink *uplink)
{
    uint64_t next = uplink_lapses(uplink), beat = uplink_beats(uplink);
    uint64_t relents = uplink_relents(uplink);
    if (relents > uplink->turn) /* else nobody waits any more */
        next = relents < next ? relents : next;
    if (uplink->ignored < next)
        next = uplink->ignored;
    if (!uplink->connected || uplink->blocked)
        return next;
    if (uplink->report || uplink->reply || !frame_is_empty(&uplink->frame))
        return 0;
    next = beat < next ? beat : next;
    return uplink->progress < next ? uplink->progress : next;
}

/* What agents are to have, and the frames that tell them. */
#include "cluster/lease.h"
#include "cluster/member.h"

enum { HUB_TELLS_ITSELF = 2 }; /* the version of the messages from which agents know such flags */

/* --- what an application is to have ----------------------------------------------------------- */

/* Bytes/s that the controller wants it to have now. A new one may not have decided about it yet: it
 * keeps what it has for as long as that could not be raised again. */
static double claim_wanted(const struct hub *hub, const struct member_claim *claim)
{
    bool takes = claim->io == PHASE_OPEN || (claim->io == PHASE_PAUSED && claim->probing);
    if (claim->wanted_phase != claim->phase)
        return hub->quiet_until > 0 ? claim->holding.chosen : 0;
    return takes ? claim->wanted : 0;
}

void hub_queue(struct hub *hub, struct member *member, bool soon)
{
    if (!member->connected || member->blocked)
        return;
    if (soon)
        chain_append(&hub->soon, &member->queued);
    else if (chain_is_empty(&member->queued))
        chain_append(&hub->later, &member->queued);
}

void hub_consider(struct hub *hub, struct hub_place place, struct member_claim *claim)
{
    struct member *member = hub->members[place.member];
    double wanted = claim->free ? 0 : claim_wanted(hub, claim);
    ledger_lower(&claim->holding, wanted);
    if (claim->free && !claim->runs_free)
        claim->holding.pending = true;
    bool more = !claim->free && (claim->runs_free || ledger_wants_more(&claim->holding, wanted));
    struct share *share = &member->shares[place.channel];
    if (more && chain_is_empty(&share->waiting))
        chain_append(&hub->waiting[place.channel], &share->waiting);
    if (claim->holding.pending || claim->tell_limit || claim->tell_count || claim->tell_turn)
        hub_queue(hub, member, false);
}

void hub_consider_all(struct hub *hub, struct member *member)
{
    for (uint32_t channel = 0; channel < hub->terms.channels; channel++) {
        struct share *share = &member->shares[channel];
        for (uint32_t app = 0; app < share->capacity; app++)
            if (share->claims[app].here)
                hub_consider(hub, (struct hub_place){channel, member->number}, &share->claims[app]);
    }
}

/* --- raises ----------------------------------------------------------------------------------- */

/* Gives one more, or takes one that runs unthrottled back under control; before this controller is
 * in office only with a grant, since without one it would wait again. False: there is no room. */
static bool claim_raise(const struct hub *hub, struct channel_ledger *ledger,
                        struct member_claim *claim)
{
    double wanted = claim_wanted(hub, claim);
    if (!claim->here || claim->free)
        return true;
    claim->holding.pending |= claim->runs_free && hub->quiet_until == 0;
    return !ledger_wants_more(&claim->holding, wanted) ||
           ledger_raise(ledger, &claim->holding, wanted);
}

/* False: at least one of its applications still waits. Nothing is set aside for a member that
 * cannot be told now: its next report lists it again. */
static bool share_raise(struct hub *hub, struct hub_place place)
{
    struct member *member = hub->members[place.member];
    struct share *share = &member->shares[place.channel];
    bool all = true;
    if (!member_is_known(member) || member->blocked)
        return true;
    for (uint32_t app = 0; app < share->capacity; app++) {
        struct member_claim *claim = &share->claims[app];
        all &= claim_raise(hub, &hub->ledgers[place.channel], claim);
        if (claim->holding.pending)
            hub_queue(hub, member, true);
    }
    return all;
}

void hub_raise(struct hub *hub)
{
    for (uint32_t channel = 0; channel < hub->terms.channels; channel++)
        for (struct chain *waiting = &hub->waiting[channel]; !chain_is_empty(waiting);) {
            struct share *first = CHAIN_OF(waiting->next, struct share, waiting) - channel;
            struct member *member = CHAIN_OF(first, struct member, shares);
            if (!share_raise(hub, (struct hub_place){channel, member->number}))
                break;
            chain_remove(&member->shares[channel].waiting);
        }
}

/* --- frames ----------------------------------------------------------------------------------- */

/* Adds the orders for an application. False: the frame is full. */
static bool claim_write(struct hub *hub, struct hub_place place, uint32_t app,
                        struct member_claim *claim)
{
    struct member *member = hub->members[place.member];
    struct node_message order;
    struct frame *frame = &hub->frame;
    order.type = NODE_LIMIT;
    order.limit = claim->limit;
    if (claim->tell_limit && !frame_add(frame, member->version, place.channel, &order))
        return false;
    claim->tell_limit = false;
    if (claim->free) {
        order.type = NODE_OPEN;
        order.open = (struct node_open){.app = app};
    } else {
        order.type = NODE_GRANT;
        order.grant =
            (struct node_grant){.app = app, .phase = claim->phase, .rate = claim->holding.chosen};
    }
    if (claim->holding.pending) {
        if (!frame_add(frame, member->version, place.channel, &order))
            return false;
        claim->runs_free = claim->free;
        ledger_sent(&hub->ledgers[place.channel], &claim->holding, member->sent + 1);
    }
    order.type = NODE_COUNT;
    order.count = (struct node_count){.app = app};
    if (claim->tell_count && !frame_add(frame, member->version, place.channel, &order))
        return false;
    claim->tell_count = false;
    order.type = NODE_TURN;
    order.turn = (struct node_turn){.app = app, .phase = claim->phase};
    if (claim->tell_turn && !frame_add(frame, member->version, place.channel, &order))
        return false;
    claim->tell_turn = false;
    return true;
}

/* Adds all orders for a member. False: the frame is full. */
static bool hub_write_orders(struct hub *hub, struct member *member)
{
    for (uint32_t channel = 0; channel < hub->terms.channels; channel++) {
        struct share *share = &member->shares[channel];
        for (uint32_t app = 0; app < share->capacity; app++) {
            struct member_claim *claim = &share->claims[app];
            struct hub_place place = {channel, member->number};
            if (claim->here && !claim_write(hub, place, app, claim))
                return false;
        }
    }
    return true;
}

/* What a member is to know of this controller itself. */
static uint64_t hub_flags_for(const struct hub *hub, const struct member *member)
{
    if (member->version < HUB_TELLS_ITSELF)
        return 0;
    return (hub->quiet_until > 0 ? FRAME_QUIET : 0) | (hub->terms.alone ? FRAME_ALONE : 0);
}

/* Writes and sends one frame, if there is anything to tell. Nothing is ordered before the member's
 * state is known. One that is not taken counts as lost: the agent finds the gap and reports. True:
 * more is to follow. */
static bool hub_send_frame(struct hub *hub, struct member *member)
{
    frame_clear(&hub->frame);
    bool all = !member_is_known(member) || hub_write_orders(hub, member);
    if (frame_is_empty(&hub->frame) && !member->answer && !member->whole)
        return false;
    const struct frame_head head = {
        .epoch = hub->epoch,
        .sequence = member->sent + 1,
        .acknowledged = member->received,
        .stamp = member->stamp,
        .flags = (member->whole ? FRAME_WHOLE : 0) | (member->lost ? FRAME_REPORT : 0) |
                 (member->reported ? FRAME_LEASE : 0) | hub_flags_for(hub, member)};
    frame_seal(&hub->frame, &head);
    member->sent++;
    member->answer = member->whole = false;
    hub->counts.sent++;
    if (!hub->ops->send(hub->context, member->number, hub->frame.bytes, hub->frame.size)) {
        member->blocked = true;
        return false;
    }
    return !all;
}

void hub_send_frames(struct hub *hub)
{
    struct chain again;
    chain_init(&again);
    for (int sent = 0; sent < HUB_SLICE || !chain_is_empty(&hub->soon);) {
        struct chain *from = chain_is_empty(&hub->soon) ? &hub->later : &hub->soon;
        if (chain_is_empty(from))
            break;
        struct member *member = CHAIN_OF(from->next, struct member, queued);
        sent += from == &hub->later;
        chain_remove(&member->queued);
        if (hub_send_frame(hub, member))
            chain_append(&again, &member->queued);
    }
    while (!chain_is_empty(&again))
        chain_append(&hub->later, again.next);
}

/* --- orders of the controller ----------------------------------------------------------------- */

void hub_order(struct hub *hub, struct hub_place to, const struct node_message *order)
{
    struct member *member = to.member < hub->capacity ? hub->members[to.member] : NULL;
    struct member_claim *claim = member ? member_claim(member, to.channel, order->grant.app) : NULL;
    if (!claim || claim->refused)
        return;
    switch (order->type) {
    case NODE_GRANT:
        claim->wanted = order->grant.rate;
        claim->wanted_phase = order->grant.phase;
        claim->free = false;
        break;
    case NODE_LIMIT:
        claim->limit = order->limit;
        claim->limited = claim->tell_limit = true;
        break;
    case NODE_OPEN:
        claim->free = true;
        break;
    case NODE_COUNT:
        claim->tell_count = true;
        break;
    case NODE_TURN:
        claim->tell_turn = order->turn.phase == claim->phase;
        break;
    default:
        return; /* an event */
    }
    hub_consider(hub, to, claim);
}

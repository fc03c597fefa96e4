/* What comes in from agents. */
#include "cluster/lease.h"
#include "cluster/member.h"

/* --- events ----------------------------------------------------------------------------------- */

/* The agent has given back what it held; in a report it says what it holds. */
static void claim_give_back(struct hub *hub, struct hub_place place, struct member_claim *claim,
                            bool probing)
{
    if (!hub->members[place.member]->reporting)
        ledger_report(&hub->ledgers[place.channel], &claim->holding, 0);
    else
        claim->rate = 0;
    claim->probing = probing;
    if (claim->holding.held == 0)
        ledger_count(&hub->ledgers[place.channel], &claim->holding, !probing);
}

static bool claim_is_of(const struct member_claim *claim, const struct node_join *join)
{
    return claim->uid == join->uid && claim->token[0] == join->token[0] &&
           claim->token[1] == join->token[1];
}

/* 0, or -1: memory is out. */
static int hub_hear_join(struct hub *hub, uint64_t now, struct hub_place from,
                         const struct node_message *event)
{
    struct member *member = hub->members[from.member];
    struct member_claim *claim = member_claim(member, from.channel, event->join.app);
    if (claim && !(member->reporting && claim_is_of(claim, &event->join)))
        member_drop_claim(hub, from, claim); /* its LEAVE was lost, if this is another */
    claim = member_make_claim(member, from.channel, event->join.app);
    if (!claim)
        return -1;
    claim->uid = event->join.uid;
    claim->token[0] = event->join.token[0];
    claim->token[1] = event->join.token[1];
    claim->reported = true;
    claim->runs_free = false;
    claim->rate = 0;
    bool refused = hub->ops->hear(hub->context, now, from, event, NULL) != 0;
    if (refused != claim->refused)
        claim->free = refused;
    claim->refused = refused;
    hub_consider(hub, from, claim);
    return 0;
}

/* Notes what an event means for what the application holds. */
static void claim_follow(struct hub *hub, struct hub_place from, struct member_claim *claim,
                         const struct node_message *event)
{
    switch (event->type) {
    case NODE_POST:
        if (claim->io != PHASE_IDLE && claim->phase == event->post.phase)
            return;
        claim_give_back(hub, from, claim, event->post.idle);
        claim->io = event->post.idle ? PHASE_PAUSED : PHASE_OPEN;
        claim->phase = event->post.phase;
        return;
    case NODE_PAUSE:
        claim_give_back(hub, from, claim, event->pause.probing);
        claim->io = PHASE_PAUSED;
        return;
    case NODE_RESUME:
        claim_give_back(hub, from, claim, false);
        claim->io = PHASE_OPEN;
        return;
    case NODE_END:
        claim_give_back(hub, from, claim, false);
        claim->io = PHASE_IDLE;
        claim->phase = event->end.phase;
        return;
    default:
        return;
    }
}

static void hub_hear_claim(struct hub *hub, uint64_t now, struct hub_place from,
                           struct node_message *event)
{
    struct member_claim *claim =
        member_claim(hub->members[from.member], from.channel, event->post.app);
    if (!claim)
        return;
    bool ends = event->type == NODE_END && claim->io != PHASE_IDLE;
    uint32_t known = claim->phase;
    claim_follow(hub, from, claim, event);
    if (ends) /* if it is another I/O, messages of both were lost */
        event->end.phase = known;
    if (!claim->refused)
        hub->ops->hear(hub->context, now, from, event, NULL);
    if (event->type == NODE_LEAVE)
        member_drop_claim(hub, from, claim);
    else
        hub_consider(hub, from, claim);
}

/* What the application holds, as a report says. It counts at once: the report may be interrupted.
 */
static void hub_hear_held(struct hub *hub, struct hub_place from, const struct node_grant *grant)
{
    struct member_claim *claim = member_claim(hub->members[from.member], from.channel, grant->app);
    if (!claim || grant->phase != claim->phase || claim->probing || !lease_holds(LEASE_ADOPT))
        return;
    claim->rate = grant->rate;
    ledger_count(&hub->ledgers[from.channel], &claim->holding, true);
    if (grant->rate > claim->holding.held)
        ledger_report(&hub->ledgers[from.channel], &claim->holding, grant->rate);
}

/* NULL, or what is wrong. */
static const char *hub_hear(struct hub *hub, uint64_t now, struct hub_place from,
                            struct node_message *event)
{
    struct member_claim *claim;
    switch (event->type) {
    case NODE_JOIN:
        return hub_hear_join(hub, now, from, event) == 0 ? NULL
                                                         : "memory is out for its applications";
    case NODE_GRANT:
        hub_hear_held(hub, from, &event->grant);
        return NULL;
    case NODE_OPEN:
        if ((claim = member_claim(hub->members[from.member], from.channel, event->open.app))) {
            claim->runs_free = true;
            hub_consider(hub, from, claim);
        }
        return NULL;
    case NODE_GONE:
        hub->ops->hear(hub->context, now, from, event, NULL);
        return NULL;
    default:
        if (node_direction_of(event->type) == NODE_ORDER)
            return "an agent does not send orders";
        hub_hear_claim(hub, now, from, event);
        return NULL;
    }
}

/* --- reports ---------------------------------------------------------------------------------- */

static void hub_begin_report(struct hub *hub, uint64_t now, struct member *member)
{
    member->reporting = true;
    member->lost = false;
    for (uint32_t channel = 0; channel < hub->terms.channels; channel++) {
        struct share *share = &member->shares[channel];
        for (uint32_t app = 0; app < share->capacity; app++)
            share->claims[app].reported = false;
        hub->ops->report(hub->context, now, (struct hub_place){channel, member->number}, false);
    }
}

/* Takes what the member said it holds; no order is under way any more. */
static void hub_end_claim(struct hub *hub, struct hub_place place, struct member_claim *claim)
{
    if (!claim->here)
        return;
    if (!claim->reported && lease_holds(LEASE_ABSENT)) {
        member_drop_claim(hub, place, claim);
        return;
    }
    ledger_count(&hub->ledgers[place.channel], &claim->holding, !claim->probing);
    ledger_report(&hub->ledgers[place.channel], &claim->holding, claim->rate);
    if (!hub->members[place.member]->seen)
        ledger_see(&hub->ledgers[place.channel], &claim->holding);
    claim->tell_limit = claim->limited;
}

static void hub_end_report(struct hub *hub, uint64_t now, struct member *member)
{
    for (uint32_t channel = 0; channel < hub->terms.channels; channel++) {
        struct share *share = &member->shares[channel];
        struct hub_place place = {channel, member->number};
        for (uint32_t app = 0; app < share->capacity; app++)
            hub_end_claim(hub, place, &share->claims[app]);
        if (lease_holds(LEASE_ABSENT))
            hub->ops->report(hub->context, now, place, true);
    }
    member->reporting = false;
    member->reported = member->whole = member->seen = true;
    hub_queue(hub, member, true);
    hub_consider_all(hub, member);
}

/* --- frames ----------------------------------------------------------------------------------- */

static void hub_acknowledge(struct hub *hub, struct member *member, uint64_t sequence)
{
    if (sequence <= member->acknowledged)
        return;
    member->acknowledged = sequence;
    for (uint32_t channel = 0; channel < hub->terms.channels; channel++) {
        struct share *share = &member->shares[channel];
        for (uint32_t app = 0; app < share->capacity; app++)
            ledger_acknowledge(&hub->ledgers[channel], &share->claims[app].holding, sequence);
    }
}

/* Whether the messages of a frame count. */
static bool hub_takes(struct member *member, const struct frame_head *head)
{
    if (head->sequence <= member->received)
        return false; /* again, or late */
    bool follows = head->sequence == member->received + 1 || !lease_holds(LEASE_GAP);
    if (!(head->flags & FRAME_WHOLE) && !follows && !member->lost) {
        member->lost = member->answer = true;
        member->reporting = false;
    }
    return (head->flags & FRAME_WHOLE) || !member->lost;
}

/* NULL, or what is wrong. */
static const char *hub_take_messages(struct hub *hub, uint64_t now, struct member *member,
                                     const unsigned char *bytes, size_t size)
{
    const struct frame_reader reader = {member->version, hub->terms.channels};
    struct frame_message next;
    const char *fault = NULL;
    for (size_t at = 0, used; at < size && !fault; at += used) {
        used = frame_read(&reader, bytes + at, size - at, &next, &fault);
        if (used > 0)
            fault =
                hub_hear(hub, now, (struct hub_place){next.channel, member->number}, &next.message);
    }
    return fault;
}

/* Notes that it lives, and what it has taken. */
static void hub_note(struct hub *hub, uint64_t now, struct member *member,
                     const struct frame_head *head)
{
    hub->counts.received++;
    member->heard = now;
    chain_append(&hub->aging, &member->aging);
    if (head->stamp > member->stamp)
        member->stamp = head->stamp;
    hub_acknowledge(hub, member, head->acknowledged);
    member->answer |= (head->flags & FRAME_ANSWER) != 0;
    member->demands = (head->flags & FRAME_ALONE) != 0;
}

int hub_frame(struct hub *hub, uint64_t now, uint32_t number, const void *bytes, size_t size,
              struct err *err)
{
    struct member *member = number < hub->capacity ? hub->members[number] : NULL;
    struct frame_head head;
    const char *fault;
    hub_check_term(hub, now);
    if (!hub->active || !member || !member->connected)
        return 0;
    size_t used = frame_read_head(bytes, size, &head, &fault);
    if (used > 0 && head.acknowledged > member->sent)
        fault = "a frame is acknowledged that was never sent";
    if (fault)
        return err_set(err, "%s", fault);
    if (head.epoch > hub->epoch && lease_holds(LEASE_FENCE)) {
        hub_step_down(hub, now, head.epoch);
        return 0;
    }
    hub_note(hub, now, member, &head);
    if (hub_takes(member, &head)) {
        member->received = head.sequence;
        if (head.flags & FRAME_WHOLE)
            hub_begin_report(hub, now, member);
        fault =
            hub_take_messages(hub, now, member, (const unsigned char *)bytes + used, size - used);
        if (fault)
            return err_set(err, "%s", fault);
        if ((head.flags & FRAME_LAST) && member->reporting)
            hub_end_report(hub, now, member);
    }
    if (member->answer)
        hub_queue(hub, member, true);
    return 0;
}

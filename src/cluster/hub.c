#include "cluster/hub.h"
#include "base/mem.h"
#include "cluster/lease.h"
#include "cluster/member.h"
#include <stdlib.h>
#include <string.h>

#define HUB_ROUNDING 1e-9 /* part of the bandwidth that sums may be off by */

/* --- making and freeing ----------------------------------------------------------------------- */

struct hub *hub_new(const struct hub_terms *terms, const struct hub_ops *ops, void *context,
                    struct err *err)
{
    struct hub *hub = mem_alloc(1, sizeof *hub);
    if (!hub) {
        err_memory(err);
        return NULL;
    }
    hub->terms = *terms;
    hub->ops = ops;
    hub->context = context;
    chain_init(&hub->aging);
    chain_init(&hub->soon);
    chain_init(&hub->later);
    for (uint32_t channel = 0; channel < terms->channels; channel++) {
        chain_init(&hub->waiting[channel]);
        hub->ledgers[channel].bandwidth = terms->bandwidth[channel];
    }
    return hub;
}

void hub_free(struct hub *hub)
{
    if (!hub)
        return;
    for (size_t i = 0; i < hub->capacity; i++)
        if (hub->members[i])
            member_free(hub, hub->members[i]);
    free(hub->members);
    free(hub->lists);
    free(hub);
}

void hub_set_bandwidth(struct hub *hub, uint32_t channel, double bandwidth)
{
    hub->ledgers[channel].bandwidth = bandwidth;
}

/* --- terms of office -------------------------------------------------------------------------- */

static uint64_t hub_nanoseconds(double seconds)
{
    return (uint64_t)(seconds * 1e9);
}

/* How long what an agent holds counts after its last sign of life. */
static uint64_t hub_hold(const struct hub *hub)
{
    double drift = lease_holds(LEASE_MARGIN) ? hub->terms.drift : 0;
    return hub_nanoseconds(hub->terms.lease * (1 + drift));
}

void hub_activate(struct hub *hub, uint64_t now, uint64_t epoch, uint64_t until, const double *held)
{
    hub->active = true;
    for (uint32_t channel = 0; channel < hub->terms.channels && lease_holds(LEASE_WAIT); channel++)
        hub->ledgers[channel].unseen = held ? held[channel] : hub->ledgers[channel].bandwidth;
    hub->epoch = epoch;
    hub->heard = epoch > hub->heard ? epoch : hub->heard;
    hub->until = until;
    hub->quiet_until = lease_holds(LEASE_WAIT) ? now + hub_hold(hub) : now;
}

uint64_t hub_next_epoch(const struct hub *hub, uint64_t epoch)
{
    uint64_t above = hub->heard < FRAME_LAST_EPOCH ? hub->heard + 1 : FRAME_LAST_EPOCH;
    return epoch > above ? epoch : above;
}

void hub_extend(struct hub *hub, uint64_t until)
{
    hub->until = until;
}

void hub_deactivate(struct hub *hub, uint64_t now)
{
    hub->active = false;
    for (size_t i = 0; i < hub->capacity; i++) {
        struct member *member = hub->members[i];
        if (!member)
            continue;
        if (member->connected)
            hub->ops->close(hub->context, member->number, "this controller is not active");
        if (!member->former)
            member_lose(hub, now, member, false);
        member_free(hub, member);
    }
}

void hub_check_term(struct hub *hub, uint64_t now)
{
    if (hub->active && now >= hub->until && lease_holds(LEASE_TERM))
        hub_deactivate(hub, now);
}

void hub_step_down(struct hub *hub, uint64_t now, uint64_t epoch)
{
    hub->heard = epoch > hub->heard ? epoch : hub->heard;
    hub_deactivate(hub, now);
    hub->ops->superseded(hub->context, now, epoch);
}

bool hub_is_active(const struct hub *hub)
{
    return hub->active;
}

uint64_t hub_epoch(const struct hub *hub)
{
    return hub->epoch;
}

uint64_t hub_heard(const struct hub *hub)
{
    return hub->heard;
}

/* --- connections ------------------------------------------------------------------------------ */

/* Another start of an agent takes its place: its programs have to attach again, but may go on for a
 * while with what it had granted them. */
static void hub_replace(struct hub *hub, uint64_t now, struct member *member)
{
    if (member->connected)
        hub->ops->close(hub->context, member->number, "its agent was started again");
    hub->connected -= member->connected;
    member->connected = false;
    chain_remove(&member->queued);
    member_unname(hub, member);
    member_lose(hub, now, member, true);
    member->former = true;
    if (!lease_holds(LEASE_RESTART))
        member_free(hub, member);
}

/* The member that a hello is of, as it is known so far; or a new one. NULL when memory is out. */
static struct member *hub_member_of(struct hub *hub, uint64_t now, const struct hub_hello *hello)
{
    struct member *member = member_find(hub, hello->node);
    if (member && member->incarnation == hello->incarnation) {
        if (member->connected)
            hub->ops->close(hub->context, member->number, "its agent has connected again");
        return member;
    }
    if (member)
        hub_replace(hub, now, member);
    return member_new(hub, hello);
}

/* Time for an agent to answer when another one has its name. */
#define HUB_RIVAL_ANSWERS 1.0

bool hub_has_rival(struct hub *hub, uint64_t now, const struct hub_hello *hello)
{
    struct member *member = hub->active ? member_find(hub, hello->node) : NULL;
    if (!member || !member->connected || member->incarnation == hello->incarnation)
        return false;
    if (now < member->heard + hub_hold(hub))
        return true;
    if (member->asked > member->heard)
        return now < member->asked + hub_nanoseconds(HUB_RIVAL_ANSWERS);
    member->asked = now;
    member->lost = member->answer = true; /* an agent without I/O says nothing unless asked */
    hub_queue(hub, member, true);
    return true;
}

uint32_t hub_connect(struct hub *hub, uint64_t now, const struct hub_hello *hello, struct err *err)
{
    hub_check_term(hub, now);
    if (hello->epoch > FRAME_LAST_EPOCH) {
        err_set(err, "it has heard of an epoch that no controller can have");
        return HUB_NONE;
    }
    bool replaced = hello->epoch > hub->epoch && lease_holds(LEASE_FENCE);
    if (hub->active && replaced)
        hub_step_down(hub, now, hello->epoch);
    struct member *member = NULL;
    if (!hub->active)
        err_set(err, "this controller is not active");
    else if (hello->epoch > hub->epoch && replaced)
        err_set(err, "epoch %llu is over", (unsigned long long)hub->epoch);
    else if (!hello->node[0] || strlen(hello->node) >= MEMBER_NODE)
        err_set(err, "invalid name of a node");
    else if (!(member = hub_member_of(hub, now, hello)))
        err_memory(err);
    if (!member)
        return HUB_NONE;
    hub->connected += !member->connected;
    chain_remove(&member->queued);
    member->connected = true;
    member->blocked = member->reported = member->reporting = false;
    member->lost = member->whole = member->answer = false;
    member->stamp = member->received = member->sent = member->acknowledged = 0;
    member->version = hello->version;
    member->heard = now;
    chain_append(&hub->aging, &member->aging);
    return member->number;
}

void hub_disconnect(struct hub *hub, uint64_t now, uint32_t number)
{
    struct member *member = number < hub->capacity ? hub->members[number] : NULL;
    if (!member || !member->connected)
        return;
    member->connected = member->reporting = false;
    hub->connected--;
    chain_remove(&member->queued);
    if (chain_is_empty(&member->aging)) { /* it had nothing to say */
        member->heard = now;
        chain_append(&hub->aging, &member->aging);
    }
    if (!lease_holds(LEASE_KEEP)) {
        member_lose(hub, now, member, false);
        member_free(hub, member);
    }
}

void hub_writable(struct hub *hub, uint32_t number)
{
    struct member *member = number < hub->capacity ? hub->members[number] : NULL;
    if (!member || !member->blocked)
        return;
    member->blocked = false;
    member->answer = true; /* it finds that a frame is missing */
    hub_queue(hub, member, true);
    hub_consider_all(hub, member);
}

/* --- turns ------------------------------------------------------------------------------------ */

/* The first member that has been silent for too long; NULL if there is none. */
static struct member *hub_silent(const struct hub *hub, uint64_t now)
{
    if (chain_is_empty(&hub->aging))
        return NULL;
    struct member *member = CHAIN_OF(hub->aging.next, struct member, aging);
    return now >= member->heard + hub_hold(hub) ? member : NULL;
}

/* A member is silent. An agent that does no I/O has nothing to say. From any other that is still
 * connected a report is needed before its state counts again. */
static void hub_expire(struct hub *hub, uint64_t now, struct member *member)
{
    chain_remove(&member->aging);
    if (member->connected && !member_is_at_stake(member))
        return;
    if (!member->former)
        member_lose(hub, now, member, false);
    if (member->connected) {
        member_forget(hub, member);
        member->reported = member->reporting = false;
        member->lost = true;
    } else {
        member_free(hub, member);
    }
}

/* Whether no agent that has not reported can hold a grant of an earlier controller. */
static bool hub_has_seen_all(const struct hub *hub, uint64_t now)
{
    bool all = true;
    for (uint32_t channel = 0; channel < hub->terms.channels; channel++)
        all &= hub->ledgers[channel].unseen <= HUB_ROUNDING * hub->ledgers[channel].bandwidth;
    return all || now >= hub->quiet_until;
}

/* From now on all is as decided here. */
static void hub_take_office(struct hub *hub)
{
    hub->quiet_until = 0;
    for (uint32_t channel = 0; channel < hub->terms.channels; channel++)
        hub->ledgers[channel].unseen = 0;
    for (size_t i = 0; i < hub->capacity; i++)
        if (hub->members[i])
            hub_consider_all(hub, hub->members[i]);
}

void hub_settle(struct hub *hub, uint64_t now)
{
    struct member *member;
    hub_check_term(hub, now);
    if (!hub->active)
        return;
    while ((member = hub_silent(hub, now)))
        hub_expire(hub, now, member);
    if (hub->quiet_until > 0 && hub_has_seen_all(hub, now))
        hub_take_office(hub);
    hub_raise(hub);
    hub_send_frames(hub);
}

uint64_t hub_next(const struct hub *hub)
{
    if (!hub->active)
        return UINT64_MAX;
    if (!chain_is_empty(&hub->soon) || !chain_is_empty(&hub->later))
        return 0;
    uint64_t next = lease_holds(LEASE_TERM) ? hub->until : UINT64_MAX;
    if (hub->quiet_until > 0 && hub->quiet_until < next)
        next = hub->quiet_until;
    if (!chain_is_empty(&hub->aging)) {
        uint64_t due = CHAIN_OF(hub->aging.next, struct member, aging)->heard + hub_hold(hub);
        next = due < next ? due : next;
    }
    return next;
}

/* --- for people ------------------------------------------------------------------------------- */

uint32_t hub_members(const struct hub *hub)
{
    return (uint32_t)hub->capacity;
}

bool hub_member(const struct hub *hub, uint64_t now, uint32_t number, struct hub_member_view *view)
{
    const struct member *member = number < hub->capacity ? hub->members[number] : NULL;
    if (!member || member->former)
        return false;
    *view = (struct hub_member_view){
        .node = member->node,
        .connected = member->connected,
        .reported = member_is_known(member),
        .refuses = member->demands && hub->terms.alone,
        .silence = now > member->heard ? (double)(now - member->heard) / 1e9 : 0};
    for (uint32_t channel = 0; channel < hub->terms.channels; channel++) {
        const struct share *share = &member->shares[channel];
        view->applications += share->count;
        for (uint32_t app = 0; app < share->capacity && channel == 0; app++)
            view->held += share->claims[app].holding.held;
    }
    return true;
}

double hub_held(const struct hub *hub, uint32_t channel)
{
    return sum_value(&hub->ledgers[channel].held);
}

double hub_owed(const struct hub *hub, uint32_t channel, uint32_t own)
{
    double owed = hub_held(hub, channel) + hub->ledgers[channel].unseen;
    const struct member *member = own < hub->capacity ? hub->members[own] : NULL;
    const struct share *share = member ? &member->shares[channel] : NULL;
    for (uint32_t app = 0; share && app < share->capacity; app++)
        if (!share->claims[app].holding.uncounted)
            owed -= share->claims[app].holding.held;
    return maths_max(0, owed);
}

struct hub_counts hub_counts(const struct hub *hub)
{
    return hub->counts;
}

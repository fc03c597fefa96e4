#include "cluster/leader.h"

/* Parts of a lease: after this time it is renewed; a claim that failed and a request without an
 * answer are repeated; a request has no answer. */
enum { BETWEEN_RENEWALS = 4, BETWEEN_CLAIMS = 8, BETWEEN_FAILURES = 16, ANSWERS_WITHIN = 4 };

static uint64_t leader_seconds(uint64_t seconds)
{
    return seconds * 1000000000;
}

void leader_init(struct leader *leader, uint32_t ttl)
{
    *leader = (struct leader){.ttl = ttl, .length = leader_seconds(ttl)};
}

/* The lease no longer counts, and with it the term. */
static void leader_drop(struct leader *leader, bool revoke)
{
    leader->former = revoke ? leader->lease : 0;
    leader->lease = 0;
    leader->leads = false;
}

void leader_settle(struct leader *leader, uint64_t now)
{
    if (!leader->leads || now < leader->until)
        return;
    leader_drop(leader, true);
    leader->next = now;
}

void leader_resign(struct leader *leader)
{
    leader->closes = leader->leads;
    leader->resigns = true;
    leader->asking = false;
    leader->next = 0;
    if (leader->lease)
        leader_drop(leader, true);
}

/* --- requests --------------------------------------------------------------------------------- */

static enum leader_ask leader_choose(const struct leader *leader, uint64_t now)
{
    if (leader->former)
        return leader->closes ? LEADER_CLOSE : LEADER_REVOKE;
    if (!leader->lease)
        return LEADER_GRANT;
    return now - leader->renewed >= leader->length / BETWEEN_RENEWALS ? LEADER_RENEW : LEADER_CLAIM;
}

bool leader_request(struct leader *leader, uint64_t now, struct leader_request *request)
{
    if (leader->asking || now < leader->next || (leader->resigns && !leader->former))
        return false;
    enum leader_ask ask = leader_choose(leader, now);
    *request = (struct leader_request){.ask = ask,
                                       .lease = leader->former ? leader->former : leader->lease,
                                       .ttl = leader->ttl,
                                       .epoch = leader->epoch,
                                       .limit = leader->length / ANSWERS_WITHIN};
    leader->asked = *request;
    leader->asked_at = now;
    leader->asking = true;
    leader->former = 0; /* is asked to end once: it ends by itself too */
    return true;
}

uint64_t leader_next(const struct leader *leader)
{
    uint64_t next =
        leader->asking || (leader->resigns && !leader->former) ? UINT64_MAX : leader->next;
    return leader->leads && leader->until < next ? leader->until : next;
}

/* --- answers ---------------------------------------------------------------------------------- */

static void leader_take_lease(struct leader *leader, uint64_t now,
                              const struct leader_answer *answer)
{
    leader->next = now;
    if (answer->lease == 0 || answer->ttl == 0) {
        leader_drop(leader, false);
        return;
    }
    leader->lease = answer->lease;
    leader->length = leader_seconds(answer->ttl);
    leader->renewed = leader->asked_at;
}

/* The key is ours: a term begins or lasts longer; another's, or ours since another revision: it is
 * over. */
static void leader_take_claim(struct leader *leader, uint64_t now,
                              const struct leader_answer *answer)
{
    bool ours = answer->holder == leader->lease;
    if (leader->leads && (!ours || answer->revision != leader->epoch)) {
        leader_drop(leader, true);
        leader->next = now;
    } else if (ours) {
        uint64_t margin = (uint64_t)(LEADER_MARGIN * (double)leader->length);
        if (!leader->leads)
            leader->legacy = answer->legacy;
        leader->leads = true;
        leader->epoch = answer->revision;
        leader->until = leader->renewed + leader->length - margin;
        leader->next = leader->renewed + leader->length / BETWEEN_RENEWALS;
        leader_settle(leader, now);
    } else {
        leader->next = now + leader->length / BETWEEN_CLAIMS;
    }
}

void leader_answer(struct leader *leader, uint64_t now, const struct leader_answer *answer)
{
    enum leader_ask ask = leader->asked.ask;
    leader_settle(leader, now);
    if (!leader->asking)
        return; /* it came after the resignation */
    leader->asking = false;
    bool current = ask == LEADER_GRANT || leader->asked.lease == leader->lease;
    if (ask == LEADER_REVOKE)
        leader->next = now;
    else if (!answer->there)
        leader->next = now + leader->length / BETWEEN_FAILURES;
    else if (current && ask == LEADER_CLAIM && answer->holder != 0)
        leader_take_claim(leader, now, answer);
    else if (current)
        leader_take_lease(leader, now, answer);
}

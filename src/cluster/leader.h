/* Which of several controllers leads, by a lease in etcd: the one whose lease holds a certain key.
 *
 * It has neither sockets nor a clock: the caller passes the time, in nanoseconds of one clock,
 * sends the one request that leader_request hands out, and passes its answer, or that there is
 * none. It tries for ever.
 *
 * A controller is granted a lease and claims the key, which succeeds only while nobody has it. The
 * leader renews its lease and claims again, which confirms that it still has the key. It leads
 * until its lease would end, counted from the time when it asked to renew it, less a margin for
 * clocks that differ. A term that has ended is over: a new one needs a new lease and a new claim.
 * So no two lead at the same time, whatever is lost or late, and a leader that cannot reach etcd
 * steps down before another can be elected. The epoch of a term is etcd's revision of the claim:
 * later terms have higher ones. */
#ifndef WEIR_CLUSTER_LEADER_H
#define WEIR_CLUSTER_LEADER_H

#include "wire/message.h"
#include <stdbool.h>
#include <stdint.h>

/* What is asked of etcd: name, meaning. */
#define LEADER_ASKS(X)                                                                             \
    X(GRANT, "a new lease")                                                                        \
    X(RENEW, "that the lease lasts longer")                                                        \
    X(CLAIM, "the key, for the lease; and whose it is")                                            \
    X(REVOKE, "that the lease ends, and with it the term")                                         \
    X(CLOSE, "that the term ends, and that the next leader learns what agents may hold")

#define LEADER_ENUM(name, text) LEADER_##name,
enum leader_ask { LEADER_ASKS(LEADER_ENUM) LEADER_ASKS_COUNT };
#undef LEADER_ENUM

/* What agents may hold of each channel when a leader ends as it should (hub_owed). */
struct leader_legacy {
    uint32_t count; /* of channels, 0 = unknown */
    double held[WIRE_CHANNELS];
};

struct leader_request {
    enum leader_ask ask;
    uint64_t lease; /* its number, but for GRANT */
    uint32_t ttl;   /* of GRANT, seconds */
    uint64_t epoch; /* of CLOSE */
    uint64_t limit; /* nanoseconds after which there is no answer */
};

struct leader_answer {
    bool there;     /* it is one; else the rest does not count */
    uint64_t lease; /* of GRANT and RENEW: its number, 0 = there is no such lease any more */
    uint32_t ttl;   /* seconds that it lasts from now on */
    /* Of CLAIM: the lease that has the key, and since which revision; 0 = ours has ended. */
    uint64_t holder, revision;
    struct leader_legacy legacy; /* of the leader before, if this claim has taken the key */
};

/* The part of a lease's time that a term ends earlier. */
#define LEADER_MARGIN 0.1

struct leader {
    uint32_t ttl; /* seconds to ask for */
    bool leads, asking, resigns;
    uint64_t lease;   /* 0 = none */
    uint64_t former;  /* one to be revoked, 0 = none */
    uint64_t length;  /* of the lease, nanoseconds */
    uint64_t renewed; /* the time at which it was asked to last so long */
    struct leader_request asked;
    uint64_t asked_at, next;     /* times of the latest request and of the next one */
    uint64_t epoch, until;       /* of the term, if it leads, or of the last one */
    struct leader_legacy legacy; /* that the term began with */
    bool closes;                 /* it led when it resigned */
};

void leader_init(struct leader *leader, uint32_t ttl);

/* Ends a term that is over. Before anything else in a turn. */
void leader_settle(struct leader *leader, uint64_t now);

/* Whether a request is due, which the caller then sends, and passes the answer in time. */
bool leader_request(struct leader *leader, uint64_t now, struct leader_request *request);
void leader_answer(struct leader *leader, uint64_t now, const struct leader_answer *answer);

/* The latest time for the next turn. */
uint64_t leader_next(const struct leader *leader);

/* Steps down, so that another can lead at once. From then on the only request is CLOSE if it led,
 * else REVOKE. */
void leader_resign(struct leader *leader);

#endif

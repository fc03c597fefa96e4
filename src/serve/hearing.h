/* Who is heard when. A turn of the loop has a bounded time for messages, whatever comes in, and in
 * it each user has a bounded part; so heartbeats, decisions and other users come on time. Whoever
 * is not heard at once waits here: users take turns, whatever the number of their connections.
 *
 * No clock: the caller passes the time. For this room only. */
#ifndef WEIR_SERVE_HEARING_H
#define WEIR_SERVE_HEARING_H

#include "controller/users.h"
#include "serve/quota.h"

/* Nanoseconds of a turn for messages, the second half of them for those that wait; of a user in it
 * while others wait; and of a turn for new connections. */
#define HEARING_TURN   4000000u
#define HEARING_SLICE  500000u
#define HEARING_ACCEPT 1000000u

struct peer;

/* A place in the queue; a member of struct peer. */
struct hearing_place {
    struct peer *next, **link; /* of the same user; no link = it does not wait */
};

struct hearing {
    struct quotas quotas;
    struct user *first, *last; /* of those who wait, in the order of their turns, */
    uint32_t users;            /* and their number */
    uint64_t turn;             /* its number, */
    uint64_t began;            /* and when it began; 0 = nobody was heard in it */
};

/* Whether a peer is heard at once. If not it is put into the queue. */
bool hearing_admits(struct hearing *hearing, uint64_t now, struct peer *peer);

/* Whether the user has used up its quota. */
bool hearing_is_used_up(struct hearing *hearing, uint64_t now, uint32_t uid);

/* Puts a peer into the queue; takes it out, if it is there. */
void hearing_add(struct hearing *hearing, struct peer *peer);
void hearing_remove(struct hearing *hearing, struct peer *peer);

/* The next one to be heard in this turn, which leaves the queue; NULL if the turn has no more time,
 * or nobody waits. */
struct peer *hearing_next(struct hearing *hearing, uint64_t now);

/* A peer of this user was heard for `spent` nanoseconds. True if the user has used up its quota. */
bool hearing_spend(struct hearing *hearing, uint64_t now, struct user *user, uint64_t spent);

/* The turn is over. */
void hearing_end_turn(struct hearing *hearing);

/* The latest time for the next turn: now if somebody waits who may be heard. */
uint64_t hearing_due(struct hearing *hearing, uint64_t now);

#endif

/* How a session is tied to the controller: attached, detached, and over a fork. What it does while
 * the tie holds is in session.c. */
#ifndef WEIR_CLIENT_TIE_H
#define WEIR_CLIENT_TIE_H

#include "client/identity.h"
#include "client/link.h"
#include "client/session.h"
#include "wire/page.h"
#include <stdatomic.h>
#include <stdbool.h>

/* What a child must not inherit: it stands in a page that a fork, of whatever kind, fills with
 * zeros. */
struct tie_life {
    _Atomic uint32_t attached;  /* number of the tie, of all sessions counted up from 1; 0 = none */
    _Atomic uint32_t asked;     /* ATTACH was sent, and there is no answer yet */
    _Atomic uint32_t own;       /* what `begun` counts is this process's own */
    _Atomic uint64_t attaching; /* since this date a thread is about it, 0 = none is */
    _Atomic uint64_t next;      /* no attempt before this date */
    _Atomic uint64_t looked;    /* date of the last look at the socket */
    _Atomic uint32_t users;     /* threads that use the socket at the moment, */
    _Atomic int doomed;         /* and what the last of them closes, plus 1; 0 = nothing */
};

/* The pages stay at their addresses, so nobody needs a lock to use them: before the first tie they
 * are private and empty, later ties replace what is mapped. */
struct session {
    uint32_t channel;                /* of the controller */
    _Atomic uint32_t started;        /* session_init was called */
    _Atomic(struct tie_life *) life; /* never NULL */
    struct grant_page *grant;
    struct usage_page *usage;
    _Atomic uint32_t slot;
    _Atomic int socket;          /* -1 = none */
    _Atomic uint64_t inode;      /* by which it is known again */
    _Atomic uint32_t begun;      /* explicit I/Os under way, by this process */
    _Atomic double volume;       /* of the latest of them; */
    _Atomic uint64_t moved;      /* bytes since it began */
    bool (*_Atomic waits)(void); /* asked before a wait; NULL = nobody */
    const struct identity *identity;
    struct tie_life *set_aside; /* while it is given up */
    struct link_letter letter;  /* of the one thread that attaches: the stack may be a signal
                                   handler's */
};

/* The life of a session that was not started: it is never attached. */
extern struct tie_life tie_not_started;

/* Starts a session that knows who it is. Without memory it stays as it is. */
void tie_start(struct session *session);

/* The number of the tie that holds; 0 = none. */
static inline uint32_t tie_held(const struct session *session)
{
    const struct tie_life *life = atomic_load_explicit(&session->life, memory_order_acquire);
    return atomic_load_explicit(&life->attached, memory_order_acquire);
}

/* Attaches if it is time to try again, and returns the number of the tie. Waits at most half a
 * second, in all but the first attempt hardly at all. A process is attached to channel 0 first: the
 * controller knows there what belongs to an application. */
uint32_t tie_attach(struct session *session);

/* Looks, every 20 ms at most, whether the socket is still ours and the controller at its other end;
 * if not, the tie is cut. Returns whether this tie still holds and the controller's heartbeat is
 * less than a second old. */
bool tie_check(struct session *session, uint32_t number, uint64_t now);

/* Sends to the controller, if the socket is still ours. With a `limit` it waits so many nanoseconds
 * for room. Whether it was sent. */
bool tie_send(struct session *session, const struct wire_message *message, uint64_t limit);

/* Opens the application's I/O if it is not open. Whoever changes the word tells the controller. */
void tie_announce(struct session *session);

/* Cuts the tie; the next tie_attach begins anew. The socket stays open but dead: another thread may
 * be about to send, and would hit whatever the program opened under its number. The next tie takes
 * its place. */
void tie_drop(struct session *session);

/* Cuts it and closes the socket, or has the last thread that uses it close it. */
void tie_cut(struct session *session);

/* Counts a number in the pages down, but never below 0: they may have been replaced since it was
 * counted up. */
static inline void tie_count_down(_Atomic uint32_t *number)
{
    uint32_t seen = atomic_load_explicit(number, memory_order_relaxed);
    while (seen > 0 && !atomic_compare_exchange_weak(number, &seen, seen - 1))
        continue;
}

/* In a child the parent's explicit I/Os are not its own. */
void tie_own(struct session *session);

#endif

/* How a session is tied to the controller: attached, detached, and across a fork. What it does
 * while the tie holds is in session.c. */
#ifndef WEIR_CLIENT_TIE_H
#define WEIR_CLIENT_TIE_H

#include "client/identity.h"
#include "client/link.h"
#include "client/session.h"
#include "wire/page.h"
#include <stdatomic.h>
#include <stdbool.h>

/* What a child must not inherit: a page that every kind of fork fills with zeros. */
struct tie_life {
    _Atomic uint32_t attached;  /* number of the tie, counted from 1 over all sessions; 0 = none */
    _Atomic bool tied;          /* the pages are, or were, those of a tie of this process */
    _Atomic uint32_t own;       /* `begun` counts I/Os of this process, not of its parent */
    _Atomic uint64_t asked;     /* when ATTACH was sent that is not yet answered, 0 = none is */
    _Atomic uint64_t attaching; /* when a thread began to attach, 0 = none does */
    _Atomic uint64_t next;      /* no attempt before this time */
    _Atomic uint64_t looked;    /* time of the last look at the socket */
    _Atomic uint64_t missed;    /* bytes moved without a tie: the next one counts them */
    _Atomic uint32_t users;     /* threads that use the socket at the moment, */
    _Atomic int doomed; /* and the descriptor that the last of them closes, plus 1; 0 = none */
};

/* The pages stay at their addresses, so no lock is needed to use them: before the first tie they
 * are private and empty; later ties replace what is mapped. */
struct session {
    uint32_t channel;                /* of the controller */
    bool supervises;                 /* other processes; see session_supervise */
    _Atomic uint32_t started;        /* session_init was called */
    _Atomic(struct tie_life *) life; /* never NULL */
    struct grant_page *grant;
    struct usage_page *usage;
    _Atomic uint32_t slot;
    _Atomic bool displaced;      /* its clock is another one, so nothing waits */
    _Atomic int socket;          /* -1 = none */
    _Atomic uint64_t inode;      /* that identifies it */
    _Atomic uint32_t begun;      /* explicit I/Os in progress, of this process */
    _Atomic double volume;       /* of those under way together; */
    _Atomic uint64_t moved;      /* bytes since it began */
    bool (*_Atomic waits)(void); /* called before a wait; NULL = none */
    const struct identity *identity;
    struct tie_life *set_aside; /* after session_give_up */
    struct link_letter
        letter; /* for the one thread that attaches: its stack may be a signal handler's */
};

/* The life of a session that was not started: it is never attached. */
extern struct tie_life tie_not_started;

/* Makes libc close the sockets in children of a fork. Only the first call counts. False if libc
 * cannot. Unlike everything else here it may allocate, and take libc's locks. */
bool tie_watch_forks(void);

/* Whether the process forbids itself system calls (seccomp), as the controller has seen or the
 * kernel has refused one. Then nothing here makes any, for good: what is tied stays so, and no call
 * waits. tie_fall_silent says that it does. */
bool tie_is_silent(void);
void tie_fall_silent(void);

/* Starts a session whose identity is set. Without memory it stays unstarted. */
void tie_start(struct session *session);

/* The number of the current tie; 0 = none. */
static inline uint32_t tie_held(const struct session *session)
{
    const struct tie_life *life = atomic_load_explicit(&session->life, memory_order_acquire);
    return atomic_load_explicit(&life->attached, memory_order_acquire);
}

/* Attaches if it is time to try again, and returns the number of the tie. Waits at most half a
 * second, and hardly at all after the first attempt. A process attaches to channel 0 first: there
 * the controller knows what belongs to an application. */
uint32_t tie_attach(struct session *session);

/* Checks, at most every 20 ms, and only while the controller's heartbeat is late, whether the
 * socket is still ours and the controller at its other end; if not, the tie is cut. Returns whether
 * this tie still holds and the controller's heartbeat is less than a second old. */
bool tie_check(struct session *session, uint32_t number, uint64_t now);

/* Sends to the controller, if the socket is still ours; waits up to `limit` nanoseconds for room.
 * Returns whether it was sent. */
bool tie_send(struct session *session, const struct wire_message *message, uint64_t limit);

/* Opens the application's I/O if it is not open. The thread that changes the word tells the
 * controller. */
void tie_announce(struct session *session);

/* Cuts the tie; the next tie_attach starts over. The socket stays open but dead: another thread may
 * be about to send, and would hit whatever the program opened under its descriptor. The next tie
 * replaces it. */
void tie_drop(struct session *session);

/* Cuts the tie and closes the socket, or lets the last thread that uses it do so. */
void tie_cut(struct session *session);

/* Decrements a number in the pages, but never below 0: they may have been replaced since it was
 * incremented. */
static inline void tie_count_down(_Atomic uint32_t *number)
{
    uint32_t seen = atomic_load_explicit(number, memory_order_relaxed);
    while (seen > 0 && !atomic_compare_exchange_weak(number, &seen, seen - 1))
        continue;
}

/* Whether the pages are those of an agent, which may have ended: bytes that are counted in them are
 * told to the next one, by this process or by others of the application. */
bool tie_shares(const struct session *session);

/* Bytes that were moved without a tie, and are in no account so far. */
void tie_miss(struct session *session, uint64_t bytes);

/* Forgets, in a child, the explicit I/Os of its parent. */
void tie_own(struct session *session);

#endif

/* A process's tie to the live controller, below the public client library and the preload.
 *
 * Needs nothing but libc, allocates nothing, prints nothing, never ends the process and never
 * changes errno. Everything but attaching is lock-free: it may be used by many threads, in signal
 * handlers and after fork. It fails open: when no controller answers, has gone, or gives no sign of
 * life for a second, calls pass at once, and at most every 200 ms an I/O looks for a new one.
 *
 * One call on the store:
 *     session_enter(session);
 *     size_t piece = session_acquire(session, n, whole);
 *     ... move them ...
 *     session_exit(session, bytes_moved); */
#ifndef WEIR_CLIENT_SESSION_H
#define WEIR_CLIENT_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <weir/client.h>

struct session;

/* A call under way, as its thread knows it. */
struct pace_call {
    const struct session *of;
    uint64_t went;  /* time at which it could begin, and */
    uint64_t worth; /* nanoseconds that what it had waited for is worth at its rate */
    size_t taken;   /* bytes that it took a ticket for, */
    uint64_t end;   /* of the ticket: */
    bool owes;      /* it moves more than was granted by then */
};
struct session_call {
    struct session *session; /* NULL = there is none */
    uint32_t entered;        /* within the tie of this number; 0 = without one */
    bool charged;            /* it took a ticket, */
    size_t taken;            /* bytes of its ticket that it has not moved so far */
    struct pace_call pace;
};

/* The session of this process. There is one for each channel of the controller, which shares one
 * bandwidth each; session_get returns that of channel 0. Pages and sockets belong to the process;
 * all users of it in one process are the same application. The preload exports the library's
 * functions too, so that a program that uses both has one session, and what weir_io_pace paid for
 * is not paid for again when it is written. Until session_init everything passes. */
struct session *session_get(void);
struct session *session_of(uint32_t channel); /* below WIRE_CHANNELS */

/* Who it is, from `join`, the environment and defaults. Only the first call counts. The others of
 * the process, which are begun after that of channel 0, are the same. */
void session_init(struct session *session, const struct weir_join *join);

/* Those of all channels below this one may have been begun. */
uint32_t session_count(void);

/* A controlled call begins: the process is busy, and if no I/O of its application is under way,
 * one is posted. Attaches if need be. Whether it is under control. */
bool session_enter(struct session *session);

/* Takes a ticket and waits until the bytes may begin to move; between session_enter and
 * session_exit. Returns how many: all of them when `whole` (a call that must not be split), else a
 * piece. */
size_t session_acquire(struct session *session, size_t bytes, bool whole);

/* Has `waits` asked before a thread waits in session_acquire. If it says no, the call passes.
 * (Nobody is asked in session_prepay, which belongs to no call.) */
void session_ask(struct session *session, bool (*waits)(void));

/* As a call of its own, for bytes that the same thread will move next, in calls of which
 * session_acquire may or may not hear: it does not wait for them again. Returns a piece. */
size_t session_prepay(struct session *session, size_t bytes);

/* Takes a ticket for one operation (every controlled call, metadata too) and waits for it. Metadata
 * is no I/O: without session_enter it opens none, but attaches if need be. */
void session_operation(struct session *session);

/* Whether session_operation would do anything: otherwise a caller need not find out whether what it
 * does is one. */
bool session_counts_operations(const struct session *session);

/* Bytes moved by a piece of the call under way: progress. */
void session_moved(struct session *session, size_t bytes);

/* The call is over: what it took and did not move is given back, what it moved besides is charged
 * (unless it took nothing: then it was free), and what it has moved in advance is waited for. */
void session_exit(struct session *session, size_t bytes);

/* The call is left for good, by a jump: nothing is waited for. */
void session_abandon(struct session *session);

/* The call under way rests, while the same thread makes another one on another channel; and goes
 * on. */
void session_set_aside(struct session_call *call);
void session_take_back(const struct session_call *call);

/* A controlled file was closed: the I/O may be over soon. */
void session_closed(struct session *session);

/* Bytes that went past control (a mapping, a call that is not understood). Attaches if need be. */
void session_escaped(struct session *session, uint64_t bytes);

/* Bytes of a call that is seen and not controlled. For the comparison with what the kernel counts:
 * too many are harmless there, too few are not. */
void session_passed(struct session *session, uint64_t bytes);

/* Explicit I/O, as weir_io_begin and weir_io_end. */
void session_begin(struct session *session, double volume);
void session_end(struct session *session);

/* Whether a controller is in charge, and whether it limits at the moment. */
bool session_controlled(const struct session *session);
bool session_limited(const struct session *session);

/* Whether the next call would open an I/O of its application. */
bool session_rests(const struct session *session);

/* Whether `fd` is a session's own socket (a program must not close or use it unknowingly). */
bool session_owns(int fd);

/* Leaves: closes the socket, keeps the pages. A later I/O attaches again. */
void session_detach(struct session *session);

/* Where libc says whether this process has one thread only (__libc_single_threaded), which saves
 * the price of some counting; NULL = nowhere, as it is at first: not every C library has it. */
void session_watch_threads(const char *single);

/* From now on everything passes, without a system call, and the controller shows it. session_resume
 * takes it back, and may only follow it. */
void session_give_up(struct session *session);
void session_resume(struct session *session);

/* Closes the socket, for a program that may have no more descriptors. A later I/O attaches again.
 * Whether there was one. */
bool session_make_room(struct session *session);

#endif

/* A process's session with the live controller, below the public client library and the preload.
 *
 * It needs nothing but libc, allocates nothing, prints nothing, never ends the process and never
 * changes errno. Everything but attaching is lock-free: threads, signal handlers and children of a
 * fork may use it. It fails open: when no controller answers, or it is gone or silent for a second,
 * calls pass at once, and at most every 200 ms an I/O looks for a new controller.
 *
 * One call on the store:
 *
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

/* The current call of a thread. */
struct pace_call {
    uint64_t went; /* when it could begin, */
    double pace;   /* the nanoseconds that the store takes for a byte, */
    size_t front;  /* bytes that were granted before, */
    size_t taken;  /* bytes of its ticket, */
    uint64_t end;  /* and the end of the ticket */
    bool owes;     /* pace_settle has not waited for it */
};
struct session_call {
    struct session *session; /* NULL = there is none */
    uint32_t entered;        /* within the tie of this number; 0 = outside any */
    bool charged;            /* it took a ticket, */
    size_t taken;            /* bytes of its ticket not moved so far */
    size_t inside;           /* bytes that count as inside the store */
    struct pace_call pace;
};

/* The session of this process. There is one for each channel of the controller; session_get returns
 * that of channel 0. Pages and sockets belong to the process, and all users of the library in one
 * process are the same application. The preload exports the library's functions too, so a program
 * that uses both has one session, and bytes paid for by weir_io_pace are not charged again when
 * they are written. Until session_init everything passes. */
struct session *session_get(void);
struct session *session_of(uint32_t channel); /* below WIRE_CHANNELS */

/* Sets the identity from `join`, the environment and defaults. Only the first call counts. The
 * sessions of other channels, which start after that of channel 0, have the same identity. A
 * process that forks needs tie_watch_forks too. */
void session_init(struct session *session, const struct weir_join *join);

/* Before session_init: this process counts, and waits for, the calls of all processes of its
 * application. */
void session_supervise(void);

/* Sessions of channels below this number may have started. */
uint32_t session_count(void);

/* A controlled call begins: the process is busy, and if its application has no open I/O, one is
 * posted. Attaches if need be. Returns whether it is controlled. */
bool session_enter(struct session *session);

/* Whether a call that is not controlled is to be continued all the same, for its bytes: they are
 * told to the next agent. */
bool session_counts(const struct session *session);

/* Takes a ticket and waits until the bytes may begin to move; called between session_enter and
 * session_exit. Returns how many: all of them if `whole` (a call that must not be split), else a
 * piece. */
size_t session_acquire(struct session *session, size_t bytes, bool whole);

/* Sets a function that is called before a thread waits in session_acquire. If it returns false, the
 * call passes. (session_prepay, which belongs to no call, does not use it.) */
void session_ask(struct session *session, bool (*waits)(void));

/* Pays, as a call of its own, for bytes that the same thread will move next, in calls that
 * session_acquire may or may not see: it does not wait for them again. Returns a piece. */
size_t session_prepay(struct session *session, size_t bytes);

/* Takes a ticket for one operation (every controlled call, metadata included) and waits for it.
 * Metadata is not I/O: outside session_enter it opens none, but attaches if need be. */
void session_operation(struct session *session);

/* Whether session_operation does anything: if not, a caller can skip the question whether its call
 * is an operation. */
bool session_counts_operations(const struct session *session);

/* Bytes moved by a piece of the current call: progress. */
void session_moved(struct session *session, size_t bytes);

/* The call is over: bytes of its ticket that it did not move are returned, further bytes are
 * charged (unless it took no ticket: then it was free). It waits no longer than the store, as fast
 * as the controller says that it is, takes for the bytes. */
void session_exit(struct session *session, size_t bytes);

/* The call is left for good, by a jump. Does not wait. */
void session_abandon(struct session *session);

/* Sets the current call aside while the same thread makes one on another channel; and returns to
 * it. */
void session_set_aside(struct session_call *call);
void session_take_back(const struct session_call *call);

/* A controlled file was closed: the I/O may be over soon. */
void session_closed(struct session *session);

/* Bytes that bypassed control (a mapping, a call that is not understood). Attaches if need be. */
void session_escaped(struct session *session, uint64_t bytes);

/* Bytes of a call that is seen but not controlled, for the comparison with the kernel's counts: too
 * many are harmless there, too few are not. */
void session_passed(struct session *session, uint64_t bytes);

/* Explicit I/O, as weir_io_begin and weir_io_end. */
void session_begin(struct session *session, double volume);
void session_end(struct session *session);

/* Whether a controller is in charge, and whether it limits at the moment. */
bool session_controlled(const struct session *session);
bool session_limited(const struct session *session);

/* Whether the next call would open an I/O of its application. */
bool session_rests(const struct session *session);

/* Whether `fd` is a session's own socket (a program must not close or use it by accident). */
bool session_owns(int fd);

/* Detaches: closes the socket, keeps the pages. A later I/O attaches again. */
void session_detach(struct session *session);

/* The address where libc tells whether this process has only one thread (__libc_single_threaded),
 * which makes some counting cheaper; NULL, the default, where the C library does not have it. */
void session_watch_threads(const char *single);

/* From now on everything passes, without a system call, and the controller shows it. session_resume
 * takes it back, and may only follow it. */
void session_give_up(struct session *session);
void session_resume(struct session *session);

/* The same in the middle of anything, once tie_is_silent says so: the controller knows, and what is
 * moved from now on it sees to escape. */
void session_fall_silent(struct session *session);

/* Closes the socket, for a program that has run out of descriptors. A later I/O attaches again.
 * Returns whether there was one. */
bool session_make_room(struct session *session);

#endif

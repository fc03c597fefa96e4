#include "client/session.h"
#include "client/hot.h"
#include "client/link.h"
#include "client/pace.h"
#include "client/tie.h"
#include "client/wait.h"
#include <errno.h>

#define EXPLICIT_WAIT (20 * WAIT_MS) /* for room to send io_begin or io_end */

enum {
    LARGE = 65536, /* bytes: such a call can afford a look at the clock, and to be counted */
    SELDOM = 64    /* one in 64 small calls looks at it */
};

/* What a thread is in the middle of. A call that was left by longjmp is mended by the next. */
static _Thread_local struct {
    struct session_call call;
    uint32_t calls;
    size_t credit;  /* bytes that weir_io_pace has paid for already, on channel 0, */
    size_t counted; /* ... and counted as moved there */
} thread __attribute__((tls_model("initial-exec")));

/* Where libc says whether the process has one thread only; not every libc does. */
static const char many_threads;
static const char *_Atomic single_threaded = &many_threads;

#define SESSION(number)                                                                            \
    {                                                                                              \
        .channel = number, .life = &tie_not_started, .socket = -1                                  \
    }
static struct session sessions[] = {SESSION(0), SESSION(1), SESSION(2), SESSION(3),
                                    SESSION(4), SESSION(5), SESSION(6), SESSION(7)};
_Static_assert(sizeof sessions / sizeof *sessions == WIRE_CHANNELS, "one for each");
static struct identity identity; /* of all of them */
static _Atomic uint32_t count;

struct session *session_get(void)
{
    return &sessions[0];
}

HOT struct session *session_of(uint32_t channel)
{
    return &sessions[channel];
}

uint32_t session_count(void)
{
    return atomic_load_explicit(&count, memory_order_relaxed);
}

void session_init(struct session *session, const struct weir_join *join)
{
    int fault = errno;
    if (atomic_exchange(&session->started, 1) == 0) {
        if (session->channel == 0)
            identity_init(&identity, join);
        session->identity = &identity;
        if (session_count() <= session->channel)
            atomic_store(&count, session->channel + 1);
        tie_start(session);
    }
    errno = fault;
}

void session_supervise(void)
{
    sessions[0].supervises = true;
}

void session_ask(struct session *session, bool (*waits)(void))
{
    atomic_store(&session->waits, waits);
}

/* --- a call ----------------------------------------------------------------------------------- */

static bool is_alone(void)
{
    return *atomic_load_explicit(&single_threaded, memory_order_relaxed);
}

/* The counts of this process, which is attached. */
static struct page_slot *slot_of(const struct session *session)
{
    return &session->usage->slots[atomic_load_explicit(&session->slot, memory_order_relaxed)];
}

/* The process's count of calls under way; and whether this thread alone writes it, which saves
 * the price of counting down. */
static _Atomic uint32_t *busy_of(struct session *session, bool *alone)
{
    *alone = is_alone();
    return &slot_of(session)->busy;
}

/* In one order with the controller, which closes the I/O and then looks who is busy. */
HOT static void set_busy(struct session *session)
{
    bool alone;
    _Atomic uint32_t *busy = busy_of(session, &alone);
    if (alone)
        atomic_store(busy, 1);
    else
        atomic_fetch_add(busy, 1);
}

HOT static void set_quiet(struct session *session)
{
    bool alone;
    _Atomic uint32_t *busy = busy_of(session, &alone);
    if (alone)
        atomic_store_explicit(busy, 0, memory_order_release);
    else
        tie_count_down(busy);
}

/* The number of the tie, which is tied if need be; 0 = none. */
static uint32_t hold(struct session *session)
{
    uint32_t number = tie_held(session);
    return number ? number : tie_attach(session);
}

HOT bool session_enter(struct session *session)
{
    uint32_t number = hold(session);
    if (thread.call.session && thread.call.session != session)
        session_abandon(thread.call.session);
    if (number != 0 && thread.call.entered != number) {
        set_busy(session);
        if (tie_held(session) != number) { /* another thread has just replaced the page */
            set_quiet(session);
            number = 0;
        }
    }
    thread.call.entered = number;
    thread.call.session = number != 0 ? session : NULL;
    if (number != 0)
        tie_announce(session);
    return number != 0;
}

bool session_counts(const struct session *session)
{
    return tie_shares(session);
}

static bool is_open(const struct session *session)
{
    return atomic_load_explicit(&session->grant->mode, memory_order_acquire) == PAGE_OPEN;
}

/* Adds to one of them. */
HOT static void count_up(_Atomic uint64_t *bytes, uint64_t more)
{
    if (is_alone())
        atomic_store_explicit(bytes, atomic_load_explicit(bytes, memory_order_relaxed) + more,
                              memory_order_relaxed);
    else
        atomic_fetch_add_explicit(bytes, more, memory_order_relaxed);
}

HOT void session_passed(struct session *session, uint64_t bytes)
{
    if (tie_held(session) != 0)
        count_up(&slot_of(session)->passed, bytes);
}

HOT void session_moved(struct session *session, size_t bytes)
{
    if (thread.counted > 0 && session->channel == 0) {
        size_t counted = thread.counted < bytes ? thread.counted : bytes;
        thread.counted -= counted;
        bytes -= counted;
    }
    if (bytes == 0)
        return;
    if (tie_held(session) == 0) { /* nobody reads the page that it had, if any */
        tie_miss(session, bytes);
        return;
    }
    size_t paid = thread.call.taken < bytes ? thread.call.taken : bytes;
    thread.call.taken -= paid;
    if (paid < bytes && thread.call.charged && thread.call.entered != 0 && !is_open(session))
        pace_charge(session, bytes - paid);
    if (atomic_load_explicit(&session->displaced, memory_order_relaxed)) {
        session_passed(&sessions[0], bytes);
        session_escaped(&sessions[0], bytes);
        return;
    }
    count_up(&slot_of(session)->moved, bytes);
    if (session->channel > 0)
        session_passed(&sessions[0], bytes); /* where all that a process does is known */
    if (atomic_load_explicit(&session->begun, memory_order_relaxed) > 0)
        atomic_fetch_add_explicit(&session->moved, bytes, memory_order_relaxed);
}

/* An unlimited program never waits, so it would never see that its controller has gone. */
HOT static void glance(struct session *session, size_t bytes)
{
    if (bytes >= LARGE || ++thread.calls % SELDOM == 0)
        tie_check(session, thread.call.entered, wait_now_coarse());
}

/* Bytes of the current call are in the store; 0 = no more. Small calls are not worth it. */
HOT static void set_inside(struct session *session, size_t bytes)
{
    size_t before = thread.call.inside;
    thread.call.inside = bytes >= LARGE ? bytes : 0;
    if (before != thread.call.inside && thread.call.entered == tie_held(session))
        count_up(&slot_of(session)->inside, (uint64_t)thread.call.inside - before);
}

/* The call is over for all but its thread. What it did not move is not charged. */
HOT static void conclude(struct session *session)
{
    set_inside(session, 0);
    struct usage_page *usage = session->usage;
    uint64_t calls = atomic_load_explicit(&usage->calls, memory_order_relaxed);
    atomic_store_explicit(&usage->calls, calls + 1, memory_order_relaxed);
    if (thread.call.taken > 0 && thread.call.entered == tie_held(session))
        pace_return(session, thread.call.taken);
    thread.call.charged = false;
    thread.call.taken = 0;
}

HOT static void go_quiet(struct session *session)
{
    if (thread.call.entered == tie_held(session))
        set_quiet(session);
    thread.call.entered = 0;
}

/* `settles`: what it has moved in advance is waited for. */
HOT static void leave_call(struct session *session, size_t bytes, bool settles)
{
    session_moved(session, bytes);
    thread.call.session = NULL;
    if (thread.call.entered == 0)
        return;
    conclude(session);
    if (is_open(session))
        glance(session, bytes);
    else {
        int fault = errno;
        uint64_t now = wait_now();
        if (settles)
            now = pace_settle(session, thread.call.entered, bytes, now);
        atomic_store_explicit(&session->usage->last, now, memory_order_relaxed);
        errno = fault;
    }
    go_quiet(session);
}

HOT void session_exit(struct session *session, size_t bytes)
{
    leave_call(session, bytes, true);
}

void session_abandon(struct session *session)
{
    thread.call.session = NULL;
    if (thread.call.entered == 0)
        return;
    conclude(session);
    go_quiet(session);
}

void session_set_aside(struct session_call *call)
{
    *call = thread.call;
    pace_set_aside(&call->pace);
    thread.call = (struct session_call){0};
}

void session_take_back(const struct session_call *call)
{
    thread.call = *call;
    pace_take_back(&call->pace);
}

void session_closed(struct session *session)
{
    if (tie_held(session) != 0)
        atomic_fetch_add_explicit(&session->usage->closed, 1, memory_order_relaxed);
}

void session_escaped(struct session *session, uint64_t bytes)
{
    if (hold(session) != 0)
        atomic_fetch_add_explicit(&session->usage->escaped, bytes, memory_order_relaxed);
}

/* --- tickets ---------------------------------------------------------------------------------- */

HOT static size_t acquire(struct session *session, size_t bytes, bool whole, bool (*waits)(void))
{
    if (bytes == 0 || thread.call.entered == 0 || is_open(session))
        return bytes;
    int fault = errno;
    if (thread.call.charged) /* a piece of this call has just been moved */
        atomic_store_explicit(&session->usage->last, wait_now(), memory_order_relaxed);
    size_t piece = pace_bytes(session, thread.call.entered, bytes, whole, waits);
    thread.call.taken += pace_taken();
    thread.call.charged |= thread.call.taken > 0;
    set_inside(session, piece);
    errno = fault;
    return piece;
}

HOT size_t session_acquire(struct session *session, size_t bytes, bool whole)
{
    bool (*waits)(void) = atomic_load_explicit(&session->waits, memory_order_relaxed);
    if (thread.credit == 0 || session->channel > 0)
        return acquire(session, bytes, whole, waits);
    size_t paid = thread.credit < bytes ? thread.credit : bytes;
    thread.credit -= paid;
    thread.counted = paid;
    if (paid < bytes && whole)
        paid += acquire(session, bytes - paid, true, waits);
    return paid;
}

/* Whether operations have one, by what the page says. */
static bool has_limit(const struct session *session)
{
    return atomic_load_explicit(&session->grant->ops.rate, memory_order_acquire) != 0;
}

bool session_counts_operations(const struct session *session)
{
    return tie_held(session) == 0 || has_limit(session);
}

HOT void session_operation(struct session *session)
{
    uint32_t number = thread.call.session == session ? thread.call.entered : hold(session);
    if (number != 0 && has_limit(session)) {
        int fault = errno;
        pace_operation(session, number);
        errno = fault;
    }
}

/* --- explicit I/O ----------------------------------------------------------------------------- */

/* A controller that never heard of an end would keep the I/O open for ever. If it reads nothing,
 * the tie is cut, and the next one says how things are. */
static void session_say(struct session *session, const struct wire_message *message)
{
    if (!tie_send(session, message, EXPLICIT_WAIT))
        tie_drop(session);
}

void session_begin(struct session *session, double volume)
{
    tie_own(session);
    uint32_t number = hold(session);
    struct wire_message message = {.type = WIRE_POST,
                                   .post = {.volume = volume > 0 ? volume : 0, .begun = 1}};
    double before = atomic_load(&session->volume);
    if (atomic_fetch_add(&session->begun, 1) == 0) {
        atomic_store(&session->moved, 0);
        atomic_store(&session->volume, message.post.volume);
    } else {
        while (
            !atomic_compare_exchange_weak(&session->volume, &before, before + message.post.volume))
            continue;
    }
    if (number == 0)
        return;
    atomic_store(&session->usage->phase, PHASE_OPEN);
    session_say(session, &message);
}

void session_end(struct session *session)
{
    tie_own(session);
    if (atomic_load(&session->begun) == 0)
        return;
    if (pace_owes() && session_enter(session)) {
        int fault = errno;
        pace_pay(session, thread.call.entered);
        errno = fault;
        session_exit(session, 0);
    }
    tie_count_down(&session->begun);
    if (tie_held(session) == 0)
        return;
    static const struct wire_message message = {.type = WIRE_END};
    session_say(session, &message);
}

size_t session_prepay(struct session *session, size_t bytes)
{
    session_enter(session);
    thread.counted = 0;
    size_t piece = acquire(session, bytes, false, NULL);
    leave_call(session, piece, false); /* the next payment, or the end, waits for it */
    thread.credit = piece;
    return piece;
}

/* --- questions -------------------------------------------------------------------------------- */

bool session_controlled(const struct session *session)
{
    return tie_held(session) != 0;
}

bool session_limited(const struct session *session)
{
    return session_controlled(session) && !is_open(session);
}

HOT bool session_rests(const struct session *session)
{
    return session_controlled(session) &&
           atomic_load_explicit(&session->usage->phase, memory_order_relaxed) == PHASE_IDLE;
}

static bool is_own(const struct session *session, int fd)
{
    if (fd != atomic_load_explicit(&session->socket, memory_order_relaxed) || tie_is_silent())
        return false;
    int fault = errno;
    bool same = link_inode(fd) == atomic_load(&session->inode);
    errno = fault;
    return same;
}

bool session_owns(int fd)
{
    bool own = false;
    for (uint32_t channel = 0; channel < session_count() && fd >= 0 && !own; channel++)
        own = is_own(&sessions[channel], fd);
    return own;
}

void session_detach(struct session *session)
{
    while (atomic_load(&session->begun) > 0)
        session_end(session);
    tie_cut(session);
}

void session_watch_threads(const char *single)
{
    atomic_store_explicit(&single_threaded, single ? single : &many_threads, memory_order_relaxed);
}

void session_give_up(struct session *session)
{
    static const struct wire_message message = {.type = WIRE_FAILED,
                                                .failed = {.why = WIRE_FAILED_SEALED}};
    while (atomic_load(&session->begun) > 0)
        session_end(session);
    if (tie_held(session) != 0)
        session_say(session, &message);
    session->set_aside = atomic_exchange(&session->life, &tie_not_started);
}

void session_fall_silent(struct session *session)
{
    atomic_store(&session->life, &tie_not_started);
}

void session_resume(struct session *session)
{
    atomic_store(&session->life, session->set_aside);
    tie_cut(session); /* the next tie is controlled again */
}

bool session_make_room(struct session *session)
{
    if (atomic_load(&session->socket) < 0)
        return false;
    tie_cut(session);
    return true;
}

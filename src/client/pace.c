#include "client/pace.h"
#include "client/wait.h"
#include "wire/call.h"

#define LONGEST    (20 * WAIT_MS) /* no sleep is longer */
#define SOON       (WAIT_MS / 10) /* in which a controller that is free answers */
#define SLACK      (WAIT_MS / 16) /* oversleep for each who sleeps too */
#define SLACK_MOST WAIT_MS        /* ... but no more than that */
#define AHEAD_TIME (2 * WAIT_MS)  /* a wait that is longer is worth the controller's attention */

/* A piece is of this many chunks at most. With fewer, on a busy machine, a program would wait for
 * its turn on a processor more often than for its bytes. */
#define AHEAD 16

static _Thread_local struct {
    struct pace_call call;
} thread __attribute__((tls_model("initial-exec")));

/* Sleeps until the grant changes or the time comes, or, when many sleep, a moment longer: then one
 * who wakes finds enough for several calls. Less than the burst, so nothing is lost. */
static void sleep_until(struct session *session, uint32_t change, uint64_t now, uint64_t due)
{
    _Atomic uint32_t *waiters = &session->usage->waiters;
    uint64_t slack = SLACK * (uint64_t)(atomic_fetch_add(waiters, 1) + 1);
    uint64_t latest = now + LONGEST;
    if (slack > SLACK_MOST)
        slack = SLACK_MOST;
    if (!wait_change(&session->grant->change, change, due < latest - slack ? due + slack : latest))
        tie_fall_silent(); /* a filter forbids it: without sleep nothing waits */
    tie_count_down(waiters);
}

/* Reads what the controller says now. False if it has gone or is silent: then calls pass. */
static bool read_grant(struct session *session, uint32_t number, struct page_grant *grant,
                       uint64_t now)
{
    while (tie_check(session, number, now)) {
        if (page_read(session->grant, grant))
            return true;
        /* Interrupted while writing. If it died there, so did the tie. */
        wait_nap(WAIT_MS / 10);
        now = wait_now();
    }
    return false;
}

/* Whether a wait has lasted as long as the controller lets one last. */
static bool pace_is_over(const struct page_grant *grant, uint64_t began, uint64_t now)
{
    return grant->patience > 0 && now - began >= grant->patience;
}

/* --- bytes ------------------------------------------------------------------------------------ */

/* No call has more; so sums of them stay far below what would be nonsense. */
static uint64_t grains_of(size_t bytes)
{
    enum { MOST = 45 };
    return (bytes < (size_t)1 << MOST ? (uint64_t)bytes : UINT64_C(1) << MOST) * LINE_BYTE;
}

/* What the application may claim late: the burst, and what the line allowed while its calls were in
 * the store. A call that the store takes longer for than the grant would is so made up for by later
 * ones. What is allowed between two calls, when nobody claims it, is lost beyond the burst. */
static struct line pace_line(const struct session *session, const struct page_grant *grant)
{
    struct line line = grant->bytes;
    uint64_t last = atomic_load_explicit(&session->usage->last, memory_order_relaxed);
    uint64_t used = atomic_load_explicit(&session->usage->used, memory_order_relaxed);
    int64_t kept = (int64_t)(line_at(&line, last) - used);
    uint64_t most = (uint64_t)line_speed(&line); /* of one second */
    if (kept > 0)
        line.burst += (uint64_t)kept < most ? (uint64_t)kept : most;
    return line;
}

/* Takes a ticket, and returns what of it must be allowed before the bytes may move. */
static uint64_t pace_take(struct session *session, const struct page_grant *grant, size_t piece,
                          uint64_t now)
{
    struct line line = pace_line(session, grant);
    size_t front = grant->chunk > 0 && piece > grant->chunk ? (size_t)grant->chunk : piece;
    thread.call.went = now;
    thread.call.taken = piece;
    thread.call.front = front;
    thread.call.pace = grant->speed > 0 ? 1e9 / (double)grant->speed : 0;
    thread.call.end = line_take(&line, &session->usage->used, grains_of(piece), now);
    thread.call.owes = true;
    return thread.call.end - grains_of(piece) + grains_of(front);
}

/* --- calls ahead of the line -------------------------------------------------------------------
 */

/* Shows the controller where the line must be for a call that will wait for long: it moves the line
 * there if the store has room. Of several calls the first one counts. */
static void pace_want(struct session *session, uint64_t ticket)
{
    _Atomic uint64_t *wants = &session->usage->wants;
    uint64_t seen = atomic_load_explicit(wants, memory_order_relaxed);
    while ((seen == 0 || (int64_t)(ticket - seen) < 0) &&
           !atomic_compare_exchange_weak_explicit(wants, &seen, ticket, memory_order_relaxed,
                                                  memory_order_relaxed))
        continue;
}

/* The call goes: others that wait say so again when they wake. */
static void pace_got(struct session *session, uint64_t ticket)
{
    atomic_compare_exchange_strong_explicit(&session->usage->wants, &ticket, 0,
                                            memory_order_relaxed, memory_order_relaxed);
}

/* A call that waits. */
struct call {
    size_t bytes;
    bool whole;
    uint64_t began;
    size_t piece; /* for which a ticket was taken, 0 = none so far */
    uint64_t ticket;
    bool wanted; /* the controller was shown that it waits */
};

/* Takes a ticket if there is none and it can be had. Whether the call may go. */
static bool pace_look(struct session *session, struct call *call, const struct page_grant *grant,
                      uint64_t now)
{
    bool over = pace_is_over(grant, call->began, now), fresh = call->piece == 0;
    if (fresh && grant->mode == PAGE_HOLD && !over)
        return false;
    if (fresh) {
        uint64_t most = AHEAD * grant->chunk;
        bool cut = !call->whole && most > 0 && call->bytes > most;
        call->piece = cut ? (size_t)most : call->bytes;
        call->ticket = pace_take(session, grant, call->piece, now);
    }
    bool due = line_ahead(&grant->bytes, call->ticket, now) <= 0;
    thread.call.owes &= !over; /* it has waited long enough */
    if (!due && !over)
        return false;
    thread.call.went = now;
    if (call->wanted)
        pace_got(session, call->ticket);
    return true;
}

/* Until when to sleep. */
static uint64_t pace_due(struct session *session, struct call *call, const struct page_grant *grant,
                         uint64_t now)
{
    if (call->piece == 0)
        return UINT64_MAX;
    uint64_t due = line_due(&grant->bytes, call->ticket);
    /* What is small, or can be split, keeps to the line. */
    bool large = call->whole && thread.call.pace * (double)call->piece >= CALL_LARGE * 1e9;
    if (large && due - now > AHEAD_TIME) {
        call->wanted = true;
        pace_want(session, call->ticket);
    }
    return due;
}

size_t pace_bytes(struct session *session, uint32_t number, size_t bytes, bool whole,
                  bool (*waits)(void))
{
    struct page_grant grant;
    struct call call = {.bytes = bytes, .whole = whole, .began = wait_now()};
    thread.call.taken = 0;
    thread.call.owes = false;
    for (uint64_t now = call.began;; now = wait_now()) {
        if (!read_grant(session, number, &grant, now) || grant.mode == PAGE_OPEN)
            return call.piece ? call.piece : bytes;
        tie_announce(session);
        if (pace_look(session, &call, &grant, now))
            return call.piece;
        if (now == call.began && waits && !waits()) {
            thread.call.owes = false;
            return bytes;
        }
        if (now == call.began && grant.mode == PAGE_HOLD &&
            wait_soon(&session->grant->change, grant.change, SOON))
            continue;
        sleep_until(session, grant.change, now, pace_due(session, &call, &grant, now));
    }
}

void pace_set_aside(struct pace_call *call)
{
    *call = thread.call;
    thread.call = (struct pace_call){0};
}

void pace_take_back(const struct pace_call *call)
{
    thread.call = *call;
}

size_t pace_taken(void)
{
    return thread.call.taken;
}

void pace_return(struct session *session, size_t bytes)
{
    atomic_fetch_sub_explicit(&session->usage->used, grains_of(bytes), memory_order_relaxed);
    thread.call.end -= grains_of(bytes);
}

void pace_charge(struct session *session, size_t bytes)
{
    thread.call.end =
        atomic_fetch_add_explicit(&session->usage->used, grains_of(bytes), memory_order_relaxed) +
        grains_of(bytes);
}

bool pace_owes(void)
{
    return thread.call.owes;
}

uint64_t pace_settle(struct session *session, uint32_t number, size_t bytes, uint64_t now)
{
    struct page_grant grant;
    bytes = bytes < thread.call.taken ? bytes : thread.call.taken;
    double left = bytes > thread.call.front ? (double)(bytes - thread.call.front) : 0;
    double pace = thread.call.pace;
    uint64_t began = now, since = thread.call.went;
    if (!thread.call.owes)
        return now;
    thread.call.owes = false;
    for (;; now = wait_now()) {
        left -= pace > 0 ? (double)(now - since) / pace : left;
        if (!(left > 0) || !read_grant(session, number, &grant, now) || grant.mode == PAGE_OPEN ||
            pace_is_over(&grant, began, now))
            return now;
        tie_announce(session); /* it may have been taken for idle */
        since = now;
        pace = grant.speed > 0 ? 1e9 / (double)grant.speed : 0; /* it may have another limit */
        sleep_until(session, grant.change, now, now + (uint64_t)(left * pace));
    }
}

void pace_pay(struct session *session, uint32_t number)
{
    struct page_grant grant;
    uint64_t began = wait_now();
    thread.call.owes = false;
    for (uint64_t now = began;; now = wait_now()) {
        if (!read_grant(session, number, &grant, now) || grant.mode == PAGE_OPEN)
            return;
        tie_announce(session); /* it may have been taken for idle */
        if (line_ahead(&grant.bytes, thread.call.end, now) <= 0 ||
            pace_is_over(&grant, began, now))
            return;
        sleep_until(session, grant.change, now, line_due(&grant.bytes, thread.call.end));
    }
}

/* --- operations ------------------------------------------------------------------------------- */

void pace_operation(struct session *session, uint32_t number)
{
    struct page_grant grant;
    uint64_t ticket = 0, began = wait_now();
    for (uint64_t now = began;; now = wait_now()) {
        if (!read_grant(session, number, &grant, now) || grant.ops.rate == 0)
            return;
        if (now == began)
            ticket = line_take(&grant.ops, &session->usage->ops_used, LINE_OPERATION, now);
        if (line_ahead(&grant.ops, ticket, now) <= 0 || pace_is_over(&grant, began, now))
            return;
        sleep_until(session, grant.change, now, line_due(&grant.ops, ticket));
    }
}

#include "client/pace.h"
#include "client/bucket.h"
#include "client/wait.h"

#define LONGEST    (20 * WAIT_MS)   /* no sleep is longer */
#define SOON       (WAIT_MS / 10)   /* in which a controller that is free answers */
#define SLACK      (WAIT_MS / 16)   /* oversleep for each who sleeps too */
#define SLACK_MOST WAIT_MS          /* ... but no more than that */
#define LATE_MOST  (12 * WAIT_MS)   /* made up for: with the burst, 8 % of 200 ms */
#define WORTH_MOST (1000 * WAIT_MS) /* ... besides the time inside a call, so much of it */

static _Thread_local struct {
    uint64_t late;  /* nanoseconds in which it could not claim, until they are made up for */
    uint64_t went;  /* date at which the latest ticket was due, and */
    uint64_t worth; /* nanoseconds that it is worth at its rate */
    size_t taken;   /* bytes, by tickets since pace_taken */
} thread __attribute__((tls_model("initial-exec")));

/* Sleeps until the grant changes or the date comes, or, when many sleep, a moment longer: then one
 * who wakes finds enough for several calls. Less than the burst, so nothing is lost. */
static void sleep_until(struct session *session, uint32_t change, uint64_t now, uint64_t date)
{
    _Atomic uint32_t *waiters = &session->usage->waiters;
    uint64_t slack = SLACK * (uint64_t)(atomic_fetch_add(waiters, 1) + 1);
    uint64_t latest = now + LONGEST;
    if (slack > SLACK_MOST)
        slack = SLACK_MOST;
    wait_change(&session->grant->change, change, date < latest - slack ? date + slack : latest);
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

static size_t cut(size_t bytes, uint64_t chunk, bool whole)
{
    return whole || chunk == 0 || bytes < chunk ? bytes : (size_t)chunk;
}

void pace_done(uint64_t now)
{
    uint64_t most = LATE_MOST + thread.worth;
    uint64_t spent = now > thread.went ? now - thread.went : 0;
    uint64_t late = thread.late + (spent < thread.worth ? spent : thread.worth);
    thread.late = late < most ? late : most;
    thread.worth = 0;
}

size_t pace_taken(void)
{
    size_t taken = thread.taken;
    thread.taken = 0;
    return taken;
}

/* Takes a ticket, and returns whether it is due. What the thread could not claim because it was
 * woken too late is not lost to it: on a busy machine its rate would be too low. */
static bool take(struct session *session, struct bucket *bucket, size_t piece, double *ticket,
                 uint64_t now)
{
    pace_done(now); /* the piece before */
    bucket->burst += 1e-9 * (double)thread.late * bucket->rate;
    *ticket = bucket_take(bucket, &session->usage->used, (double)piece, now);
    thread.taken += piece;
    double worth = 1e9 * (double)piece / bucket->rate;
    thread.worth = worth < WORTH_MOST ? (uint64_t)worth : WORTH_MOST;
    thread.went = now;
    if (bucket_is_due(bucket, *ticket, now))
        return true;
    thread.late = 0;
    return false;
}

size_t pace_bytes(struct session *session, uint32_t number, size_t bytes, bool whole,
                  bool (*waits)(void))
{
    struct page_grant grant;
    size_t piece = 0;
    double ticket = 0;
    for (bool asked = false;; asked = true) {
        uint64_t now = wait_now(), date = UINT64_MAX;
        if (!read_grant(session, number, &grant, now) || grant.mode == PAGE_OPEN)
            return piece ? piece : bytes;
        tie_announce(session);
        if (grant.mode == PAGE_PACED) {
            struct bucket bucket = bucket_of_bytes(&grant);
            if (piece == 0) {
                piece = cut(bytes, grant.chunk, whole);
                if (take(session, &bucket, piece, &ticket, now))
                    return piece;
            }
            date = bucket_due(&bucket, ticket);
            if (bucket_is_due(&bucket, ticket, now)) {
                uint64_t late = now > date ? now - date : 0;
                thread.late = late < LATE_MOST ? late : LATE_MOST;
                thread.went = now;
                return piece;
            }
        }
        if (!asked && waits && !waits())
            return bytes;
        if (!asked && grant.mode == PAGE_HOLD &&
            wait_soon(&session->grant->change, grant.change, SOON))
            continue;
        sleep_until(session, grant.change, now, date);
    }
}

void pace_operation(struct session *session, uint32_t number)
{
    struct page_grant grant;
    double ticket = 0;
    for (bool taken = false;; taken = true) {
        uint64_t now = wait_now();
        if (!read_grant(session, number, &grant, now) || !(grant.ops_rate > 0))
            break;
        struct bucket bucket = bucket_of_operations(&grant);
        if (!taken)
            ticket = bucket_take(&bucket, &session->usage->ops_used, 1, now);
        if (bucket_is_due(&bucket, ticket, now))
            break;
        sleep_until(session, grant.change, now, bucket_due(&bucket, ticket));
    }
}

#include "supervise/supervisor.h"
#include "client/session.h"
#include "client/wait.h"
#include "supervise/notice.h"
#include "supervise/stores.h"
#include "supervise/target.h"
#include <pthread.h>
#include <stdatomic.h>

enum {
    SUPERVISOR_STACK = 128 * 1024,
    SUPERVISOR_IDLE = 4,        /* threads that wait for calls; further ones end */
    SUPERVISOR_LARGE = 1 << 16, /* bytes: of such a call, what it really moved is looked up */
    SUPERVISOR_THREADS = 4096   /* of the program, whose latest calls are known */
};
#define SUPERVISOR_NAP  (WAIT_MS / 50)   /* between two looks at a call under way, at first, */
#define SUPERVISOR_REST (5 * WAIT_MS)    /* and at most */
#define SUPERVISOR_LATE (100 * WAIT_MS)  /* after that the thread is asked where it is: */
#define SUPERVISOR_RUN  (2000 * WAIT_MS) /* it may run inside the call for so long */

static struct {
    struct guardian *guardian;
    pthread_mutex_t receiving; /* of the one thread that waits for the next call */
    pthread_attr_t attributes;
    _Atomic uint32_t idle;     /* threads that receive or wait to */
    _Atomic uint32_t counting; /* calls that were answered, and whose bytes are not counted yet */
    _Atomic bool taken[GUARDIAN_CALLS];          /* places of threads */
    _Atomic uint64_t latest[SUPERVISOR_THREADS]; /* of a thread (upper half): number of its calls */
} supervisor = {.receiving = PTHREAD_MUTEX_INITIALIZER};

/* --- the calls of a thread -------------------------------------------------------------------- */

static _Atomic uint64_t *supervisor_latest(pid_t thread)
{
    return &supervisor.latest[(uint32_t)thread % SUPERVISOR_THREADS];
}

/* Notes a call, by the one thread that receives, and returns the mark of this one. */
static uint64_t supervisor_mark(pid_t thread)
{
    _Atomic uint64_t *latest = supervisor_latest(thread);
    uint64_t mark = (uint64_t)(uint32_t)thread << 32 | (uint32_t)(atomic_load(latest) + 1);
    atomic_store(latest, mark);
    return mark;
}

/* Whether the thread has made another call since. */
static bool supervisor_went_on(pid_t thread, uint64_t mark)
{
    uint64_t now = atomic_load(supervisor_latest(thread));
    return now != mark && now >> 32 == (uint32_t)thread;
}

/* --- a call at the store ---------------------------------------------------------------------- */

static bool supervisor_is_over(const struct notice *notice, uint64_t mark, uint64_t spent)
{
    if (supervisor_went_on(notice->thread, mark))
        return true;
    if (spent < SUPERVISOR_LATE)
        return false;
    enum target_place place = target_where(notice->thread, notice->number);
    return place == TARGET_ELSEWHERE || (place == TARGET_RUNS && spent > SUPERVISOR_RUN);
}

/* Waits for the end of the call, and returns what it moved. The kernel's counts may contain the
 * thread's next call already, so it is not more than what was asked for. */
static size_t supervisor_follow(const struct notice *notice, const struct target_count *before,
                                uint64_t mark)
{
    struct target_count now;
    uint64_t began = wait_now(), nap = SUPERVISOR_NAP;
    bool writes = notice->ends[notice->count - 1].writes, over = false;
    for (;;) {
        if (!target_counts(notice->thread, &now))
            return notice->likely;
        if (now.calls != before->calls || over)
            break;
        /* One more look: the end may have come between the two. */
        over = supervisor_is_over(notice, mark, wait_now() - began);
        if (over)
            continue;
        wait_nap(nap);
        nap = 2 * nap < SUPERVISOR_REST ? 2 * nap : SUPERVISOR_REST;
    }
    uint64_t moved = writes ? now.written - before->written : now.read - before->read;
    return moved < notice->bytes ? (size_t)moved : notice->bytes;
}

/* Lets the call go, and returns what it moved. */
static size_t supervisor_release(const struct notice *notice, size_t place, uint64_t mark)
{
    struct target_count before;
    bool counted = notice->bytes >= SUPERVISOR_LARGE && notice->kind != FILTER_SPLICE &&
                   notice->kind != FILTER_SUBMIT && target_counts(notice->thread, &before);
    atomic_fetch_add(&supervisor.counting, 1);
    if (!guardian_answer(supervisor.guardian, place))
        return 0; /* its thread was killed while it waited */
    return counted ? supervisor_follow(notice, &before, mark) : notice->likely;
}

/* --- threads ---------------------------------------------------------------------------------- */

static void *supervisor_serve(void *context);

/* Starts another thread. False if there cannot be one. */
static bool supervisor_add_thread(void)
{
    pthread_t thread;
    size_t place = 0;
    while (place < GUARDIAN_CALLS && atomic_exchange(&supervisor.taken[place], true))
        place++;
    if (place == GUARDIAN_CALLS)
        return false;
    atomic_fetch_add(&supervisor.idle, 1);
    if (pthread_create(&thread, &supervisor.attributes, supervisor_serve, (void *)place) == 0)
        return true;
    atomic_fetch_sub(&supervisor.idle, 1);
    atomic_store(&supervisor.taken[place], false);
    return false;
}

/* Set in the one thread that receives. */
static _Thread_local bool supervisor_receives;

/* Lets another thread receive, because this one may have to wait. False if there is none: then the
 * call must not wait, or all others would. */
static bool supervisor_hand_over(void)
{
    if (!supervisor_receives)
        return true;
    if (atomic_load(&supervisor.idle) <= 1 && !supervisor_add_thread())
        return false;
    supervisor_receives = false;
    atomic_fetch_sub(&supervisor.idle, 1);
    pthread_mutex_unlock(&supervisor.receiving);
    return true;
}

/* --- pacing ----------------------------------------------------------------------------------- */

/* Whether the call surely ends soon: it owes nothing afterwards, and nothing before it waits
 * without asking (session_ask). */
static bool supervisor_is_quick(const struct notice *notice)
{
    bool quick = notice->bytes < SUPERVISOR_LARGE;
    for (size_t i = 0; i < notice->count && quick; i++)
        quick = !session_counts_operations(session_of(notice->ends[i].channel));
    return quick;
}

/* Both ends of a copy wait before it is made, and both count. */
static void supervisor_pace(const struct notice *notice, size_t place, uint64_t mark)
{
    struct session_call aside;
    bool entered[2] = {false, false};
    for (size_t i = 0; i < notice->count; i++) {
        struct session *session = session_of(notice->ends[i].channel);
        if (i > 0)
            session_set_aside(&aside);
        entered[i] = session_enter(session) || session_counts(session);
        if (!entered[i])
            continue;
        session_operation(session);
        session_acquire(session, notice->likely, true);
    }
    size_t moved = supervisor_release(notice, place, mark);
    for (size_t i = notice->count; i-- > 0;) {
        struct session *session = session_of(notice->ends[i].channel);
        if (entered[i])
            session_moved(session, moved);
        if (i == 0)
            atomic_fetch_sub(&supervisor.counting, 1);
        if (entered[i])
            session_exit(session, 0);
        if (i > 0)
            session_take_back(&aside);
    }
}

static void supervisor_handle(struct notice *notice, size_t place, uint64_t mark)
{
    bool known =
        notice_complete(notice, false) || (supervisor_hand_over() && notice_complete(notice, true));
    bool maps = notice->kind == FILTER_MAP || notice->kind == FILTER_GROW;
    if (known && notice->count > 0 && maps)
        session_escaped(session_get(), notice->bytes);
    else if (known && notice->count > 0 &&
             (supervisor_is_quick(notice) || supervisor_hand_over())) {
        supervisor_pace(notice, place, mark);
        return;
    }
    guardian_answer(supervisor.guardian, place);
}

/* Receives and handles calls while it does not have to wait in one; then, when that is over, waits
 * for its turn, unless enough others do. */
static void *supervisor_serve(void *context)
{
    size_t place = (size_t)context;
    struct notice notice;
    do {
        pthread_mutex_lock(&supervisor.receiving);
        supervisor_receives = true;
        while (supervisor_receives) {
            if (!guardian_receive(supervisor.guardian, place))
                continue;
            notice_init(&notice, &supervisor.guardian->calls->list[place].call);
            supervisor_handle(&notice, place, supervisor_mark(notice.thread));
        }
    } while (atomic_fetch_add(&supervisor.idle, 1) < SUPERVISOR_IDLE);
    atomic_fetch_sub(&supervisor.idle, 1);
    atomic_store(&supervisor.taken[place], false);
    return NULL;
}

static bool supervisor_init(struct guardian *guardian)
{
    supervisor.guardian = guardian;
    stores_init();
    session_supervise();
    for (uint32_t channel = 0; channel < stores_channels(); channel++) {
        session_init(session_of(channel), NULL);
        session_ask(session_of(channel), supervisor_hand_over);
    }
    return pthread_attr_init(&supervisor.attributes) == 0 &&
           pthread_attr_setstacksize(&supervisor.attributes, SUPERVISOR_STACK) == 0 &&
           pthread_attr_setdetachstate(&supervisor.attributes, PTHREAD_CREATE_DETACHED) == 0 &&
           supervisor_add_thread();
}

void supervisor_run(struct guardian *guardian)
{
    if (!supervisor_init(guardian))
        return; /* the guardian lets everything go */
    guardian_keep(guardian);
    uint64_t end = wait_now() + 1000 * WAIT_MS;
    while (atomic_load(&supervisor.counting) > 0 && wait_now() < end)
        wait_nap(WAIT_MS / 5);
    for (uint32_t channel = 0; channel < session_count(); channel++)
        session_detach(session_of(channel));
}

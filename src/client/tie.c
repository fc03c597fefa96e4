#include "client/tie.h"
#include "client/hot.h"
#include "client/kernel.h"
#include "client/link.h"
#include "client/wait.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define ANSWER    (200 * WAIT_MS) /* a new connection waits so long for its answer */
#define QUEUE     (20 * WAIT_MS)  /* and so long for a place among those who connect */
#define RETRY     (200 * WAIT_MS) /* between attempts */
#define GLANCE    (20 * WAIT_MS)  /* between looks at the socket */
#define PATIENCE  (500 * WAIT_MS) /* while another thread attaches */
#define FRESH     (60 * WAIT_MS)  /* a heartbeat of the controller comes every 50 ms */
#define HEARTBEAT (1000 * WAIT_MS)

struct tie_life tie_not_started;

static struct tie_life *life_of(const struct session *session)
{
    return atomic_load_explicit(&session->life, memory_order_acquire);
}

static _Atomic bool tie_silent;

void tie_fall_silent(void)
{
    atomic_store_explicit(&tie_silent, true, memory_order_relaxed);
}

HOT bool tie_is_silent(void)
{
    const struct session *first = session_of(0); /* where the controller looks at processes */
    uint32_t slot = atomic_load_explicit(&first->slot, memory_order_relaxed);
    if (__builtin_expect(first->grant && page_forbids(first->grant, slot), 0))
        tie_fall_silent();
    return atomic_load_explicit(&tie_silent, memory_order_relaxed);
}

static int own_socket(struct session *session)
{
    int fd = atomic_load(&session->socket);
    return fd >= 0 && link_inode(fd) == atomic_load(&session->inode) ? fd : -1;
}

/* While a thread uses the socket no other closes it: its number could be a file of the program's
 * by the time it is used. */
static int use_socket(struct session *session, struct tie_life *life)
{
    atomic_fetch_add(&life->users, 1);
    return own_socket(session);
}

static void leave_socket(struct tie_life *life)
{
    if (atomic_fetch_sub(&life->users, 1) == 1)
        link_close(atomic_exchange(&life->doomed, 0) - 1);
}

/* --- birth, and fork -------------------------------------------------------------------------- */

/* The child must not keep its parent's connection alive: the controller could not see it end. */
static void forget_parent(void)
{
    int fault = errno;
    for (uint32_t channel = 0; channel < session_count() && !tie_is_silent(); channel++) {
        struct session *session = session_of(channel);
        int fd = own_socket(session);
        atomic_store(&session->socket, -1);
        link_close(fd);
    }
    errno = fault;
}

void tie_own(struct session *session)
{
    struct tie_life *life = life_of(session);
    if (atomic_exchange(&life->own, 1) == 0)
        atomic_store(&session->begun, 0);
}

static struct tie_life *map_life(struct session *session)
{
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    size_t grant = (PAGE_GRANT_BYTES + size - 1) / size * size;
    size_t usage = (PAGE_USAGE_BYTES + size - 1) / size * size;
    size_t all = size + grant + usage;
    void *pages = NULL;
    if (kernel_map(&pages, NULL, all, PROT_READ | PROT_WRITE, -1) != 0)
        return NULL;
    if (kernel_wipe_on_fork(pages, size) != 0) {
        kernel_unmap(pages, all);
        return NULL;
    }
    session->grant = (struct grant_page *)((char *)pages + size);
    session->usage = (struct usage_page *)((char *)pages + size + grant);
    return pages;
}

/* What pthread_atfork calls: glibc's own, so a library that refers to it weakly loads elsewhere. */
extern int __register_atfork(void (*before)(void), void (*parent)(void), void (*child)(void),
                             void *library) __attribute__((weak));
extern void *__dso_handle __attribute__((visibility("hidden")));

bool tie_watch_forks(void)
{
    static _Atomic bool watched;
    if (atomic_exchange(&watched, true))
        return true;
    bool known =
        __register_atfork && __register_atfork(NULL, NULL, forget_parent, __dso_handle) == 0;
    if (!known)
        atomic_store(&watched, false);
    return known;
}

void tie_start(struct session *session)
{
    struct tie_life *life = map_life(session);
    if (life)
        atomic_store_explicit(&session->life, life, memory_order_release);
}

/* --- the socket ------------------------------------------------------------------------------- */

/* Sending and looking are points where a thread can be cancelled; it would stay busy for ever. */
static int forbid_cancelling(void)
{
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return before;
}

static void allow_cancelling(int before)
{
    pthread_setcancelstate(before, NULL);
}

/* While a thread ties or cuts, no handler may run, nor may it jump away or be cancelled: what it
 * has claimed would never be free again. */
struct blocked {
    uint64_t signals; /* as the kernel has them: libc's set takes 128 bytes of stack */
    int cancelling;
};

/* Sets the thread's mask, and stores the one before unless that is NULL. */
static void tie_mask(const uint64_t *signals, uint64_t *before)
{
    KERNEL_CALL(SYS_rt_sigprocmask, SIG_SETMASK, (long)signals, (long)before, sizeof *signals);
}

static struct blocked block_interruptions(void)
{
    enum { INTERNAL = 32 }; /* this signal and the next are libc's, which waits for their effect */
    struct blocked before;
    const uint64_t all = ~(UINT64_C(3) << (INTERNAL - 1));
    tie_mask(&all, &before.signals);
    before.cancelling = forbid_cancelling();
    return before;
}

static void unblock_interruptions(const struct blocked *before)
{
    allow_cancelling(before->cancelling);
    tie_mask(&before->signals, NULL);
}

bool tie_send(struct session *session, const struct wire_message *message, uint64_t limit)
{
    struct tie_life *life = life_of(session);
    if (tie_is_silent())
        return false;
    int fault = errno, cancelling = forbid_cancelling();
    int fd = use_socket(session, life);
    bool sent = fd >= 0 && link_send_within(fd, message, limit) == 0;
    leave_socket(life);
    allow_cancelling(cancelling);
    errno = fault;
    return sent;
}

void tie_announce(struct session *session)
{
    uint32_t phase = atomic_load(&session->usage->phase);
    if (phase == PHASE_OPEN || tie_is_silent() ||
        !atomic_compare_exchange_strong(&session->usage->phase, &phase, PHASE_OPEN))
        return;
    static const struct wire_message message = {.type = WIRE_POST};
    tie_send(session, &message, 0);
}

void tie_drop(struct session *session)
{
    struct tie_life *life = life_of(session);
    if (tie_is_silent())
        return;
    int fault = errno;
    uint64_t nobody = 0;
    struct blocked before = block_interruptions();
    if (atomic_compare_exchange_strong(&life->attaching, &nobody, wait_now())) {
        atomic_store(&life->attached, 0);
        atomic_store(&life->asked, 0);
        link_shut(use_socket(session, life));
        leave_socket(life);
        atomic_store(&life->attaching, 0);
    }
    unblock_interruptions(&before);
    errno = fault;
}

static bool tie_look(struct session *session)
{
    struct tie_life *life = life_of(session);
    int fault = errno, cancelling = forbid_cancelling();
    int fd = use_socket(session, life);
    bool alive = fd >= 0 && link_is_alive(fd);
    leave_socket(life);
    allow_cancelling(cancelling);
    errno = fault;
    return alive;
}

static uint64_t beat_of(const struct session *session)
{
    return atomic_load_explicit(&session->grant->beat, memory_order_relaxed);
}

/* Of two times that may be of different clocks. */
static bool is_before(uint64_t a, uint64_t b)
{
    return (int64_t)(a - b) < 0;
}

bool tie_check(struct session *session, uint32_t number, uint64_t now)
{
    struct tie_life *life = life_of(session);
    if (atomic_load_explicit(&life->attached, memory_order_acquire) != number || tie_is_silent())
        return false;
    /* While it beats, the socket tells nothing more, and costs two system calls. */
    bool beats =
        !is_before(beat_of(session), now - FRESH) && is_before(beat_of(session), now + FRESH);
    uint64_t looked = atomic_load_explicit(&life->looked, memory_order_relaxed);
    if (!beats && (int64_t)(now - looked) >= (int64_t)GLANCE &&
        atomic_compare_exchange_strong(&life->looked, &looked, now) && !tie_look(session)) {
        tie_drop(session);
        return false;
    }
    /* In a time namespace this clock is not the controller's: neither its beat nor its grants mean
     * anything, and waiting for them would not end. */
    return !is_before(beat_of(session), now - HEARTBEAT) &&
           !is_before(now + HEARTBEAT, beat_of(session));
}

void tie_cut(struct session *session)
{
    struct tie_life *life = life_of(session);
    if (tie_is_silent())
        return;
    int fault = errno, cancelling = forbid_cancelling();
    int fd = use_socket(session, life);
    tie_drop(session);
    if (fd >= 0 && atomic_compare_exchange_strong(&session->socket, &fd, -1))
        atomic_store(&life->doomed, fd + 1);
    leave_socket(life);
    allow_cancelling(cancelling);
    errno = fault;
}

/* --- attaching -------------------------------------------------------------------------------- */

/* Sends ATTACH on a new connection. False if there is no controller. */
static bool tie_ask(struct session *session)
{
    struct tie_life *life = life_of(session);
    struct wire_message *message = &session->letter.message;
    message->type = WIRE_ATTACH;
    message->attach = session->identity->attach;
    message->attach.channel = session->channel;
    int fd = link_connect(session->identity->socket, QUEUE);
    uint64_t asked = wait_now();
    if (fd < 0)
        return false;
    if (link_send_letter(fd, &session->letter) != 0) {
        link_close(fd);
        return false;
    }
    fd = link_place(fd, own_socket(session));
    atomic_store(&session->inode, link_inode(fd));
    atomic_store(&session->socket, fd);
    atomic_store(&life->asked, asked);
    return true;
}

/* A new controller hears of the explicit I/Os under way, and of what is left of them. */
static void say_begun(struct session *session)
{
    struct wire_message *message = &session->letter.message;
    uint32_t begun = atomic_load(&session->begun);
    double left = atomic_load(&session->volume) - (double)atomic_load(&session->moved);
    for (uint32_t i = 0; i < begun; i++) {
        message->type = WIRE_POST;
        message->post = (struct wire_post){.volume = i == 0 && left > 0 ? left : 0, .begun = 1};
        atomic_store(&session->usage->phase, PHASE_OPEN);
        tie_send(session, message, 0);
    }
}

/* The controller shows it. The connection stays until the next attempt, or the end. */
static void say_failed(struct session *session, enum wire_failure why)
{
    struct wire_message *message = &session->letter.message;
    message->type = WIRE_FAILED;
    message->failed = (struct wire_failed){.why = why};
    tie_send(session, message, 0);
}

/* Ties so far, of all channels. */
static _Atomic uint32_t ties;

/* Whether the clock is another one. The controller beats after it was asked, and that beat, or a
 * later one, has been. */
static bool tie_is_displaced(const struct session *session, uint64_t asked)
{
    uint64_t now = wait_now();
    return is_before(beat_of(session), asked - HEARTBEAT) ||
           is_before(now + HEARTBEAT, beat_of(session));
}

bool tie_shares(const struct session *session)
{
    return atomic_load(&life_of(session)->tied) && atomic_load(&session->grant->counter) != 0;
}

void tie_miss(struct session *session, uint64_t bytes)
{
    struct tie_life *life = life_of(session);
    if (tie_shares(session))
        atomic_fetch_add(&session->usage->slots[atomic_load(&session->slot)].moved, bytes);
    else if (life != &tie_not_started)
        atomic_fetch_add_explicit(&life->missed, bytes, memory_order_relaxed);
}

/* The bytes that the kernel has counted for this process, which it was started with included; 0 =
 * not known. */
static uint64_t tie_counted(void)
{
    char text[256];
    long fd = KERNEL_CALL(SYS_openat, AT_FDCWD, (long)"/proc/self/io", O_RDONLY | O_CLOEXEC);
    long length = fd < 0 ? 0 : KERNEL_CALL(SYS_read, fd, (long)text, sizeof text - 1);
    if (fd >= 0)
        KERNEL_CALL(SYS_close, fd);
    text[length > 0 ? length : 0] = '\0';
    const char *written = strstr(text, "\nwchar: ");
    if (strncmp(text, "rchar: ", 7) != 0 || !written)
        return 0;
    return strtoull(text + 7, NULL, 10) + strtoull(written + 8, NULL, 10);
}

static void tie_begin_count(struct page_slot *slot)
{
    uint64_t counted = tie_counted(), passed = atomic_load(&slot->passed);
    if (counted > 0)
        passed = (counted - atomic_load(&slot->moved)) | PAGE_LIKE_KERNEL;
    else
        passed &= ~PAGE_LIKE_KERNEL; /* of the process before */
    atomic_store(&slot->passed, passed);
}

static bool tie_settle(struct session *session, const struct wire_welcome *welcome,
                       const int pages[2], uint64_t asked)
{
    struct tie_life *life = life_of(session);
    uint64_t left = 0; /* in the pages before, which a child has from its parent */
    int fault =
        link_map(pages, session->grant, session->usage, atomic_load(&life->tied) ? &left : NULL);
    atomic_fetch_add(&life->missed, left);
    if (fault != 0) {
        say_failed(session, fault == -EINVAL ? WIRE_FAILED_PAGES : WIRE_FAILED_MAPPING);
        return false;
    }
    atomic_store(&session->slot, welcome->slot);
    struct page_slot *slot = &session->usage->slots[welcome->slot];
    atomic_store(&slot->pid, (uint32_t)getpid());
    atomic_fetch_add(&slot->moved, atomic_exchange(&life->missed, 0));
    atomic_store(&life->tied, true);
    if (session->channel == 0) /* where all that a process does is known */
        tie_begin_count(slot);
    if (session->supervises)
        atomic_store(&session->usage->supervisor, welcome->slot + 1);
    atomic_store(&life->looked, wait_now());
    uint32_t number = atomic_fetch_add(&ties, 1) + 1;
    atomic_store_explicit(&life->attached, number, memory_order_release);
    bool displaced = tie_is_displaced(session, asked);
    atomic_store(&session->displaced, displaced);
    if (displaced) /* tie_check lets it run */
        say_failed(session, WIRE_FAILED_CLOCK);
    say_begun(session);
    return true;
}

/* What comes of it; also when to try again. */
static void client_tie_attach(struct session *session)
{
    struct tie_life *life = life_of(session);
    int pages[2] = {-1, -1}, fd = use_socket(session, life);
    uint64_t limit = 0;
    enum link_result result = LINK_GONE;
    tie_own(session);
    if (!atomic_load(&life->asked) && tie_ask(session)) {
        fd = own_socket(session);
        limit = ANSWER;
    }
    if (atomic_load(&life->asked) && fd >= 0)
        result = link_receive_letter(fd, &session->letter, pages, limit);
    leave_socket(life);
    uint64_t asked = atomic_load(&life->asked);
    if (result != LINK_LATER)
        atomic_store(&life->asked, 0);
    const struct wire_message *answer = &session->letter.message;
    if (result != LINK_MESSAGE || answer->type != WIRE_WELCOME ||
        !tie_settle(session, &answer->welcome, pages, asked))
        atomic_store(&life->next, wait_now() + (result == LINK_LATER ? GLANCE : RETRY));
    link_close_pages(pages);
}

/* Set in the thread that attaches, should something that it calls be controlled. */
static _Thread_local bool inside __attribute__((tls_model("initial-exec")));

/* Attaches, unless another thread is about it: then returns since when. */
static uint64_t attach_undisturbed(struct session *session)
{
    struct tie_life *life = life_of(session);
    uint64_t since = 0;
    struct blocked before = block_interruptions();
    inside = true;
    if (atomic_compare_exchange_strong(&life->attaching, &since, wait_now())) {
        if (tie_held(session) == 0)
            client_tie_attach(session);
        atomic_store(&life->attaching, 0);
    }
    inside = false;
    unblock_interruptions(&before);
    return since;
}

uint32_t tie_attach(struct session *session)
{
    struct tie_life *life = life_of(session);
    if (life == &tie_not_started || inside || tie_is_silent())
        return 0;
    if (atomic_load_explicit(&life->next, memory_order_relaxed) > wait_now_coarse())
        return tie_held(session);
    int fault = errno;
    if (session->channel > 0 && tie_held(session_get()) == 0)
        tie_attach(session_get());
    uint64_t since = attach_undisturbed(session);
    while (since > 0 && atomic_load(&life->attaching) == since && wait_now() - since < PATIENCE)
        wait_nap(WAIT_MS / 5);
    errno = fault;
    return tie_held(session);
}

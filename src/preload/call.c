#include "preload/call.h"
#include "client/hot.h"
#include "client/kernel.h"
#include "client/session.h"
#include "client/tie.h"
#include "preload/descriptor.h"
#include "preload/exec.h"
#include "preload/memory.h"
#include "preload/place.h"
#include "preload/real.h"
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

/* The current call. */
struct hooked_call {
    struct session *session;        /* its session; NULL = there is no call */
    const struct wire_terms *terms; /* of its store */
    int fd;
    bool stale; /* the descriptor is not on the store after all */
};

static _Thread_local struct {
    bool inside;   /* a call, or the session */
    bool known;    /* to `ending` */
    size_t passed; /* bytes of uncontrolled calls since a descriptor was checked again */
    struct hooked_call call;
    struct hooked_call aside; /* the one set aside meanwhile, */
    struct session_call rest;
} thread __attribute__((tls_model("initial-exec")));

enum { SMALL = 16384, RECHECK = 1 << 20 };
enum { NEW, STARTING, STARTED, SEALED };
static _Atomic int state;
static _Atomic pid_t *owner; /* of this memory; a fork makes it 0 */
static pthread_key_t ending; /* runs when a thread ends, cancelled in the middle of a call too */
enum { KEPT_KEYS = 32 };     /* whose values glibc keeps in the thread: for others it allocates */
static bool has_ending;
static int (*create_key)(pthread_key_t *key, void (*end)(void *));
static int (*set_value)(pthread_key_t key, const void *value);
static const char *single_threaded; /* __libc_single_threaded; NULL = libc does not have it */

/* --- start ------------------------------------------------------------------------------------ */

static void end_thread(void *unused)
{
    (void)unused;
    call_abandon();
}

/* What is known of the descriptor may be outdated. No call begins an I/O, or waits, for one that is
 * something else by now. */
static bool may_wait(void)
{
    thread.call.stale = !descriptor_confirm(thread.call.fd);
    return !thread.call.stale;
}

/* An older libc has its threads in a library of its own, which a program without threads does not
 * load. */
static void watch_threads(void)
{
    *(void **)&create_key = real_symbol("pthread_key_create");
    *(void **)&set_value = real_symbol("pthread_setspecific");
    has_ending =
        create_key && set_value && create_key(&ending, end_thread) == 0 && ending < KEPT_KEYS;
    single_threaded = real_symbol("__libc_single_threaded");
    session_watch_threads(single_threaded);
}

static void call_start(void)
{
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    void *page = NULL;
    if (kernel_map(&page, NULL, size, PROT_READ | PROT_WRITE, -1) == 0 &&
        kernel_wipe_on_fork(page, size) == 0)
        owner = page;
    else
        kernel_unmap(page, size);
    watch_threads();
    if (!real_is_glibc())
        return;
    place_init();
    for (uint32_t channel = 0; channel < place_channels(); channel++) {
        session_init(session_of(channel), NULL);
        session_ask(session_of(channel), may_wait);
    }
}

/* The controller has seen, or the kernel shown, that the program forbids itself system calls. It
 * did so by instructions of its own, or the hooks would have known before. */
static void call_fall_silent(void)
{
    int seen = STARTED;
    if (!atomic_compare_exchange_strong(&state, &seen, SEALED))
        return;
    for (uint32_t channel = 0; channel < session_count(); channel++)
        session_fall_silent(session_of(channel));
    descriptor_forget_range(0, DESCRIPTORS);
    exec_hide();
}

bool call_ready(void)
{
    if (atomic_load_explicit(&state, memory_order_acquire) == STARTED && !call_sealed())
        return true;
    int fault = errno, seen = NEW;
    if (atomic_compare_exchange_strong(&state, &seen, STARTING)) {
        call_start();
        atomic_store_explicit(&state, STARTED, memory_order_release);
    }
    errno = fault;
    return atomic_load_explicit(&state, memory_order_acquire) == STARTED;
}

/* Before the program can change its environment. libc may allocate for what it is told here; a hook
 * that ran earlier, and started everything else, may have been called by an allocator. */
__attribute__((constructor)) static void start_early(void)
{
    call_ready();
    tie_watch_forks();
}

bool call_in_own_memory(void)
{
    if (!owner || call_sealed())
        return false;
    pid_t none = 0, self = getpid();
    return atomic_compare_exchange_strong(owner, &none, self) || none == self;
}

/* libc does not notice when the last other thread is gone, or, in a child, all of them. */
bool call_in_only_thread(void)
{
    struct stat tasks;
    int fault = errno;
    if (call_sealed())
        return false;
    bool only = (single_threaded && *single_threaded) ||
                (real()->stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink == 2 + 1);
    errno = fault;
    return only;
}

bool call_sealed(void)
{
    if (tie_is_silent())
        call_fall_silent();
    return atomic_load_explicit(&state, memory_order_relaxed) == SEALED;
}

bool call_seal(void)
{
    int seen = STARTED;
    if (!call_in_own_memory() || !atomic_compare_exchange_strong(&state, &seen, SEALED))
        return false;
    for (uint32_t channel = 0; channel < session_count(); channel++)
        session_give_up(session_of(channel));
    descriptor_forget_range(0, DESCRIPTORS);
    return true;
}

void call_unseal(void)
{
    for (uint32_t channel = 0; channel < session_count(); channel++)
        session_resume(session_of(channel));
    atomic_store(&state, STARTED);
}

bool call_make_room(void)
{
    bool made = false;
    if (errno != EMFILE || thread.inside || !call_in_own_memory())
        return false;
    for (uint32_t channel = 0; channel < session_count(); channel++)
        made |= session_make_room(session_of(channel));
    return made;
}

/* --- a call ----------------------------------------------------------------------------------- */

static bool lock(void)
{
    if (thread.inside)
        return false;
    thread.inside = true;
    return true;
}

static void note_thread(void)
{
    thread.known = true;
    if (has_ending)
        set_value(ending, &thread);
}

static uint32_t channel_of(const struct wire_terms *terms, enum call_way way)
{
    return way == CALL_WRITES ? terms->writes : terms->reads;
}

uint32_t call_channel(int fd, enum call_way way)
{
    return channel_of(place_terms(descriptor_store(fd)), way);
}

bool call_of_one_channel(int in, int out)
{
    return call_channel(in, CALL_READS) == call_channel(out, CALL_WRITES);
}

HOT bool call_begin(int fd, enum call_way way)
{
    if (__builtin_expect(tie_is_silent(), 0)) {
        call_fall_silent();
        return false;
    }
    if (!lock())
        return false;
    const struct wire_terms *terms = place_terms(descriptor_store(fd));
    struct session *session = session_of(channel_of(terms, way));
    if (__builtin_expect(!thread.known, 0))
        note_thread();
    if (session_rests(session) && !descriptor_confirm(fd)) {
        thread.inside = false;
        return false;
    }
    if (!session_enter(session) && !session_counts(session)) {
        thread.inside = false;
        return false;
    }
    thread.call = (struct hooked_call){.session = session, .terms = terms, .fd = fd};
    session_operation(session);
    return true;
}

HOT size_t call_take(size_t bytes, bool whole)
{
    if (bytes > SSIZE_MAX) /* the kernel refuses it */
        return bytes;
    return session_acquire(thread.call.session, bytes < CALL_MOST ? bytes : CALL_MOST, whole);
}

void call_moved(size_t bytes)
{
    if (thread.call.stale)
        call_passed((ssize_t)bytes);
    else
        session_moved(thread.call.session, bytes);
}

HOT void call_end(ssize_t moved)
{
    /* A signal handler that jumped within itself has ended the call already. */
    if (!thread.inside)
        return;
    session_exit(thread.call.session, moved > 0 && !thread.call.stale ? (size_t)moved : 0);
    if (thread.call.stale)
        call_passed(moved);
    thread.inside = false;
}

HOT void call_passed(ssize_t moved)
{
    if (moved > 0)
        session_passed(session_get(), (uint64_t)moved);
}

HOT void call_passed_by(int fd, ssize_t moved)
{
    if (moved <= 0)
        return;
    call_passed(moved);
    thread.passed += (size_t)moved;
    if (__builtin_expect(thread.passed >= RECHECK, 0)) {
        thread.passed = 0;
        descriptor_recheck(fd);
    }
}

void call_abandon(void)
{
    if (thread.inside && thread.call.session)
        session_abandon(thread.call.session);
    if (thread.aside.session) {
        call_take_back();
        session_abandon(thread.call.session);
    }
    thread.inside = false;
}

size_t call_left(int fd, off64_t at)
{
    struct place_file file;
    if (tie_is_silent() || !place_look(fd, true, &file))
        return SIZE_MAX;
    if (at < 0)
        at = KERNEL_CALL(SYS_lseek, fd, 0, SEEK_CUR);
    return at < file.size ? (size_t)(file.size - at) : 0;
}

size_t call_pieces(size_t usual)
{
    if (!session_limited(thread.call.session))
        return 0;
    return thread.call.terms->pieces > 0 ? (size_t)thread.call.terms->pieces : usual;
}

void call_set_aside(void)
{
    session_set_aside(&thread.rest);
    thread.aside = thread.call;
    thread.inside = false;
}

void call_take_back(void)
{
    session_take_back(&thread.rest);
    thread.call = thread.aside;
    thread.aside = (struct hooked_call){0};
    thread.inside = true;
}

HOT bool call_whole(int fd, size_t bytes, off64_t at, enum call_way way)
{
    if (!call_begin(fd, way))
        return false;
    /* For a small read the rest of the file is not worth a system call. */
    if (way == CALL_READS && bytes > SMALL && session_limited(thread.call.session)) {
        size_t left = call_left(fd, at);
        bytes = bytes < left ? bytes : left;
    }
    call_take(bytes, true);
    return true;
}

/* --- what is no transfer ---------------------------------------------------------------------- */

void call_operation(int store)
{
    if (!lock())
        return;
    thread.call.session = NULL; /* a jump would not leave it */
    session_operation(session_of(place_terms(store)->reads));
    thread.inside = false;
}

int call_store(int dir, const char *path)
{
    return call_ready() && memory_has_text(path) ? place_of_path(dir, path) : -1;
}

/* Whether a path may need a look. */
static bool operations_count(void)
{
    bool any = false;
    for (uint32_t channel = 0; channel < session_count() && !any; channel++)
        any = session_counts_operations(session_of(channel));
    return any;
}

void call_operation_at(int dir, const char *path)
{
    int store = call_ready() && operations_count() ? call_store(dir, path) : -1;
    if (store >= 0)
        call_operation(store);
}

void call_closed(int store)
{
    const struct wire_terms *terms = place_terms(store);
    session_closed(session_of(terms->reads));
    if (terms->writes != terms->reads)
        session_closed(session_of(terms->writes));
}

void call_escaped(size_t bytes)
{
    if (!lock())
        return;
    thread.call.session = NULL;
    session_escaped(session_get(), bytes);
    thread.inside = false;
}

#include "preload/call.h"
#include "client/kernel.h"
#include "client/session.h"
#include "preload/descriptor.h"
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

static _Thread_local struct {
    bool inside; /* a call, or the session */
    bool known;  /* to `ending` */
    bool stale;  /* the descriptor of the call under way is not on the store after all */
    int fd;      /* of the call under way */
} thread __attribute__((tls_model("initial-exec")));

enum { SMALL = 16384 };
enum { NEW, STARTING, STARTED, SEALED };
static _Atomic int state;
static _Atomic pid_t *owner; /* of this memory; a fork makes it 0 */
static pthread_key_t ending; /* runs when a thread ends, cancelled in the middle of a call too */
static bool has_ending;
static int (*create_key)(pthread_key_t *key, void (*end)(void *));
static int (*set_value)(pthread_key_t key, const void *value);
static const char *single_threaded; /* libc's word for it; NULL = it has none */

/* --- start ------------------------------------------------------------------------------------ */

static void end_thread(void *unused)
{
    (void)unused;
    call_abandon();
}

/* What the descriptor was may be long ago. Nobody begins an I/O or waits for one that is something
 * else by now. */
static bool may_wait(void)
{
    thread.stale = !descriptor_recheck(thread.fd);
    return !thread.stale;
}

/* An older libc has its threads in a library of its own, which a program without threads does not
 * load. */
static void watch_threads(void)
{
    *(void **)&create_key = real_symbol("pthread_key_create");
    *(void **)&set_value = real_symbol("pthread_setspecific");
    has_ending = create_key && set_value && create_key(&ending, end_thread) == 0;
    single_threaded = real_symbol("__libc_single_threaded");
    session_watch_threads(single_threaded);
}

static void start(void)
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
    session_init(session_get(), NULL);
    session_ask(session_get(), may_wait);
}

bool call_ready(void)
{
    if (atomic_load_explicit(&state, memory_order_acquire) == STARTED)
        return true;
    int fault = errno, seen = NEW;
    if (atomic_compare_exchange_strong(&state, &seen, STARTING)) {
        start();
        atomic_store_explicit(&state, STARTED, memory_order_release);
    }
    errno = fault;
    return atomic_load_explicit(&state, memory_order_acquire) == STARTED;
}

/* Before the program can change its environment. */
__attribute__((constructor)) static void start_early(void)
{
    call_ready();
}

bool call_in_own_memory(void)
{
    if (!owner || call_sealed())
        return false;
    pid_t none = 0, self = getpid();
    return atomic_compare_exchange_strong(owner, &none, self) || none == self;
}

/* libc does not notice when the last other thread, or in a child all of them, have gone. */
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
    return atomic_load_explicit(&state, memory_order_relaxed) == SEALED;
}

bool call_seal(void)
{
    int seen = STARTED;
    if (!call_in_own_memory() || !atomic_compare_exchange_strong(&state, &seen, SEALED))
        return false;
    session_give_up(session_get());
    descriptor_forget_range(0, DESCRIPTORS);
    return true;
}

void call_unseal(void)
{
    session_resume(session_get());
    atomic_store(&state, STARTED);
}

bool call_make_room(void)
{
    return errno == EMFILE && !thread.inside && call_in_own_memory() &&
           session_make_room(session_get());
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

bool call_begin(int fd)
{
    struct session *session = session_get();
    if (!lock())
        return false;
    if (__builtin_expect(!thread.known, 0))
        note_thread();
    if (session_rests(session) && !descriptor_recheck(fd)) {
        thread.inside = false;
        return false;
    }
    session_enter(session);
    thread.fd = fd;
    thread.stale = false;
    if (!session_controlled(session)) {
        call_end(0);
        return false;
    }
    session_operation(session);
    return true;
}

size_t call_take(size_t bytes, bool whole)
{
    if (bytes > SSIZE_MAX) /* the kernel refuses it */
        return bytes;
    return session_acquire(session_get(), bytes < CALL_MOST ? bytes : CALL_MOST, whole);
}

void call_moved(size_t bytes)
{
    if (thread.stale)
        call_passed((ssize_t)bytes);
    else
        session_moved(session_get(), bytes);
}

void call_end(ssize_t moved)
{
    /* A signal handler that jumped somewhere within itself has ended the call already. */
    if (!thread.inside)
        return;
    session_exit(session_get(), moved > 0 && !thread.stale ? (size_t)moved : 0);
    if (thread.stale)
        call_passed(moved);
    thread.inside = false;
}

void call_passed(ssize_t moved)
{
    if (moved > 0)
        session_passed(session_get(), (uint64_t)moved);
}

void call_abandon(void)
{
    if (!thread.inside)
        return;
    session_abandon(session_get());
    thread.inside = false;
}

size_t call_left(int fd, off64_t at)
{
    int fault = errno;
    struct stat status;
    size_t left = SIZE_MAX;
    if (real()->fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
        if (at < 0)
            at = lseek(fd, 0, SEEK_CUR);
        left = at < status.st_size ? (size_t)(status.st_size - at) : 0;
    }
    errno = fault;
    return left;
}

bool call_whole(int fd, size_t bytes, off64_t at, bool reading)
{
    if (!call_begin(fd))
        return false;
    /* Of a small one the rest of the file is not worth a system call. */
    if (reading && bytes > SMALL && session_limited(session_get())) {
        size_t left = call_left(fd, at);
        bytes = bytes < left ? bytes : left;
    }
    call_take(bytes, true);
    return true;
}

/* --- what is no transfer ---------------------------------------------------------------------- */

void call_operation(void)
{
    if (!lock())
        return;
    session_operation(session_get());
    thread.inside = false;
}

bool call_on_store(int dir, const char *path)
{
    return call_ready() && memory_has_text(path) && place_of_path(dir, path) >= 0;
}

void call_operation_at(int dir, const char *path)
{
    if (call_ready() && session_counts_operations(session_get()) && call_on_store(dir, path))
        call_operation();
}

void call_closed(void)
{
    session_closed(session_get());
}

void call_escaped(size_t bytes)
{
    if (!lock())
        return;
    session_escaped(session_get(), bytes);
    thread.inside = false;
}

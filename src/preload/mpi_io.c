#include "preload/mpi_io.h"
#include "client/session.h"
#include "preload/place.h"
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>

/* What does not fit is not announced: then its phases are recognised from its calls, as those of
 * any other program. */
enum { FILES = 256, REQUESTS = 4096 };

/* A file that is open, on a store. A handle of 0 is a free place, CLAIMED one that is being filled.
 */
struct mpi_file {
    _Atomic mpi_handle handle;
    _Atomic int store;
    _Atomic(struct session *) split; /* of the split collective call under way; NULL = none */
};

struct mpi_request {
    _Atomic mpi_handle handle;
    _Atomic(struct session *) session;
    _Atomic mpi_handle file;
    _Atomic(const void *) place; /* where the program keeps it while it waits for it */
};

#define CLAIMED ((mpi_handle)-1)

static struct mpi_file files[FILES];
static struct mpi_request requests[REQUESTS];
static _Atomic uint32_t under_way; /* requests: without any, completions cost next to nothing */
static _Atomic uint32_t highest;   /* place of a request so far, and 1 */
static _Thread_local bool inside __attribute__((tls_model("initial-exec")));

bool mpi_io_enter(void)
{
    if (inside)
        return false;
    inside = true;
    return true;
}

void mpi_io_leave(void)
{
    inside = false;
}

bool mpi_io_inside(void)
{
    return inside;
}

/* --- files ------------------------------------------------------------------------------------ */

static struct mpi_file *file_of(mpi_handle handle)
{
    for (size_t i = 0; handle != 0 && i < FILES; i++)
        if (atomic_load_explicit(&files[i].handle, memory_order_acquire) == handle)
            return &files[i];
    return NULL;
}

/* A path may begin with the name of a file system and a colon, "ufs:/scratch/a". */
static const char *without_prefix(const char *path)
{
    size_t length = strcspn(path, ":/");
    return length > 1 && path[length] == ':' ? path + length + 1 : path;
}

void mpi_io_opened(mpi_handle handle, const char *path)
{
    mpi_io_closed(handle); /* should its close have gone unseen */
    int store = handle != 0 && !call_sealed() ? call_store(AT_FDCWD, without_prefix(path)) : -1;
    for (size_t i = 0; store >= 0 && i < FILES; i++) {
        mpi_handle none = 0;
        if (!atomic_compare_exchange_strong(&files[i].handle, &none, CLAIMED))
            continue;
        atomic_store(&files[i].store, store);
        atomic_store(&files[i].split, NULL);
        atomic_store_explicit(&files[i].handle, handle, memory_order_release);
        return;
    }
}

/* --- what is under way ------------------------------------------------------------------------ */

static void end_session(struct session *session)
{
    int fault = errno;
    if (session && !call_sealed())
        session_end(session);
    errno = fault;
}

struct mpi_io mpi_io_begin(mpi_handle handle, double bytes, enum call_way way)
{
    struct mpi_io io = {.file = handle, .outer = mpi_io_enter()};
    const struct mpi_file *file = io.outer ? file_of(handle) : NULL;
    int fault = errno;
    if (file && call_ready()) {
        const struct wire_terms *terms = place_terms(atomic_load(&file->store));
        io.session = session_of(way == CALL_WRITES ? terms->writes : terms->reads);
        session_begin(io.session, bytes);
    }
    errno = fault;
    return io;
}

static void leave_io(const struct mpi_io *io)
{
    if (io->outer)
        mpi_io_leave();
}

void mpi_io_end(const struct mpi_io *io)
{
    end_session(io->session);
    leave_io(io);
}

static bool keep_request(const struct mpi_io *io, mpi_handle handle)
{
    for (uint32_t i = 0; i < REQUESTS; i++) {
        mpi_handle none = 0;
        if (!atomic_compare_exchange_strong(&requests[i].handle, &none, CLAIMED))
            continue;
        uint32_t seen = atomic_load(&highest);
        while (seen <= i && !atomic_compare_exchange_weak(&highest, &seen, i + 1))
            continue;
        atomic_store(&requests[i].session, io->session);
        atomic_store(&requests[i].file, io->file);
        atomic_store(&requests[i].place, NULL);
        atomic_fetch_add(&under_way, 1);
        atomic_store_explicit(&requests[i].handle, handle, memory_order_release);
        return true;
    }
    return false;
}

void mpi_io_request(const struct mpi_io *io, bool failed, mpi_handle request)
{
    if (io->session && (failed || request == 0 || !keep_request(io, request)))
        end_session(io->session);
    leave_io(io);
}

static void end_request(struct mpi_request *request, mpi_handle handle)
{
    if (handle == 0 || handle == CLAIMED ||
        !atomic_compare_exchange_strong(&request->handle, &handle, CLAIMED))
        return;
    struct session *session = atomic_load(&request->session);
    atomic_store(&request->file, 0);
    atomic_store_explicit(&request->handle, 0, memory_order_release);
    atomic_fetch_sub(&under_way, 1);
    end_session(session);
}

mpi_handle mpi_io_handle(const void *place, size_t size)
{
    mpi_handle handle = 0; /* the processors that we know are little-endian */
    memcpy(&handle, place, size);
    return handle;
}

/* Where it stands in the list, or NULL. */
static const char *find_place(mpi_handle handle, const char *list, long count, size_t stride)
{
    for (long i = 0; i < count; i++)
        if (mpi_io_handle(list + (size_t)i * stride, stride) == handle)
            return list + (size_t)i * stride;
    return NULL;
}

bool mpi_io_waits(const void *list, long count, size_t stride)
{
    bool any = false;
    if (atomic_load_explicit(&under_way, memory_order_relaxed) == 0 || !list || !mpi_io_enter())
        return false;
    uint32_t end = atomic_load(&highest);
    for (uint32_t i = 0; i < end; i++) {
        mpi_handle handle = atomic_load_explicit(&requests[i].handle, memory_order_acquire);
        bool waits = handle != 0 && handle != CLAIMED;
        const char *place = waits ? find_place(handle, list, count, stride) : NULL;
        if (place)
            atomic_store(&requests[i].place, place);
        any |= place != NULL;
    }
    if (!any)
        mpi_io_leave();
    return any;
}

void mpi_io_waited(const void *list, long count, size_t stride)
{
    const char *first = list, *last = first + (size_t)(count > 0 ? count : 0) * stride;
    uint32_t end = atomic_load(&highest);
    for (uint32_t i = 0; i < end; i++) {
        mpi_handle handle = atomic_load_explicit(&requests[i].handle, memory_order_acquire);
        const char *place = atomic_load(&requests[i].place);
        if (!place || place < first || place >= last)
            continue;
        atomic_store(&requests[i].place, NULL);
        if (mpi_io_handle(place, stride) != handle)
            end_request(&requests[i], handle);
    }
    mpi_io_leave();
}

void mpi_io_split(const struct mpi_io *io, bool failed)
{
    struct mpi_file *file = io->session && !failed ? file_of(io->file) : NULL;
    struct session *before = file ? atomic_exchange(&file->split, io->session) : io->session;
    end_session(before); /* a file has one at a time */
    leave_io(io);
}

void mpi_io_join(mpi_handle handle)
{
    struct mpi_file *file = file_of(handle);
    if (file)
        end_session(atomic_exchange(&file->split, NULL));
}

void mpi_io_closed(mpi_handle handle)
{
    struct mpi_file *file = file_of(handle);
    if (!file)
        return;
    mpi_io_join(handle);
    uint32_t end = atomic_load(&highest);
    for (uint32_t i = 0; i < end; i++) {
        mpi_handle request =
            atomic_load(&requests[i].handle); /* before its file, or it is another */
        if (atomic_load(&requests[i].file) == handle)
            end_request(&requests[i], request);
    }
    atomic_store_explicit(&file->handle, 0, memory_order_release);
}

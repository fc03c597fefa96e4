/* Hooks on reads, writes and syncs of a descriptor. */
#include "client/hot.h"
#include "preload/call.h"
#include "preload/descriptor.h"
#include "preload/memory.h"
#include "preload/mpi_io.h"
#include "preload/real.h"
#include <errno.h>
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

static size_t vector_bytes(const struct iovec *vector, int count)
{
    return count > 0 ? memory_vector_bytes(vector, (size_t)count) : 0;
}

#define WHOLE(type, name, parameters, arguments, bytes, at, way)                                   \
    HOT HOOK type name parameters                                                                  \
    {                                                                                              \
        bool store = descriptor_controlled(fd), held = store && call_whole(fd, bytes, at, way);    \
        type result = real()->name arguments;                                                      \
        if (held)                                                                                  \
            call_end(result);                                                                      \
        else if (!store)                                                                           \
            call_passed_by(fd, result);                                                            \
        return result;                                                                             \
    }
HOOKS_WHOLE(WHOLE)
#undef WHOLE

enum {
    SMALLEST = 65536, /* bytes that are too few for a look at the settings */
    MPI_PIECE = 2 << 20
};

/* --- pieces ----------------------------------------------------------------------------------- */

/* The size of the pieces in which `bytes` may be written, at `at` or, if -1, at the file's own
 * offset; 0 = by one call. Writes are split only if the store is configured for pieces or MPI makes
 * them, the offset belongs to this thread alone, the file is neither appended to nor opened with
 * O_DIRECT, and the size limit is out of reach. (MPI promises its programs no atomic writes, or
 * locks the file for them. Its collective buffers are large.) */
static size_t find_piece(int fd, size_t bytes, off64_t at)
{
    size_t piece = bytes > SMALLEST ? call_pieces(mpi_io_inside() ? MPI_PIECE : 0) : 0;
    if (piece == 0 || bytes <= piece || bytes > CALL_MOST)
        return 0;
    int fault = errno;
    struct rlimit limit;
    int flags = fcntl(fd, F_GETFL);
    bool may = flags >= 0 && !(flags & (O_APPEND | O_DIRECT)) && (at >= 0 || descriptor_own(fd));
    if (may && at < 0)
        at = lseek(fd, 0, SEEK_CUR);
    /* A piece that ends at the limit is followed by one that raises a signal. */
    may = may && at >= 0 && getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
          (limit.rlim_cur == RLIM_INFINITY ||
           (bytes <= limit.rlim_cur && (rlim_t)at <= limit.rlim_cur - bytes));
    errno = fault;
    return may ? piece : 0;
}

/* A write, at `at` or, if that is -1, at the file's own offset. */
struct transfer_output {
    int fd;
    const char *data;
    off64_t at;
};

HOT static ssize_t transfer_put(const struct transfer_output *output, size_t done, size_t bytes)
{
    const char *data = output->data + done;
    if (output->at < 0)
        return real()->write(output->fd, data, bytes);
    return real()->pwrite64(output->fd, data, bytes, output->at + (off64_t)done);
}

static ssize_t put_pieces(const struct transfer_output *output, size_t bytes, size_t most)
{
    int fault = errno;
    size_t done = 0;
    for (;;) {
        size_t piece = call_take(bytes - done < most ? bytes - done : most, false);
        ssize_t moved = transfer_put(output, done, piece);
        if (moved < 0 && done > 0) {
            errno = fault; /* what was written is the result, as if the call had been one */
            moved = 0;
        }
        if (moved < 0)
            return moved;
        call_moved((size_t)moved);
        done += (size_t)moved;
        if ((size_t)moved < piece || done == bytes)
            return (ssize_t)done;
    }
}

/* The current call. */
HOT static ssize_t write_out(const struct transfer_output *output, size_t bytes)
{
    ssize_t result;
    size_t piece = find_piece(output->fd, bytes, output->at);
    if (piece > 0) {
        result = put_pieces(output, bytes, piece);
        call_end(0);
    } else {
        call_take(bytes, true);
        result = transfer_put(output, 0, bytes);
        call_end(result);
    }
    return result;
}

/* Returns the result of a call that is not controlled. */
HOT static ssize_t pass(int fd, ssize_t moved)
{
    call_passed_by(fd, moved);
    return moved;
}

HOT HOOK ssize_t write(int fd, const void *data, size_t n)
{
    if (!descriptor_controlled(fd))
        return pass(fd, real()->write(fd, data, n));
    if (!call_begin(fd, CALL_WRITES))
        return real()->write(fd, data, n);
    return write_out(&(struct transfer_output){fd, data, -1}, n);
}

HOT HOOK ssize_t pwrite(int fd, const void *data, size_t n, off_t at)
{
    if (!descriptor_controlled(fd))
        return pass(fd, real()->pwrite(fd, data, n, at));
    if (at < 0 || !call_begin(fd, CALL_WRITES))
        return real()->pwrite(fd, data, n, at);
    return write_out(&(struct transfer_output){fd, data, at}, n);
}

HOT HOOK ssize_t pwrite64(int fd, const void *data, size_t n, off64_t at)
{
    if (!descriptor_controlled(fd))
        return pass(fd, real()->pwrite64(fd, data, n, at));
    if (at < 0 || !call_begin(fd, CALL_WRITES))
        return real()->pwrite64(fd, data, n, at);
    return write_out(&(struct transfer_output){fd, data, at}, n);
}

/* Other names of two of them. */
HOOK ssize_t __write(int fd, const void *data, size_t n)
{
    return write(fd, data, n);
}

HOOK ssize_t __pwrite64(int fd, const void *data, size_t n, off64_t at)
{
    return pwrite64(fd, data, n, at);
}

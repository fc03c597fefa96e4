/* Hooks on calls that move bytes between descriptors. Every end on a store counts. */
#include "preload/call.h"
#include "preload/descriptor.h"
#include "preload/memory.h"
#include "preload/real.h"
#include <errno.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct copy {
    int in, out;
    off64_t *in_at, *out_at; /* NULL: at their own offsets */
    unsigned flags;
};

static ssize_t send_file(const struct copy *copy, size_t bytes)
{
    return real()->sendfile64(copy->out, copy->in, copy->in_at, bytes);
}

static ssize_t copy_range(const struct copy *copy, size_t bytes)
{
    return real()->copy_file_range(copy->in, copy->in_at, copy->out, copy->out_at, bytes,
                                   copy->flags);
}

static ssize_t move_pages(const struct copy *copy, size_t bytes)
{
    return real()->splice(copy->in, copy->in_at, copy->out, copy->out_at, bytes, copy->flags);
}

static size_t copy_least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How much a pipe can hold; SIZE_MAX if it is not a pipe. */
static size_t pipe_size(int fd)
{
    int size = real()->fcntl(fd, F_GETPIPE_SZ);
    return size > 0 ? (size_t)size : SIZE_MAX;
}

/* The most that can move: callers ask for too much, and let the kernel find the end. A pipe passes
 * what it holds, or what arrives while it is empty; if more arrives meanwhile, that is settled
 * afterwards. */
static size_t copy_bound(const struct copy *copy, size_t bytes)
{
    int fault = errno;
    size_t left = call_left(copy->in, copy->in_at ? *copy->in_at : -1);
    size_t in = pipe_size(copy->in), out = pipe_size(copy->out);
    int waiting;
    if (in != SIZE_MAX && ioctl(copy->in, FIONREAD, &waiting) == 0 && waiting > 0)
        in = (size_t)waiting;
    errno = fault;
    return copy_least(copy_least(bytes, left), copy_least(copy_least(in, out), CALL_MOST));
}

typedef ssize_t mover(const struct copy *copy, size_t bytes);

/* Whether the offsets can be read; if not, the kernel reports it. */
static bool has_offsets(const struct copy *copy)
{
    return (!copy->in_at || memory_readable(copy->in_at, sizeof *copy->in_at)) &&
           (!copy->out_at || memory_readable(copy->out_at, sizeof *copy->out_at));
}

static ssize_t run_controlled(const struct copy *copy, size_t bytes, size_t ends, mover *step)
{
    size_t most = copy_bound(copy, bytes);
    call_take(ends * most, true);
    ssize_t result = step(copy, bytes);
    call_end((ssize_t)ends * result);
    return result;
}

/* From one store to another: the read is a call of its own, which lasts until the write is over. So
 * the slower one counts, not both. */
static ssize_t run_between(const struct copy *copy, size_t bytes, mover *step)
{
    size_t most = copy_bound(copy, bytes);
    bool reads = call_whole(copy->in, most, -1, CALL_HAS_READ);
    if (reads)
        call_set_aside();
    bool writes = call_whole(copy->out, most, -1, CALL_WRITES);
    ssize_t result = step(copy, bytes);
    if (writes)
        call_end(result);
    if (reads) {
        call_take_back();
        call_end(result);
    }
    return result;
}

static ssize_t copy_run(const struct copy *copy, size_t bytes, mover *step)
{
    bool reads = descriptor_controlled(copy->in), writes = descriptor_controlled(copy->out);
    size_t ends = (size_t)reads + (size_t)writes;
    if (ends == 2 && has_offsets(copy) && !call_of_one_channel(copy->in, copy->out))
        return run_between(copy, bytes, step);
    bool held = ends > 0 && has_offsets(copy) &&
                call_begin(writes ? copy->out : copy->in, writes ? CALL_WRITES : CALL_READS);
    ssize_t result = held ? run_controlled(copy, bytes, ends, step) : step(copy, bytes);
    /* The kernel counts both the bytes read and the bytes written. */
    if (result > 0)
        call_passed((ssize_t)(2 - ends) * result);
    return result;
}

HOOK ssize_t sendfile(int out, int in, off_t *at, size_t n)
{
    return copy_run(&(struct copy){.in = in, .out = out, .in_at = at}, n, send_file);
}

HOOK ssize_t sendfile64(int out, int in, off64_t *at, size_t n)
{
    return copy_run(&(struct copy){.in = in, .out = out, .in_at = at}, n, send_file);
}

HOOK ssize_t copy_file_range(int in, off64_t *in_at, int out, off64_t *out_at, size_t n, unsigned f)
{
    return copy_run(&(struct copy){in, out, in_at, out_at, f}, n, copy_range);
}

HOOK ssize_t splice(int in, off64_t *in_at, int out, off64_t *out_at, size_t n, unsigned f)
{
    return copy_run(&(struct copy){in, out, in_at, out_at, f}, n, move_pages);
}

/* Hooks on what moves bytes from descriptor to descriptor. Every end on the store counts. */
#include "preload/call.h"
#include "preload/descriptor.h"
#include "preload/memory.h"
#include "preload/real.h"
#include "preload/transfer.h"
#include <errno.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
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

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How much a pipe can hold; SIZE_MAX if it is none. */
static size_t pipe_size(int fd)
{
    int size = real()->fcntl(fd, F_GETPIPE_SZ);
    return size > 0 ? (size_t)size : SIZE_MAX;
}

/* How much can move at most: callers ask for too much, and let the kernel find the end. Through a
 * pipe goes what is in it, or what comes while it is empty; if more comes meanwhile, that is
 * settled afterwards. */
static size_t bound(const struct copy *copy, size_t bytes)
{
    int fault = errno;
    size_t left = call_left(copy->in, copy->in_at ? *copy->in_at : -1);
    size_t in = pipe_size(copy->in), out = pipe_size(copy->out);
    int waiting;
    if (in != SIZE_MAX && ioctl(copy->in, FIONREAD, &waiting) == 0 && waiting > 0)
        in = (size_t)waiting;
    errno = fault;
    return least(least(bytes, left), least(least(in, out), CALL_MOST));
}

/* Of one file the kernel must see that the ranges do not overlap. */
static bool same_file(int one, int other)
{
    struct stat a, b;
    return real()->fstat(one, &a) != 0 || real()->fstat(other, &b) != 0 ||
           (a.st_ino == b.st_ino && a.st_dev == b.st_dev);
}

/* Whether it may be made in several: from one file to another, offsets being the caller's. */
static bool may_split(const struct copy *copy, size_t bytes)
{
    off64_t at = copy->out_at ? *copy->out_at : -1;
    return (copy->in_at || descriptor_own(copy->in)) && !same_file(copy->in, copy->out) &&
           call_left(copy->out, at) != SIZE_MAX && transfer_may_split(copy->out, bytes, at);
}

typedef ssize_t mover(const struct copy *copy, size_t bytes);

static ssize_t run_pieces(const struct copy *copy, size_t bytes, size_t ends, mover *step)
{
    int fault = errno;
    size_t done = 0;
    for (;;) {
        size_t piece = call_take(ends * (bytes - done), false) / ends;
        ssize_t moved = step(copy, piece);
        if (moved < 0 && done > 0) {
            errno = fault;
            moved = 0;
        }
        if (moved < 0)
            return moved;
        call_moved(ends * (size_t)moved);
        done += (size_t)moved;
        if ((size_t)moved < piece || done == bytes)
            return (ssize_t)done;
    }
}

/* Whether the offsets can be read; if not, the kernel says so. */
static bool has_offsets(const struct copy *copy)
{
    return (!copy->in_at || memory_readable(copy->in_at, sizeof *copy->in_at)) &&
           (!copy->out_at || memory_readable(copy->out_at, sizeof *copy->out_at));
}

static ssize_t run(const struct copy *copy, size_t bytes, mover *step)
{
    bool reads = descriptor_controlled(copy->in), writes = descriptor_controlled(copy->out);
    size_t ends = (size_t)reads + (size_t)writes;
    if (ends == 0 || !has_offsets(copy) || !call_begin(writes ? copy->out : copy->in))
        return step(copy, bytes);
    size_t most = bound(copy, bytes);
    ssize_t result;
    if (most > 0 && step != move_pages && may_split(copy, most)) {
        result = run_pieces(copy, most, ends, step);
        call_end(0);
    } else {
        call_take(ends * most, true);
        result = step(copy, bytes);
        call_end((ssize_t)ends * result);
    }
    return result;
}

HOOK ssize_t sendfile(int out, int in, off_t *at, size_t n)
{
    return run(&(struct copy){.in = in, .out = out, .in_at = at}, n, send_file);
}

HOOK ssize_t sendfile64(int out, int in, off64_t *at, size_t n)
{
    return run(&(struct copy){.in = in, .out = out, .in_at = at}, n, send_file);
}

HOOK ssize_t copy_file_range(int in, off64_t *in_at, int out, off64_t *out_at, size_t n, unsigned f)
{
    return run(&(struct copy){in, out, in_at, out_at, f}, n, copy_range);
}

HOOK ssize_t splice(int in, off64_t *in_at, int out, off64_t *out_at, size_t n, unsigned f)
{
    return run(&(struct copy){in, out, in_at, out_at, f}, n, move_pages);
}

/* Hooks on liburing, which hands requests to the kernel by instructions of its own. */
#include "preload/ring.h"
#include "preload/call.h"
#include "preload/descriptor.h"
#include "preload/memory.h"
#include "preload/real.h"
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

/* Of IORING_SETUP_...; not all kernel headers have them. */
enum {
    SQE128 = 1 << 10,   /* every request takes 128 bytes */
    SQE_MIXED = 1 << 19 /* some do */
};

/* --- requests --------------------------------------------------------------------------------- */

static bool moves(const struct io_uring_sqe *request)
{
    switch (request->opcode) {
    case IORING_OP_READ:
    case IORING_OP_WRITE:
    case IORING_OP_READ_FIXED:
    case IORING_OP_WRITE_FIXED:
    case IORING_OP_READV:
    case IORING_OP_WRITEV:
        return !(request->flags & IOSQE_FIXED_FILE);
    default:
        return false;
    }
}

static size_t asked(const struct io_uring_sqe *request)
{
    size_t bytes = request->len;
    if (request->opcode == IORING_OP_READV || request->opcode == IORING_OP_WRITEV)
        bytes = memory_vector_bytes((const struct iovec *)(uintptr_t)request->addr, bytes);
    return bytes < CALL_MOST ? bytes : CALL_MOST;
}

/* Whether it can be read, given that an address in the last page looked at can. */
static bool ring_readable(const struct io_uring_sqe *request, uintptr_t *page)
{
    enum { PAGE = 4096 };
    if (*page == (uintptr_t)request / PAGE)
        return true;
    *page = (uintptr_t)request / PAGE;
    return memory_readable(request, sizeof *request);
}

void ring_count(const struct ring_queue *queue, unsigned first, unsigned n)
{
    unsigned shift = queue->flags & SQE128 ? 1 : 0;
    size_t bytes = 0;
    uintptr_t page = UINTPTR_MAX;
    if (queue->flags & SQE_MIXED || (uintptr_t)queue->requests % sizeof *queue->requests != 0)
        return;
    for (unsigned i = 0; i < n && i <= queue->mask; i++) {
        unsigned place = (first + i) & queue->mask;
        if (queue->order)
            place = queue->order[place] & queue->mask;
        const struct io_uring_sqe *request = &queue->requests[(size_t)place << shift];
        if (!ring_readable(request, &page))
            break;
        if (request->opcode == IORING_OP_CLOSE)
            descriptor_forget(request->fd);
        else if (moves(request) && descriptor_controlled(request->fd))
            bytes += asked(request);
    }
    if (bytes > 0)
        call_escaped(bytes);
}

/* --- liburing --------------------------------------------------------------------------------- */

/* The beginning of its struct in all versions since 2.0 (liburing.so.2); `copied` is 0 in early
 * ones. */
struct io_uring {
    struct {
        unsigned *head, *tail, *mask, *entries, *flags, *dropped, *array;
        struct io_uring_sqe *requests;
        unsigned first, end; /* of the requests that were made since the last submit */
        size_t size;
        void *at;
        struct {
            unsigned mask, entries;
        } copied;
        unsigned unused[2];
    } sq;
    struct {
        void *pointers[7];
        size_t size;
        void *at;
        unsigned unused[4];
    } cq;
    unsigned flags;
};

/* Whether it is one of these versions. (Before 2.0 a pointer was in the place of `copied`.) */
static bool known(const struct io_uring *ring)
{
    if (!memory_readable(ring, sizeof *ring) ||
        !memory_readable(ring->sq.mask, sizeof *ring->sq.mask))
        return false;
    unsigned mask = *ring->sq.mask, entries = mask + 1;
    return mask < RING_MOST && (mask & entries) == 0 &&
           ((ring->sq.copied.mask == 0 && ring->sq.copied.entries == 0) ||
            (ring->sq.copied.mask == mask && ring->sq.copied.entries == entries));
}

static void preload_ring_count(const struct io_uring *ring)
{
    if (!known(ring))
        return;
    struct ring_queue queue = {
        .requests = ring->sq.requests, .mask = *ring->sq.mask, .flags = ring->flags};
    ring_count(&queue, ring->sq.first, ring->sq.end - ring->sq.first);
    ring_counted(ring->sq.requests, ring->sq.end);
}

/* Without liburing no program has a ring of it to submit. A program that finds the hook and calls
 * it nevertheless gets liburing's answer for a kernel without io_uring. */
#define SUBMIT(type, name, parameters, arguments)                                                  \
    HOOK type name parameters                                                                      \
    {                                                                                              \
        if (!REAL_HAS(name))                                                                       \
            return -ENOSYS;                                                                        \
        preload_ring_count(ring);                                                                  \
        return real()->name arguments;                                                             \
    }
HOOKS_RING(SUBMIT)
#undef SUBMIT

/* Rings that a program creates and enters through libc's syscall, as libraries without liburing do.
 * What is known of a ring stays when it is closed: its descriptor then means nothing to the kernel,
 * or is a new ring's, which replaces it. */
#include "preload/memory.h"
#include "preload/ring.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { RINGS = 256, UNUSED = 0, CHANGING = -1 }; /* further ones are not counted */
enum { BY_INDEX = 1 << 4 };                      /* IORING_ENTER_REGISTERED_RING */

struct ring {
    _Atomic int owner; /* UNUSED, CHANGING, or its descriptor + 1 */
    struct io_uring_params parameters;
    const char *_Atomic memory; /* shared with the kernel; NULL = not mapped so far */
    const struct io_uring_sqe *_Atomic requests;
    _Atomic unsigned counted; /* the place before which all have been */
};
static struct ring rings[RINGS];
static _Atomic int used; /* rings */

static struct ring *enter_find(int fd)
{
    int n = fd >= 0 ? atomic_load_explicit(&used, memory_order_acquire) : 0;
    for (int i = 0; i < n; i++)
        if (atomic_load_explicit(&rings[i].owner, memory_order_acquire) - 1 == fd)
            return &rings[i];
    return NULL;
}

static struct ring *find_or_add(int fd)
{
    struct ring *ring = enter_find(fd);
    if (ring)
        return ring;
    int n = atomic_load(&used);
    while (n < RINGS && !atomic_compare_exchange_weak(&used, &n, n + 1))
        ;
    return n < RINGS ? &rings[n] : NULL;
}

void ring_made(int fd, const struct io_uring_params *parameters)
{
    struct ring *ring = find_or_add(fd);
    if (!ring)
        return;
    atomic_store(&ring->owner, CHANGING);
    ring->parameters = *parameters;
    atomic_store(&ring->memory, NULL);
    atomic_store(&ring->requests, NULL);
    atomic_store(&ring->counted, 0);
    atomic_store(&ring->owner, fd + 1);
}

void ring_mapped(int fd, off64_t offset, const void *at)
{
    struct ring *ring = enter_find(fd);
    if (ring && offset == IORING_OFF_SQ_RING)
        atomic_store(&ring->memory, at);
    if (ring && offset == IORING_OFF_SQES)
        atomic_store(&ring->requests, at);
}

void ring_counted(const struct io_uring_sqe *requests, unsigned place)
{
    int n = atomic_load_explicit(&used, memory_order_acquire);
    for (int i = 0; i < n; i++)
        if (atomic_load_explicit(&rings[i].requests, memory_order_relaxed) == requests)
            atomic_store(&rings[i].counted, place);
}

/* Numbers shared with the kernel; NULL if they cannot be read (any more). */
static const unsigned *shared(const struct ring *ring, size_t offset, size_t n)
{
    const char *memory = atomic_load(&ring->memory);
    if (!memory || offset % sizeof(unsigned) != 0)
        return NULL;
    const void *at = memory + offset;
    return memory_readable(at, n * sizeof(unsigned)) ? at : NULL;
}

/* The kernel takes `n` requests from its head on, or as many as there are. Those that an earlier
 * call left over have been counted. */
static void enter_count(struct ring *ring, const struct ring_queue *queue, unsigned n)
{
    const unsigned *at_head = shared(ring, ring->parameters.sq_off.head, 1);
    const unsigned *at_tail = shared(ring, ring->parameters.sq_off.tail, 1);
    if (!at_head || !at_tail)
        return;
    unsigned head = __atomic_load_n(at_head, __ATOMIC_ACQUIRE);
    unsigned waiting = __atomic_load_n(at_tail, __ATOMIC_RELAXED) - head;
    unsigned done = atomic_load(&ring->counted) - head;
    n = n < waiting ? n : waiting;
    if (done > queue->mask + 1)
        done = 0; /* the head is past it */
    if (waiting > queue->mask + 1 || done >= n)
        return;
    atomic_store(&ring->counted, head + n);
    ring_count(queue, head + done, n - done);
}

void ring_entered(int fd, unsigned n, unsigned flags)
{
    struct ring *ring = flags & BY_INDEX ? NULL : enter_find(fd);
    if (!ring || n == 0)
        return;
    const struct io_uring_params *parameters = &ring->parameters;
    unsigned entries = parameters->sq_entries;
    /* A kernel thread takes requests at any time; this call only wakes it. */
    if (parameters->flags & IORING_SETUP_SQPOLL || entries == 0 || entries > RING_MOST)
        return;
    struct ring_queue queue = {
        .requests = atomic_load(&ring->requests), .mask = entries - 1, .flags = parameters->flags};
    bool ordered = parameters->sq_off.array != 0; /* not with IORING_SETUP_NO_SQARRAY */
    if (ordered)
        queue.order = shared(ring, parameters->sq_off.array, entries);
    if (queue.requests && (queue.order || !ordered))
        enter_count(ring, &queue, n);
}

/* Hooks on asynchronous I/O: it is charged when it is handed over. (The threads in which libc does
 * it run past the hooks.) */
#include "preload/async.h"
#include "preload/call.h"
#include "preload/descriptor.h"
#include "preload/memory.h"
#include "preload/real.h"
#include <errno.h>
#include <stdint.h>

static bool is_ours(int fd, size_t bytes)
{
    bool store = descriptor_controlled(fd);
    if (!store)
        call_passed((ssize_t)bytes);
    return store;
}

/* Whoever hears of its end may free the block, before the call is over even. */
#define ASYNC(type, name, parameters, arguments, block, moves)                                     \
    HOOK type name parameters                                                                      \
    {                                                                                              \
        size_t bytes = (moves) ? (block)->aio_nbytes : 0;                                          \
        if (!is_ours((block)->aio_fildes, bytes) ||                                                \
            !call_whole((block)->aio_fildes, bytes, -1, false))                                    \
            return real()->name arguments;                                                         \
        type result = real()->name arguments;                                                      \
        call_end(result == 0 ? (ssize_t)bytes : 0);                                                \
        return result;                                                                             \
    }
HOOKS_ASYNC(ASYNC)
#undef ASYNC

/* --- several at once -------------------------------------------------------------------------- */

/* What a batch does on the store. */
struct batch {
    int fd; /* one of its descriptors, -1 = none is on the store */
    size_t bytes;
};

static void add(struct batch *batch, int fd, size_t bytes)
{
    if (!is_ours(fd, bytes))
        return;
    batch->fd = fd;
    batch->bytes += bytes;
}

static bool begin(const struct batch *batch)
{
    return batch->fd >= 0 && call_whole(batch->fd, batch->bytes, -1, false);
}

HOOK int lio_listio(int mode, struct aiocb *const list[], int n, struct sigevent *e)
{
    struct batch batch = {.fd = -1};
    for (int i = 0; i < n; i++)
        if (list[i] && list[i]->aio_lio_opcode != LIO_NOP)
            add(&batch, list[i]->aio_fildes, list[i]->aio_nbytes);
    bool controlled = begin(&batch);
    int result = real()->lio_listio(mode, list, n, e);
    if (controlled)
        call_end((ssize_t)batch.bytes);
    return result;
}

HOOK int lio_listio64(int mode, struct aiocb64 *const list[], int n, struct sigevent *e)
{
    struct batch batch = {.fd = -1};
    for (int i = 0; i < n; i++)
        if (list[i] && list[i]->aio_lio_opcode != LIO_NOP)
            add(&batch, list[i]->aio_fildes, list[i]->aio_nbytes);
    bool controlled = begin(&batch);
    int result = real()->lio_listio64(mode, list, n, e);
    if (controlled)
        call_end((ssize_t)batch.bytes);
    return result;
}

static size_t kernel_bytes(const struct iocb *block)
{
    switch (block->aio_lio_opcode) {
    case IOCB_CMD_PREAD:
    case IOCB_CMD_PWRITE:
        return block->aio_nbytes;
    case IOCB_CMD_PREADV:
    case IOCB_CMD_PWRITEV:
        return memory_vector_bytes((const struct iovec *)(uintptr_t)block->aio_buf,
                                   block->aio_nbytes);
    default:
        return 0;
    }
}

static struct batch collect(long n, struct iocb **list)
{
    struct batch batch = {.fd = -1};
    for (long i = 0; i < n && memory_readable(&list[i], sizeof *list) &&
                     memory_readable(list[i], sizeof *list[i]);
         i++)
        add(&batch, (int)list[i]->aio_fildes, kernel_bytes(list[i]));
    return batch;
}

/* Of libaio, which hands them to the kernel itself. */
HOOK int io_submit(aio_context_t context, long n, struct iocb **list)
{
    if (!REAL_HAS(io_submit))
        return -ENOSYS;
    struct batch batch = collect(n, list);
    bool controlled = begin(&batch);
    int result = real()->io_submit(context, n, list);
    if (controlled)
        call_end(result > 0 ? (ssize_t)batch.bytes : 0);
    return result;
}

size_t async_bytes(long n, struct iocb **list)
{
    return collect(n, list).bytes;
}

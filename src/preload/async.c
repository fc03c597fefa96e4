/* Hooks on asynchronous I/O, which is charged when it is submitted. (The threads in which libc
 * performs it bypass the hooks.) */
#include "preload/async.h"
#include "preload/call.h"
#include "preload/descriptor.h"
#include "preload/memory.h"
#include "preload/real.h"
#include "wire/message.h"
#include <errno.h>
#include <stdint.h>

/* One request. */
struct request {
    int fd;
    int kind; /* LIO_READ, LIO_WRITE, or LIO_NOP: no bytes */
    size_t bytes;
    off64_t at;
};

/* Whether it is on a store; other I/O counts as seen. */
static bool request_is_ours(const struct request *request)
{
    bool store = descriptor_controlled(request->fd);
    if (!store && request->kind != LIO_NOP)
        call_passed((ssize_t)request->bytes);
    return store;
}

/* A read beyond the end moves nothing. How much was read is known only later. */
static size_t request_bytes(const struct request *request)
{
    if (request->kind == LIO_NOP)
        return 0;
    size_t left = request->kind == LIO_READ ? call_left(request->fd, request->at) : SIZE_MAX;
    return request->bytes < left ? request->bytes : left;
}

#define REQUEST(block, kind)                                                                       \
    (struct request)                                                                               \
    {                                                                                              \
        (block)->aio_fildes, kind, (block)->aio_nbytes, (block)->aio_offset                        \
    }

static enum call_way request_way(const struct request *request)
{
    return request->kind == LIO_READ ? CALL_HAS_READ : CALL_WRITES;
}

static bool request_begin(const struct request *request, size_t *bytes)
{
    if (!request_is_ours(request))
        return false;
    *bytes = request_bytes(request);
    return call_whole(request->fd, *bytes, -1, request_way(request));
}

/* A thread that learns of its end may free the block, even before the call is over. */
#define ASYNC(type, name, parameters, arguments, block, kind)                                      \
    HOOK type name parameters                                                                      \
    {                                                                                              \
        size_t bytes;                                                                              \
        if (!request_begin(&REQUEST(block, kind), &bytes))                                         \
            return real()->name arguments;                                                         \
        type result = real()->name arguments;                                                      \
        call_end(result == 0 ? (ssize_t)bytes : 0);                                                \
        return result;                                                                             \
    }
HOOKS_ASYNC(ASYNC)
#undef ASYNC

/* --- several at once -------------------------------------------------------------------------- */

/* What a batch does on the stores, by channel. */
struct async_batch {
    struct {
        int fd; /* one of its descriptors, plus 1; 0 = it has none there */
        enum call_way way;
        size_t bytes;
    } parts[WIRE_CHANNELS];
};

static void batch_add(struct async_batch *batch, const struct request *request)
{
    if (!request_is_ours(request))
        return;
    enum call_way way = request_way(request);
    uint32_t channel = call_channel(request->fd, way);
    batch->parts[channel].fd = request->fd + 1;
    batch->parts[channel].way = way;
    batch->parts[channel].bytes += request_bytes(request);
}

/* The first channel from this one on with something to do; WIRE_CHANNELS = none. */
static uint32_t batch_next(const struct async_batch *batch, uint32_t channel)
{
    while (channel < WIRE_CHANNELS && batch->parts[channel].fd == 0)
        channel++;
    return channel;
}

static bool batch_part(const struct async_batch *batch, uint32_t channel)
{
    return channel < WIRE_CHANNELS &&
           call_whole(batch->parts[channel].fd - 1, batch->parts[channel].bytes, -1,
                      batch->parts[channel].way);
}

/* The submitted requests. A batch is one call, on its first channel; its bytes on other channels
 * are charged afterwards. */
static void batch_end(const struct async_batch *batch, uint32_t first, bool held)
{
    if (held)
        call_end((ssize_t)batch->parts[first].bytes);
    for (uint32_t channel = batch_next(batch, first + 1); channel < WIRE_CHANNELS;
         channel = batch_next(batch, channel + 1))
        if (batch_part(batch, channel))
            call_end((ssize_t)batch->parts[channel].bytes);
}

#define LISTED(name, block)                                                                        \
    HOOK int name(int mode, struct block *const list[], int n, struct sigevent *e)                 \
    {                                                                                              \
        struct async_batch batch = {0};                                                            \
        for (int i = 0; i < n; i++)                                                                \
            if (list[i] && list[i]->aio_lio_opcode != LIO_NOP)                                     \
                batch_add(&batch, &REQUEST(list[i], list[i]->aio_lio_opcode));                     \
        uint32_t first = batch_next(&batch, 0);                                                    \
        bool held = batch_part(&batch, first);                                                     \
        int result = real()->name(mode, list, n, e);                                               \
        batch_end(&batch, first, held);                                                            \
        return result;                                                                             \
    }
LISTED(lio_listio, aiocb)
LISTED(lio_listio64, aiocb64)
#undef LISTED

static struct request kernel_request(const struct iocb *block)
{
    struct request request = {(int)block->aio_fildes, LIO_WRITE, block->aio_nbytes,
                              block->aio_offset};
    switch (block->aio_lio_opcode) {
    case IOCB_CMD_PREADV:
    case IOCB_CMD_PWRITEV:
        request.bytes =
            memory_vector_bytes((const struct iovec *)(uintptr_t)block->aio_buf, block->aio_nbytes);
        break;
    case IOCB_CMD_PREAD:
    case IOCB_CMD_PWRITE:
        break;
    default:
        request.kind = LIO_NOP;
    }
    if (block->aio_lio_opcode == IOCB_CMD_PREAD || block->aio_lio_opcode == IOCB_CMD_PREADV)
        request.kind = LIO_READ;
    return request;
}

static struct async_batch batch_collect(long n, struct iocb **list)
{
    struct async_batch batch = {0};
    for (long i = 0; i < n && memory_readable(&list[i], sizeof *list) &&
                     memory_readable(list[i], sizeof *list[i]);
         i++) {
        struct request request = kernel_request(list[i]);
        batch_add(&batch, &request);
    }
    return batch;
}

/* libaio's function, which submits requests to the kernel itself. It may take only the first ones.
 */
HOOK int io_submit(aio_context_t context, long n, struct iocb **list)
{
    if (!REAL_HAS(io_submit))
        return -ENOSYS;
    struct async_batch batch = batch_collect(n, list);
    uint32_t first = batch_next(&batch, 0);
    bool held = batch_part(&batch, first);
    int result = real()->io_submit(context, n, list);
    if (first < WIRE_CHANNELS && result < n)
        batch = batch_collect(result, list);
    batch_end(&batch, first, held);
    return result;
}

size_t async_bytes(long n, struct iocb **list)
{
    struct async_batch batch = batch_collect(n, list);
    size_t bytes = 0;
    for (uint32_t channel = 0; channel < WIRE_CHANNELS; channel++)
        bytes += batch.parts[channel].bytes;
    return bytes;
}

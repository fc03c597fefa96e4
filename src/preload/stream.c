#include "preload/stream.h"
#include "preload/call.h"
#include "preload/real.h"
#include <errno.h>
#include <stdatomic.h>
#include <stdio_ext.h>
#include <string.h>
#include <unistd.h>

/* --- prediction ------------------------------------------------------------------------------- */

/* A buffer that does not exist yet will be as large as most file systems' blocks. */
static size_t room(FILE *stream)
{
    enum { USUAL = 4096 };
    size_t size = (size_t)(stream->_IO_buf_end - stream->_IO_buf_base);
    return size ? size : USUAL;
}

/* How much of the buffer, and of what is added, goes to the file: whole buffers when more than one
 * is full; everything if the stream is line-buffered or unbuffered. */
static size_t overflow(FILE *stream, size_t bytes)
{
    size_t most = room(stream);
    if (most == 1 || __flbf(stream))
        return bytes;
    return bytes > most ? bytes / most * most : 0;
}

/* How much is read from the file for it. */
static size_t preload_stream_refill(FILE *stream, size_t bytes, int end)
{
    size_t there = (size_t)(stream->_IO_read_end - stream->_IO_read_ptr), most = room(stream);
    if (bytes == 0)
        return there && memchr(stream->_IO_read_ptr, end, there) ? 0 : most;
    if (bytes <= there)
        return 0;
    return (bytes - there + most - 1) / most * most;
}

/* --- calls ------------------------------------------------------------------------------------ */

bool flow_begin_put(struct flow *flow, FILE *stream, size_t bytes)
{
    size_t all = stream_waiting(stream) + bytes, goes = overflow(stream, all);
    *flow = (struct flow){.stream = stream, .bytes = all};
    return goes > 0 && call_whole(stream->_fileno, goes, -1, CALL_WRITES);
}

bool flow_begin_flush(struct flow *flow, FILE *stream)
{
    size_t all = stream_waiting(stream);
    *flow = (struct flow){.stream = stream, .bytes = all};
    if (!stream_controlled(stream)) {
        call_passed((ssize_t)all);
        return false;
    }
    return all > 0 && call_whole(stream->_fileno, all, -1, CALL_WRITES);
}

/* What of `all` bytes does not wait in the buffer. */
static ssize_t stream_gone(const FILE *stream, size_t all)
{
    size_t left = stream_waiting(stream);
    return left < all ? (ssize_t)(all - left) : 0;
}

void flow_end_put(const struct flow *flow)
{
    call_end(stream_gone(flow->stream, flow->bytes));
}

void flow_pass_put(FILE *stream, size_t all)
{
    call_passed_by(stream->_fileno, stream_gone(stream, all));
}

static off64_t position(int fd)
{
    int fault = errno;
    off64_t at = lseek64(fd, 0, SEEK_CUR);
    errno = fault;
    return at;
}

bool flow_begin_get(struct flow *flow, FILE *stream, size_t bytes, int end)
{
    size_t comes = preload_stream_refill(stream, bytes, end);
    if (comes == 0)
        return false;
    *flow = (struct flow){.stream = stream, .position = position(stream->_fileno)};
    return call_whole(stream->_fileno, comes, flow->position, CALL_READS);
}

void flow_pass_get(FILE *stream, size_t bytes, int end)
{
    call_passed_by(stream->_fileno, (ssize_t)preload_stream_refill(stream, bytes, end));
}

void flow_end_get(const struct flow *flow)
{
    call_end((ssize_t)(position(flow->stream->_fileno) - flow->position));
}

/* Wide characters wait in a buffer known only to libc. */
static bool stream_wide(const FILE *stream)
{
    return stream->_mode > 0;
}

/* The stream of which a call of this thread needed more than seemed likely. */
static _Thread_local FILE *thorough __attribute__((tls_model("initial-exec")));

size_t stream_printed(const char *format, va_list list)
{
    int fault = errno;
    va_list copy;
    va_copy(copy, list);
    int bytes = vsnprintf(NULL, 0, format, copy);
    va_end(copy);
    errno = fault;
    return bytes > 0 ? (size_t)bytes : 0;
}

void flow_watch(struct flow *flow, FILE *stream)
{
    enum { MUCH = 512 }; /* few calls of fscanf take as much */
    *flow = (struct flow){.stream = stream,
                          .fd = stream->_fileno,
                          .position = -1,
                          .next = stream->_IO_read_ptr,
                          .end = stream->_IO_read_end,
                          .way = __fwriting(stream) ? CALL_WRITES : CALL_HAS_READ,
                          .passes = !stream_controlled(stream)};
    if (flow->passes)
        return;
    if (flow->end - flow->next < MUCH || stream_wide(stream) || stream == thorough)
        flow->position = position(flow->fd);
}

static void flow_charge(const struct flow *flow, off64_t moved)
{
    if (moved > 0 && call_whole(flow->fd, (size_t)moved, -1, flow->way))
        call_end((ssize_t)moved);
}

void flow_settle(const struct flow *flow)
{
    FILE *stream = flow->stream;
    bool refilled = stream->_IO_read_end != flow->end || stream->_IO_read_ptr < flow->next;
    if (flow->position >= 0)
        flow_charge(flow, position(flow->fd) - flow->position);
    else if (refilled && flow->passes)
        call_passed(stream->_IO_read_end - stream->_IO_buf_base);
    else if (refilled) {
        thorough = stream;
        flow_charge(flow, stream->_IO_read_end - stream->_IO_buf_base);
    }
}

int stream_flush(FILE *stream, int (*flush)(FILE *))
{
    struct flow flow;
    if (stream_controlled(stream) && stream_wide(stream)) {
        flow_watch(&flow, stream);
        int result = flush(stream);
        flow_settle(&flow);
        return result;
    }
    if (!flow_begin_flush(&flow, stream))
        return flush(stream);
    int result = flush(stream);
    flow_end_put(&flow);
    return result;
}

/* Of a wide stream another descriptor keeps the offset. */
void flow_begin_close(struct flow *flow, FILE *stream)
{
    *flow = (struct flow){.fd = -1};
    if (stream_controlled(stream) && stream_wide(stream)) {
        int fault = errno;
        flow_watch(flow, stream);
        flow->watched = true;
        flow->fd = real()->fcntl(stream->_fileno, F_DUPFD_CLOEXEC, 0);
        errno = fault;
    } else if (!flow_begin_flush(flow, stream))
        flow->bytes = 0;
}

void flow_end_close(const struct flow *flow)
{
    if (flow->watched && flow->fd >= 0) {
        int fault = errno;
        descriptor_forget(flow->fd);
        flow_settle(flow);
        descriptor_forget(flow->fd);
        real()->close(flow->fd);
        errno = fault;
    } else if (flow->bytes > 0)
        call_end((ssize_t)flow->bytes);
}

/* --- streams that are left open --------------------------------------------------------------- */

enum { KEPT = 64 };
static _Atomic(FILE *) kept[KEPT];

void stream_opened(FILE *stream)
{
    for (size_t i = 0; i < KEPT; i++) {
        FILE *none = NULL;
        if (atomic_load_explicit(&kept[i], memory_order_relaxed) == NULL &&
            atomic_compare_exchange_strong(&kept[i], &none, stream))
            return;
    }
}

void stream_closed(FILE *stream)
{
    for (size_t i = 0; i < KEPT; i++) {
        FILE *seen = stream;
        if (atomic_load_explicit(&kept[i], memory_order_relaxed) == stream)
            atomic_compare_exchange_strong(&kept[i], &seen, NULL);
    }
}

/* Only what has output: a flush of input would move the file's offset and drop what was pushed
 * back. */
static void stream_empty(FILE *stream)
{
    struct flow flow;
    bool output = stream_waiting(stream) > 0 || (stream_wide(stream) && __fwriting(stream));
    if (output && stream_controlled(stream))
        stream_flush(stream, real()->fflush);
    else if (output)
        flow_begin_flush(&flow, stream);
}

/* libc does not wait for a stream that a thread has locked and left so. */
static void stream_empty_free(FILE *stream)
{
    if (ftrylockfile(stream) != 0)
        return;
    stream_empty(stream);
    funlockfile(stream);
}

static void stream_each(void (*visit)(FILE *stream))
{
    if (!call_in_only_thread())
        return;
    int fault = errno;
    FILE *const standard[] = {stdout, stderr};
    for (size_t i = 0; i < KEPT + 2; i++) {
        FILE *stream = i < 2 ? standard[i] : atomic_load(&kept[i - 2]);
        if (stream)
            visit(stream);
    }
    errno = fault;
}

void stream_flush_all(void)
{
    stream_each(stream_empty);
}

void stream_flush_free(void)
{
    stream_each(stream_empty_free);
}

/* libc flushes them a moment later. */
__attribute__((destructor)) static void flush_early(void)
{
    stream_flush_free();
}

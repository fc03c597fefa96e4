/* What libc's streams will do to their descriptors. Streams read and write without the hooks on
 * read and write, so their own functions are hooked, and charge the bytes that the call moves. */
#ifndef WEIR_PRELOAD_STREAM_H
#define WEIR_PRELOAD_STREAM_H

#include "preload/call.h"
#include "preload/descriptor.h"
#include <stdarg.h>
#include <stdio.h>

/* A call on a stream that reads or writes its file. */
struct flow {
    FILE *stream;
    size_t bytes;           /* put: in the buffer before the call, and added by it */
    off64_t position;       /* get: of the file, before the call; watched: -1 = not asked for */
    const char *next, *end; /* watched: what was in the buffer */
    int fd;                 /* watched: has the offset, -1 = nothing has */
    enum call_way way;      /* watched: whether it moves that by writing */
    bool watched;           /* close: it is */
    bool passes;            /* watched: it is not controlled */
};

static inline bool stream_controlled(FILE *stream)
{
    return descriptor_controlled(stream->_fileno);
}

/* The bytes waiting in its buffer. */
static inline size_t stream_waiting(const FILE *stream)
{
    return stream->_IO_write_ptr > stream->_IO_write_base
               ? (size_t)(stream->_IO_write_ptr - stream->_IO_write_base)
               : 0;
}

/* The bytes of what is printed: their number is known only by printing it. Never changes errno. */
size_t stream_printed(const char *format, va_list list);

/* `bytes` more are written. False if none will reach the file. */
bool flow_begin_put(struct flow *flow, FILE *stream, size_t bytes);
void flow_end_put(const struct flow *flow);

/* After `all` bytes, those in its buffer and those added, were put to an uncontrolled stream:
 * counts the ones that went to the file as seen. */
void flow_pass_put(FILE *stream, size_t all);

/* The buffer is flushed. False if it is empty, or the stream uncontrolled: then its bytes count as
 * seen. */
bool flow_begin_flush(struct flow *flow, FILE *stream);

/* `bytes`, or, if 0, a line that ends with `end`, are read. False if the buffer has them. */
bool flow_begin_get(struct flow *flow, FILE *stream, size_t bytes, int end);
void flow_end_get(const struct flow *flow);

/* As flow_begin_get, for an uncontrolled stream: counts the bytes read as seen. */
void flow_pass_get(FILE *stream, size_t bytes, int end);

/* A call whose reads or writes cannot be known beforehand, such as one of wide characters, which
 * libc converts in a buffer of its own: it is charged afterwards, by how far the file's offset has
 * moved. Asking for the offset takes longer than reading a number from the buffer; so it is not
 * asked for while the buffer holds much and the call seems not to need more. For an uncontrolled
 * stream the bytes count as seen. */
void flow_watch(struct flow *flow, FILE *stream);
void flow_settle(const struct flow *flow);

/* Flushes the stream by `flush`. */
int stream_flush(FILE *stream, int (*flush)(FILE *));

/* The stream is closed, and its descriptor with it. */
void flow_begin_close(struct flow *flow, FILE *stream);
void flow_end_close(const struct flow *flow);

/* Streams that libc may flush, at the end of the program or by fflush(NULL). */
void stream_opened(FILE *stream);
void stream_closed(FILE *stream);

/* Flushes the controlled streams with output, one by one, as fflush(NULL) does; or, as the end of
 * the program does, only those that are not locked. Not while there are other threads: they could
 * close one at this moment. */
void stream_flush_all(void);
void stream_flush_free(void);

#endif

/* What libc's streams will do to their descriptors. A stream reads and writes past the hooks on
 * read and write; so its own functions are hooked, and charge what goes through at that call. */
#ifndef WEIR_PRELOAD_STREAM_H
#define WEIR_PRELOAD_STREAM_H

#include "preload/call.h"
#include "preload/descriptor.h"
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

/* The bytes that wait in its buffer. */
static inline size_t stream_waiting(const FILE *stream)
{
    return stream->_IO_write_ptr > stream->_IO_write_base
               ? (size_t)(stream->_IO_write_ptr - stream->_IO_write_base)
               : 0;
}

/* `bytes` more are put in. False if none will reach the file. */
bool flow_begin_put(struct flow *flow, FILE *stream, size_t bytes);
void flow_end_put(const struct flow *flow);

/* The buffer is emptied. False if it is empty. */
bool flow_begin_flush(struct flow *flow, FILE *stream);

/* `bytes`, or if that is 0 a line that ends with `end`, are taken out. False if they are there. */
bool flow_begin_get(struct flow *flow, FILE *stream, size_t bytes, int end);
void flow_end_get(const struct flow *flow);

/* As flow_begin_get of a stream that is not controlled: what is read for it has been seen. */
void flow_pass_get(FILE *stream, size_t bytes, int end);

/* A call of which nobody can say beforehand what it reads or writes, such as one of wide
 * characters, which libc converts in a buffer of its own: it is charged afterwards, for how far the
 * file's offset has moved. To ask for that takes longer than to read a number from the buffer; so
 * while much is in there, and a call seems not to need more, nobody asks. Of a stream that is not
 * controlled what is read has been seen. */
void flow_watch(struct flow *flow, FILE *stream);
void flow_settle(const struct flow *flow);

/* The stream is emptied by `flush`. */
int stream_flush(FILE *stream, int (*flush)(FILE *));

/* The stream is closed, and its descriptor with it. */
void flow_begin_close(struct flow *flow, FILE *stream);
void flow_end_close(const struct flow *flow);

/* Streams that may be left to libc to empty, at the end of the program or by fflush(NULL). */
void stream_opened(FILE *stream);
void stream_closed(FILE *stream);

/* Empties those that are controlled, one by one. Not while there are other threads: they could
 * close one at this moment. */
void stream_flush_all(void);

#endif

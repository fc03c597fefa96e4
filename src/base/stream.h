/* A text read line by line, in bounded memory. */
#ifndef WEIR_BASE_STREAM_H
#define WEIR_BASE_STREAM_H

#include "base/err.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { STREAM_LONGEST_LINE = 64 << 20 }; /* bytes; memory is bounded by twice that */

struct stream {
    const char *where; /* its name for messages */
    const char *line;  /* the current one, without its end; no 0 byte follows */
    size_t length;
    size_t number; /* of the current line, from 1 */

    FILE *file; /* NULL = a text in memory */
    char *buffer;
    const char *at, *stop; /* the unread rest of the text, or of the buffer */
    size_t capacity;
};

/* Opens a file; "-" is standard input. 0 or -1; stream_close in both cases. */
int stream_open(struct stream *stream, const char *path, struct err *err);

/* Reads a text, which must outlive the stream. */
struct stream stream_of_text(const char *text, size_t length, const char *where);

/* Moves to the next line; a line ends with a newline, one with a carriage return before it, or
 * with the text. A byte order mark at the beginning is skipped. 1, 0 at the end of the text, or -1
 * with err, which names the file, when it cannot be read or a line is too long. */
int stream_next(struct stream *stream, struct err *err);

void stream_close(struct stream *stream);

#endif

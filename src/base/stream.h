/* A text read line by line, in memory that does not grow with it. */
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
    const char *at, *stop; /* what is not yet read of the text, or of the buffer */
    size_t capacity;
};

/* Opens a file, "-" being standard input. 0 or -1; stream_close in both cases. */
int stream_open(struct stream *stream, const char *path, struct err *err);

/* Reads a text, which must live as long. */
struct stream stream_of_text(const char *text, size_t length, const char *where);

/* Moves to the next line; a line ends with a newline, one with a carriage return before it, or
 * with the text. A byte order mark at the beginning is skipped. 1, 0 at the end of the text, or -1
 * with err, which names the file, when it cannot be read or a line is too long. */
int stream_next(struct stream *stream, struct err *err);

void stream_close(struct stream *stream);

#endif

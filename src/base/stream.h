/* A text read line by line, in memory that does not grow with it. A file or standard input may be
 * compressed by gzip; the text may also be what another program prints. */
#ifndef WEIR_BASE_STREAM_H
#define WEIR_BASE_STREAM_H

#include "base/err.h"
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { STREAM_LONGEST_LINE = 64 << 20 }; /* bytes; memory is bounded by twice that */

struct stream {
    const char *where; /* its name for messages */
    const char *line;  /* the current one, without its end; no 0 byte follows */
    size_t length;
    size_t number; /* of the current line, from 1 */
    bool ended;    /* it has a newline at its end */

    const char *path;      /* of the file; NULL = it is none */
    struct gzFile_s *file; /* NULL = a text in memory */
    pid_t process;         /* that prints the text; 0 = none, or it has ended */
    const char *program;   /* its name */
    bool failed;           /* it has */
    char *buffer;
    const char *at, *stop; /* the unread rest of the text, or of the buffer */
    size_t capacity;
};

/* Opens a file; "-" is standard input. 0 or -1; stream_close in both cases. */
int stream_open(struct stream *stream, const char *path, struct err *err);

/* Starts a program and reads what it prints; what it complains about goes to standard error, and it
 * has nothing to read. `arguments` begin with its name, which is looked up on the PATH, and end
 * with NULL. 0, or -1 with err (and errno ENOENT if there is no such program); stream_close in both
 * cases. */
int stream_run(struct stream *stream, const char *const *arguments, const char *where,
               struct err *err);

/* Reads a text, which must outlive the stream. */
struct stream stream_of_text(const char *text, size_t length, const char *where);

/* Moves to the next line; a line ends with a newline, one with a carriage return before it, or
 * with the text. A byte order mark at the beginning is skipped. 1, 0 at the end of the text, or -1
 * with err, which names the file, when it cannot be read, is compressed by another program than
 * gzip, has a line that is too long, or when the program that printed the text has failed. */
int stream_next(struct stream *stream, struct err *err);

/* The first bytes of what is still to be read, up to `size`, which are not consumed. Returns how
 * many there are, fewer only where the text ends; -1 with err. */
int stream_peek(struct stream *stream, const char **bytes, size_t size, struct err *err);

void stream_close(struct stream *stream);

#endif

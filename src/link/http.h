/* HTTP/1.1 as far as a client needs it for small answers: one request, one response, then the
 * connection ends. Pure, so that it can be fuzzed. */
#ifndef WEIR_LINK_HTTP_H
#define WEIR_LINK_HTTP_H

#include <stdbool.h>
#include <stddef.h>

enum {
    HTTP_MOST = 16384, /* bytes of a response's body, and of all else */
    HTTP_LINE = 128,   /* of a line, as far as it matters */
    HTTP_REQUEST = 2048
};

/* Writes a POST of JSON; `host` as in a URL. Its bytes, or 0 if it does not fit. */
size_t http_write(const char *host, const char *path, const char *body, char bytes[HTTP_REQUEST]);

enum http_part {
    HTTP_START,   /* the line of the status */
    HTTP_HEADERS, /* their lines */
    HTTP_LENGTH,  /* a body of `left` bytes */
    HTTP_REST,    /* a body until the connection ends */
    HTTP_CHUNK,   /* the line before a chunk, */
    HTTP_DATA,    /* the chunk, */
    HTTP_BREAK,   /* the end of its last line */
    HTTP_TRAILER, /* lines after the last chunk */
    HTTP_DONE
};

/* What has arrived. Starts with zeros. */
struct http_reader {
    enum http_part part;
    int status;
    bool chunked, sized;
    size_t left;          /* bytes of this part */
    size_t overhead;      /* bytes beside the body so far */
    char line[HTTP_LINE]; /* that is arriving; its end is cut off */
    size_t line_length;
    char body[HTTP_MOST];
    size_t size;
};

/* Takes bytes of a response. 1 = it is complete, 0 = more is to come, -1 = it is malformed, or
 * longer than HTTP_MOST. After 1 and -1 no more may be passed. */
int http_take(struct http_reader *reader, const char *bytes, size_t size);

/* The connection has ended: whether the response is complete. */
bool http_end(struct http_reader *reader);

#endif

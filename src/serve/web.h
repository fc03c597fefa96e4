/* A small HTTP server on the loop (libmicrohttpd): reads only. What clients send is hostile: their
 * number, their memory and their time are bounded, and a slow reader costs a connection.
 * For this room only. */
#ifndef WEIR_SERVE_WEB_H
#define WEIR_SERVE_WEB_H

#include "base/err.h"
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

enum {
    WEB_CONNECTIONS = 512, /* at a time; further ones wait in the kernel */
    WEB_MEMORY = 16384,    /* bytes of each for what it sends: its headers must fit */
    WEB_PATIENCE = 10      /* seconds without progress after which one is closed */
};
#define WEB_PORT "9348"

/* The codes of answers, each counted. */
#define WEB_CODES(X)                                                                               \
    X(OK, 200)                                                                                     \
    X(SEE_OTHER, 303)                                                                              \
    X(BAD, 400)                                                                                    \
    X(FORBIDDEN, 403)                                                                              \
    X(NOT_FOUND, 404)                                                                              \
    X(BAD_METHOD, 405)                                                                             \
    X(TOO_MANY, 429)                                                                               \
    X(FAILED, 500)                                                                                 \
    X(STANDS_BY, 503)
#define X(name, code) WEB_##name,
enum web_code { WEB_CODES(X) WEB_CODE_COUNT };
#undef X
extern const unsigned web_codes[WEB_CODE_COUNT];

struct web_request {
    const char *path;   /* without the query, decoded; begins with '/' */
    const char *accept; /* types, or NULL */
    void *connection;   /* for web_query */
};

/* The value of a member of the query, or NULL. */
const char *web_query(const struct web_request *request, const char *key);

struct web_answer {
    enum web_code code;
    const char *type;     /* of the body */
    const char *location; /* where to go, or NULL */
    const char *encoding; /* of the body, or NULL */
    char *body;           /* owned: freed with the answer; NULL = the code's words */
    const char *lasting;  /* instead: a text that lasts as long as the process */
    size_t length;
};

struct web;

/* Answers one request, at once. */
typedef void web_answer_call(void *context, const struct web_request *request,
                             struct web_answer *answer);

/* Listens at ADDRESS[:PORT]. NULL with err. web_free closes all connections; the loop must run
 * after it. */
struct web *web_new(uv_loop_t *loop, const char *address, web_answer_call *call, void *context,
                    struct err *err);
void web_free(struct web *web); /* NULL is fine */

int web_port(const struct web *web);
uint64_t web_count(const struct web *web, enum web_code code); /* answers so far */

#endif

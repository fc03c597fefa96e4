/* The controller's end of many connections: each begins with a hello (link/hello.h) and carries
 * frames in both directions.
 *
 * Strangers are bounded in number, in time, and in memory, to a credential each; what is refused is
 * told once per reason and address. An end that does not read is blocked, holds one
 * frame at most, and is closed after a while. */
#ifndef WEIR_LINK_SERVER_H
#define WEIR_LINK_SERVER_H

#include "base/err.h"
#include "link/address.h"
#include "link/hello.h"
#include <uv.h>

#define LINK_NOBODY UINT32_MAX

struct link_server;
struct link_peer;

/* An end that has proved which user it is. */
struct link_who {
    const struct link_hello *hello;
    uint32_t uid, gid;
    const char *address;
};

/* What it is told when it is welcome. */
struct link_terms {
    size_t size;
    unsigned char bytes[HELLO_TERMS];
};

struct link_server_calls {
    /* Whether it may join, and on which terms. 0, or -1 with err: it is told so and disconnected.
     */
    int (*admit)(void *context, const struct link_who *who, struct link_terms *terms,
                 struct err *err);
    /* It has joined and can be sent frames. Returns the caller's number for it, which is passed to
     * the other calls, or LINK_NOBODY to disconnect it. */
    uint32_t (*joined)(void *context, struct link_peer *peer, const struct link_who *who);
    /* A frame of it. 0, or -1 with err to disconnect it, which `gone` tells too. */
    int (*frame)(void *context, uint32_t member, const void *bytes, size_t size, struct err *err);
    void (*writable)(void *context, uint32_t member); /* after it was blocked */
    void (*gone)(void *context, uint32_t member);     /* its peer is no more */
    void (*say)(void *context, const char *text);     /* one line for a log */
};

struct link_server_setup {
    const struct link_address *listen;
    const char *munge; /* munged's socket, NULL = its usual one */
    struct link_versions speaks;
    const struct link_server_calls *calls;
    void *context;
};

/* Whether this machine has that address, in use or not. Waits for a name server. 0, or -1 with err.
 */
int link_server_check(const struct link_address *address, struct err *err);

/* Listens. NULL with err. */
struct link_server *link_server_new(uv_loop_t *loop, const struct link_server_setup *setup,
                                    struct err *err);

/* Closes all connections without telling `gone`, and frees itself when the loop has run. NULL is
 * fine. */
void link_server_free(struct link_server *server);

/* The port that it listens at. */
int link_server_port(const struct link_server *server);

/* Sends a frame of at most LINK_MOST bytes. 0; 1 = not taken: it is blocked, and `writable` tells
 * when it no longer is. */
int link_server_send(struct link_peer *peer, const void *bytes, size_t size);

/* Disconnects it, without telling `gone`. */
void link_server_drop(struct link_peer *peer);

/* For tests and for `weir status`. */
struct link_census {
    uint32_t silent, deciding, joined;
    uint64_t refused;
};
struct link_census link_server_count(const struct link_server *server);

#endif

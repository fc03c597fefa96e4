/* A TCP connection that carries packets, and frames with tags once it has a key. For this room
 * only.
 *
 * Nothing is queued beyond one packet: an end that does not read is blocked, and its sender waits
 * until it is writable again. Both ends close by a reset, so that nothing lingers. */
#ifndef WEIR_LINK_CONNECTION_H
#define WEIR_LINK_CONNECTION_H

#include "link/hello.h"
#include <uv.h>

enum {
    LINK_MOST = 1 << 20,        /* bytes of a frame's body */
    CONNECTION_CHUNK = 64 << 10 /* that are read at once */
};

struct connection_calls {
    /* A packet has come; with a key, the body of a frame. NULL, or why to break the connection. */
    const char *(*packet)(void *owner, const struct packet *packet);
    /* A packet has come that has no valid tag. Why to break the connection. */
    const char *(*untagged)(void *owner, const struct packet *packet);
    void (*writable)(void *owner); /* a blocked packet is sent */
    /* The connection ends from outside, for this reason; it is to be closed. */
    void (*broken)(void *owner, const char *why);
    void (*closed)(void *owner); /* after connection_close: its memory may be freed */
};

/* What all connections of a loop share. */
struct connection_host {
    uv_loop_t *loop;
    const struct connection_calls *calls;
    char chunk[CONNECTION_CHUNK];
};

struct connection {
    uv_tcp_t tcp;
    struct connection_host *host;
    void *owner;
    struct packet_reader reader;
    struct seal seal;
    bool sealed; /* it has a key */
    bool closing;
    bool left;                    /* the other end has ended it */
    struct connection_rest *rest; /* of a packet that is being sent */
    uint64_t blocked;             /* since when, milliseconds of the loop */
};

/* 0 or a fault of libuv; after 0 it must be closed. */
int connection_init(struct connection *connection, struct connection_host *host, void *owner);

/* Begins to read, once it is connected. 0 or a fault of libuv. */
int connection_start(struct connection *connection);

/* From now on every packet is a frame under this key. */
void connection_seal(struct connection *connection, const unsigned char key[SEAL_KEY],
                     bool controller);

/* Sends a packet, or with a key a frame, of at most LINK_MOST bytes. 0; 1 = it is not taken, since
 * an earlier one is still being sent, or the connection is at its end. */
int connection_send(struct connection *connection, const void *bytes, size_t size);

void connection_close(struct connection *connection);

/* What a fault of libuv is, in words that help: such as an unknown host name. */
const char *connection_fault(int status);

#endif

/* One connection: the messages of its peer and the replies. For this room only.
 *
 * A peer is a process of this machine at the socket, or a command on another one that asks over an
 * authenticated connection, whose user MUNGE has proved. The latter may only ask and set, once per
 * connection. */
#ifndef WEIR_SERVE_PEER_H
#define WEIR_SERVE_PEER_H

#include "serve/peers.h"

/* The most messages that a peer is sent in one go. */
enum { PEER_ROOM = 64 };

struct peer {
    uv_poll_t poll;
    struct peers *peers;
    struct peer *next, **link;
    struct hearing_place place;
    int fd;                /* its socket; or */
    struct link_peer *far; /* its connection from another machine, NULL = it is of this one */
    struct channel *to;    /* its channel, once it is attached */
    struct seat seat;
    struct user *user;
    uint32_t version; /* of its messages, 0 = it has sent none */
    char *plan;       /* the pieces of one so far, */
    size_t plan_size, plan_room;
    uint32_t room;           /* messages that it may still be sent before others are heard */
    bool asked;              /* from another machine: its only question */
    bool answering;          /* no message is read until the reply is sent */
    enum wire_type question; /* QUERY or SHOW, */
    struct wire_query query; /* and its details */
    uint32_t channel;        /* the reply continues with this channel; */
    uint32_t next_id;        /* in it, with this application or rule, */
    uint64_t next_done;      /* and with this finished application */
};

/* Handles a message. 0, or anything else to disconnect it. */
int peer_take(struct peer *peer, const void *bytes, size_t size);

/* Handles the next one at its socket. 1 if there was one, 0 if there is none for the moment, -1 to
 * disconnect. */
int peer_receive(struct peer *peer);

/* Sends a message without descriptors. 0; 1 if there is no room at the moment, or others are to be
 * heard first; -1 if the peer is gone. */
int peer_send(struct peer *peer, const struct wire_message *message);

/* Tells it why its message is refused, in its version. As peer_send. */
int peer_refuse(struct peer *peer, const char *reason);

/* Tells it that what it asks for is wrong in itself, and why. As peer_send. */
int peer_correct(struct peer *peer, const char *reason);

/* Whether the peer may do what is not everybody's. */
bool peer_is_trusted(const struct peer *peer);

/* Tells a new connection why it is not served, and closes it. */
void peer_turn_away(int fd, const char *reason);

/* Whether the user has half of all connections already; root and the controller's user may have
 * more. */
bool peers_has_enough(const struct peers *peers, const struct user *user);

#endif

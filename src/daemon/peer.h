/* One connection: the messages of its peer and the replies. For this room only. */
#ifndef WEIR_DAEMON_PEER_H
#define WEIR_DAEMON_PEER_H

#include "daemon/peers.h"

struct peer {
    uv_poll_t poll;
    struct peers *peers;
    struct peer *next, **link;
    int fd;
    struct live *live; /* of its channel, once it is attached */
    struct seat seat;
    struct user *user;
    bool answering;          /* no message is read until the reply is sent */
    enum wire_type question; /* QUERY or SHOW, */
    struct wire_query query; /* and its details */
    uint32_t channel;        /* the reply continues with this channel; */
    uint32_t next_id;        /* in it, with this application or rule, */
    uint64_t next_done;      /* and with this finished application */
};

/* Handles one message. 1 if there was one, 0 if there is none for the moment, -1 to disconnect. */
int peer_receive(struct peer *peer);

/* Continues the reply to a QUERY or a SHOW while there is room: for each channel its applications
 * or rules from next_id on and its finished applications from next_done on; then the controller. 0,
 * or -1 if the peer is gone. */
int peer_answer(struct peer *peer);

/* Tells a new connection why it is not served, and closes it. */
void peer_turn_away(int fd, const char *reason);

/* Whether the user has half of all connections already; root and the controller's user may have
 * more. */
bool peers_has_enough(const struct peers *peers, const struct user *user);

#endif

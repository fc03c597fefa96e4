/* One connection: what its peer says, and what it hears. For the files of this room only. */
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
    bool answering;          /* nothing else is heard until the answer is out */
    enum wire_type question; /* QUERY or SHOW, */
    struct wire_query query; /* and what it asks for */
    uint32_t channel;        /* the next one to tell of; */
    uint32_t next_id;        /* of it, the next application, or rule, */
    uint64_t next_done;      /* and the next of those that have left */
};

/* Takes one message. 1 if there was one, 0 if there is none for the moment, -1 to cut it off. */
int peer_receive(struct peer *peer);

/* Goes on with the answer to a QUERY or a SHOW as far as there is room: of each channel the
 * applications, or rules, from next_id on, and those that have left from next_done on; then the
 * controller. 0, or -1 if the peer is gone. */
int peer_answer(struct peer *peer);

/* Says why one that has just connected is not served, and closes it. */
void peer_turn_away(int fd, const char *reason);

/* Whether the user has half of all that there may be already; root and the controller's user may.
 */
bool peers_has_enough(const struct peers *peers, const struct user *user);

#endif

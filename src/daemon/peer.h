/* One connection: what its peer says, and what it hears. For the files of this room only. */
#ifndef WEIR_DAEMON_PEER_H
#define WEIR_DAEMON_PEER_H

#include "daemon/peers.h"

struct peer {
    uv_poll_t poll;
    struct peers *peers;
    struct peer *next, **link;
    int fd;
    struct seat seat;
    bool answering;     /* to a QUERY: nothing else is heard until the answer is out */
    uint32_t next_id;   /* the next application to tell of, */
    uint64_t next_done; /* and the next of those that have left */
};

/* Takes one message. 1 if there was one, 0 if there is none for the moment, -1 to cut it off. */
int peer_receive(struct peer *peer);

/* Goes on with the answer to a QUERY as far as there is room: the applications from next_id on,
 * those that have left from next_done on, then the controller. 0, or -1 if the peer is gone. */
int peer_answer(struct peer *peer);

/* Whether the user has half of all that there may be already; root and the controller's user may.
 */
bool peers_has_enough(const struct peers *peers, uint32_t uid);

#endif

/* The connections: messages go to the live controller, its replies go back.
 *
 * A peer is trusted only about itself: its user comes from the kernel. A peer that sends something
 * malformed or out of place is told why and disconnected. Nothing is queued here: a reply of many
 * messages is produced as fast as the peer reads. */
#ifndef WEIR_DAEMON_PEERS_H
#define WEIR_DAEMON_PEERS_H

#include "daemon/channels.h"
#include "daemon/listener.h"
#include <uv.h>

struct peer;

struct peers {
    uv_loop_t *loop;
    struct channels *channels;
    struct listener listener;
    uv_poll_t poll;
    struct peer *first;
    uint32_t count;
    uint32_t most; /* file descriptors, for connections and applications */
    bool full;     /* no file descriptors left: no connection is accepted for the moment */
    bool deaf;     /* its socket is gone, and there is no new one yet; */
    bool closing;  /* the loop still has the old one */
    bool told;     /* the reason was reported */
    uint32_t waited;
};

/* Listens at the service's socket. 0 or -1; peers_fini only after 0. */
int peers_init(struct peers *peers, uv_loop_t *loop, struct channels *channels, struct err *err);

/* The first channel, whose controller knows all connections. */
struct live *peers_live(const struct peers *peers);

/* Accepts again if that had to stop, and creates the socket again if it was removed. Called now and
 * then. */
void peers_retry(struct peers *peers);

/* Closes all connections and the socket; the loop must run once more to free them. */
void peers_fini(struct peers *peers);

#endif

/* The connections: what comes in goes to the live controller, what it answers goes back.
 *
 * A peer is believed only about itself: its user is what the kernel says. One that says what is no
 * message, or out of place, hears why and is cut off. Nothing is queued here: an answer of many
 * messages is made as fast as the peer reads. */
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
    uint32_t most; /* files, of connections and applications */
    bool full;     /* no file descriptors left: nobody is accepted for the moment */
    bool deaf;     /* its socket is gone, and no other one made yet; */
    bool closing;  /* the loop still knows the old one */
    bool told;     /* why there is no other one */
    uint32_t waited;
};

/* Listens at the service's socket. 0 or -1; peers_fini only if it was 0. */
int peers_init(struct peers *peers, uv_loop_t *loop, struct channels *channels, struct err *err);

/* The controller of the first channel: who is connected is known there. */
struct live *peers_live(const struct peers *peers);

/* Accepts again, if that had to stop, and makes the socket again if somebody has removed it. From
 * time to time. */
void peers_retry(struct peers *peers);

/* Closes all connections and the socket; the loop must run once more to free them. */
void peers_fini(struct peers *peers);

#endif

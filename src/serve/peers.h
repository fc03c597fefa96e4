/* The connections: messages go to the channels, their replies go back.
 *
 * A peer is trusted only about itself: its user comes from the kernel, or from MUNGE. A peer that
 * sends something malformed or out of place is told why and disconnected. No message is queued
 * here: a reply of many messages is produced as fast as the peer reads, and who sends faster than
 * its user is heard (serve/hearing.h) finds its socket full. */
#ifndef WEIR_SERVE_PEERS_H
#define WEIR_SERVE_PEERS_H

#include "link/refusals.h"
#include "serve/channels.h"
#include "serve/hearing.h"
#include "serve/listener.h"
#include <uv.h>

struct peer;
struct link_peer;

/* What answers questions. 0, or -1 if the peer is to be disconnected. */
struct peers_desk {
    /* Continues the reply to its QUERY or SHOW while there is room: `answering` tells whether there
     * is more. */
    int (*answer)(struct peer *peer);
    /* Changes a setting, if the peer may do so, and tells the peer what came of it. */
    int (*set)(struct peer *peer, const struct wire_set *set, uint64_t now);
};

struct peers {
    uv_loop_t *loop;
    struct channels *channels; /* with users */
    const struct peers_desk *desk;
    void *context;      /* of the desk */
    const char *closed; /* why it answers nothing for the moment, NULL = it does */
    struct listener listener;
    uv_poll_t poll;
    struct hearing hearing;
    struct refusals flooded; /* users whose floods were told */
    struct peer *first;
    uint32_t count;
    uint32_t most;            /* file descriptors, for connections and applications */
    struct refusals refusals; /* of processes that wanted to attach */
    bool full;    /* no file descriptors left: no connection is accepted for the moment */
    bool deaf;    /* its socket is gone, and there is no new one yet; */
    bool closing; /* the loop still has the old one */
    bool told;    /* the reason was reported */
    uint32_t waited;
};

/* Listens at the socket. 0 or -1; peers_fini only after 0. */
int peers_init(struct peers *peers, uv_loop_t *loop, struct channels *channels, const char *socket,
               struct err *err);

/* Hears those that wait, as far as this turn has time for them, and ends the turn. */
void peers_proceed(struct peers *peers);

/* The latest time for the next call of peers_proceed. */
uint64_t peers_next(struct peers *peers);

/* Accepts again if that had to stop, and creates the socket again if it was removed. Called now and
 * then. */
void peers_retry(struct peers *peers);

/* Connections from other machines (see serve/peer.h), which the caller keeps: why this user cannot
 * have one more, or NULL; a new one, NULL if memory is out; a message of it, 0 or -1 to disconnect
 * it; its answer goes on, after it did not read or was stopped; whether it is stopped, so that
 * others are heard; and it is gone. */
const char *peers_check(struct peers *peers, uint32_t uid);
struct peer *peers_welcome(struct peers *peers, struct link_peer *far, uint32_t uid);
int peers_hear(struct peer *peer, const void *bytes, size_t size);
int peers_continue(struct peer *peer);
bool peers_stopped(const struct peer *peer);
void peers_dismiss(struct peer *peer);

/* A process of this user cannot be controlled: counts it, and says so, but not too often. */
void peers_note_refusal(struct peers *peers, uint32_t uid, int32_t pid, const char *reason);

/* Closes all connections; the socket stays. */
void peers_cut_all(struct peers *peers);

/* Closes all connections and the socket; the loop must run once more to free them. */
void peers_fini(struct peers *peers);

#endif

/* The election of a leader among controllers, by an etcd that is reached over HTTP: sockets around
 * the machine of cluster/leader.h. For this room, and for the check of a configuration. */
#ifndef WEIR_SERVE_ELECTION_H
#define WEIR_SERVE_ELECTION_H

#include "cluster/etcd.h"
#include "link/address.h"
#include <uv.h>

#define ELECTION_PORT "2379" /* etcd's */

/* Where it is held: etcd://HOST[:PORT][,HOST[:PORT]...]/NAME. */
struct election_place {
    struct link_address servers[LINK_CONTROLLERS];
    uint32_t count;
    char name[ETCD_NAME];
};
int election_read(const char *url, struct election_place *place, struct err *err);

struct election_calls {
    /* It leads, with this epoch, until then, after one that left this; and until later. */
    void (*lead)(void *context, uint64_t now, uint64_t epoch, uint64_t until,
                 const struct leader_legacy *legacy);
    void (*extend)(void *context, uint64_t until);
    void (*follow)(void *context, uint64_t now); /* it leads no more */
    void (*say)(void *context, const char *text);
};

struct election_setup {
    const char *url;
    const char *candidate; /* for people: which controller this is */
    double lease;          /* seconds, of agents; that in etcd is as long, in whole seconds */
    const struct election_calls *calls;
    void *context;
};

struct election;

/* Begins when it is settled first. NULL with err. */
struct election *election_new(uv_loop_t *loop, const struct election_setup *setup, struct err *err);
/* Resigns, without `follow`, and leaves this to the next leader; the loop must run after it. NULL
 * is fine. */
void election_free(struct election *election, const struct leader_legacy *legacy);

/* In each turn: tells what has changed and sends what is due; and the latest time for the next. */
void election_settle(struct election *election, uint64_t now);
uint64_t election_next(const struct election *election);

#endif

/* Commands on other nodes that ask this controller: `weir status`, `top` and `ctl` with
 * --controller. For this room only. */
#ifndef WEIR_SERVE_CLIENTS_H
#define WEIR_SERVE_CLIENTS_H

#include "serve/peers.h"

struct clients {
    struct peers *peers;
    struct peer **list; /* by number, NULL = none */
    size_t capacity;
    size_t free; /* none below this is */
    size_t turn; /* whose answer goes on next */
};

/* Their numbers begin here; those of members are below. */
#define CLIENTS_FIRST UINT32_C(0x80000000)

/* After this user's hello: its number, or LINK_NOBODY when memory is out. */
uint32_t clients_join(struct clients *clients, struct link_peer *far, uint32_t uid);
/* It has sent something; it reads again; it is gone. One that misbehaves is disconnected. */
void clients_hear(struct clients *clients, uint32_t number, const void *bytes, size_t size);
void clients_continue(struct clients *clients, uint32_t number);
void clients_lose(struct clients *clients, uint32_t number);

/* Continues one of the answers that were stopped so that others are heard. Returns whether there
 * are more. */
bool clients_proceed(struct clients *clients);

/* Forgets all, which the peers have closed. */
void clients_fini(struct clients *clients);

#endif

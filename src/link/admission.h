/* The hello of a server's connections, between its files. */
#ifndef WEIR_LINK_ADMISSION_H
#define WEIR_LINK_ADMISSION_H

#include "link/connection.h"
#include "link/credential.h"
#include "link/refusals.h"
#include "link/server.h"

struct link_peers {
    struct link_peer *first, *last;
    uint32_t count;
};

/* A connection is in one list: silent until it has sent a credential, deciding until that is read,
 * joined. */
struct link_peer {
    struct connection connection;
    struct link_server *server;
    struct link_peers *list;
    struct link_peer *next, *previous;
    uint64_t since; /* in this list, milliseconds of the loop */
    unsigned char nonce[HELLO_NONCE];
    char *credential; /* while it waits to be read */
    bool closed;      /* the loop has released the connection, */
    bool reading;     /* but a thread still reads its credential */
    struct credential *job;
    uint32_t member;
    char address[REFUSALS_ADDRESS];
    uint8_t origin; /* a hash of it */
};

struct link_server {
    struct connection_host host;
    const struct link_server_calls *calls;
    void *context;
    char munge[CREDENTIAL_PATH];
    struct link_versions speaks;
    uv_tcp_t listener;
    uv_timer_t check;  /* for limits that are over */
    uv_timer_t accept; /* for connections that wait for their turn */
    uv_timer_t expire; /* for strangers whose time is over */
    uint32_t accepted; /* in this turn */
    uint64_t turn;
    struct link_peers silent, deciding, joined;
    uint32_t silent_of[UINT8_MAX + 1]; /* by origin */
    uint32_t readers;
    uint32_t handles; /* that the loop must release first */
    bool closing;
    struct refusals refusals;
};

/* Moves a peer to the end of a list: each is in the order of `since`. */
void server_enlist(struct link_peer *peer, struct link_peers *list);

/* Closes a connection; tells why, once per reason and address; frees it once neither the loop nor a
 * thread needs it. */
void server_close(struct link_peer *peer);
void server_refuse(struct link_peer *peer, const char *reason);
void server_forget(struct link_peer *peer);

/* Takes the credential of a silent peer and has it read; then the peer joins or is refused. NULL,
 * or what is wrong. */
const char *admission_take(struct link_peer *peer, const struct packet *packet);

#endif

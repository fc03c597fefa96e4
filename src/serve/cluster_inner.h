/* The controller of a cluster, between its files: cluster.c has the machines and their turns,
 * cluster_gate.c the connections of agents and commands, cluster_term.c when this controller
 * orders. */
#ifndef WEIR_SERVE_CLUSTER_INNER_H
#define WEIR_SERVE_CLUSTER_INNER_H

#include "cluster/gather.h"
#include "cluster/hub.h"
#include "link/refusals.h"
#include "link/server.h"
#include "serve/clients.h"
#include "serve/cluster.h"
#include "serve/election.h"
#include "serve/holdings.h"

/* What stands between the members and the controller of one channel. */
struct cluster_channel {
    struct cluster *cluster;
    uint32_t number;
    struct controller *controller;
    struct gather *gather;
    double bandwidth; /* that the hub knows */
};

struct cluster {
    struct engine *engine;
    const struct service *service;
    struct hub *hub;
    struct link_server *server;
    struct election *election; /* NULL = it is the only controller */
    struct {
        uint64_t epoch, until;
    } term;                   /* of an elected one */
    struct holdings holdings; /* of the only one: what agents may hold, */
    bool noted;               /* as of this turn */
    struct cluster_channel channels[WIRE_CHANNELS];
    uint32_t count;
    struct link_peer **peers; /* connections by member, NULL = none */
    size_t capacity;
    struct clients clients;
    bool answering;        /* some of them are in the middle of their answers */
    struct uplink *uplink; /* of its own node, */
    uint32_t own;          /* which is this member; HUB_NONE = it is not connected */
    uint64_t now;          /* of this turn */
    struct refusals told;  /* of connections that were closed, */
    struct refusals lost;  /* and of agents that were lost */
    uint64_t next_look, next_beat;
};

/* Why it serves nobody while another one leads. */
#define CLUSTER_STANDS_BY "this controller stands by: it is not the leader"

/* What the hub does with connections, and when it is superseded (struct hub_ops). */
bool cluster_send(void *context, uint32_t member, const void *bytes, size_t size);
void cluster_close(void *context, uint32_t member, const char *why);
void cluster_superseded(void *context, uint64_t now, uint64_t epoch);

/* Tells people what has become of a member that is lost, not too often. */
void cluster_note_lost(struct cluster *cluster, uint32_t member, const char *what);

/* Lets agents and commands connect. 0 or -1. */
int cluster_listen(struct cluster *cluster, struct err *err);

/* Notes what agents may hold, for the next controller; at most once in a turn before it is over. */
void cluster_note(struct cluster *cluster);

/* Lets another controller lead, which learns what agents may hold. */
void cluster_resign(struct cluster *cluster);

/* Begins to order, at once or when it is elected. 0 or -1. */
int cluster_take_office(struct cluster *cluster, struct err *err);

#endif

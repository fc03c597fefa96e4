/* The controller of a cluster: agents of other nodes connect to it, and their nodes are members
 * like its own.
 *
 *     node -> uplink -> [connection] -> hub -> gather -> controller
 *
 * Its own node has an uplink too, whose frames are passed by function calls; so one set of books
 * covers all bandwidth. For this room only. */
#ifndef WEIR_SERVE_CLUSTER_H
#define WEIR_SERVE_CLUSTER_H

#include "serve/engine.h"

struct cluster;

/* Puts itself between the nodes and the controllers of the engine's channels, which are open, and
 * listens for agents, as the configuration says, which must stay. NULL with err. cluster_free must
 * precede the closing of the channels; the loop must run after it. */
struct cluster *cluster_new(struct engine *engine, const struct service *service, struct err *err);
void cluster_free(struct cluster *cluster); /* NULL is fine */

/* As channel_settle and channel_next, for the controllers and all members. */
void cluster_settle(struct cluster *cluster, uint64_t now);
uint64_t cluster_next(const struct cluster *cluster);

/* Another configuration, whose cluster is the same. */
void cluster_configure(struct cluster *cluster, const struct service *service);

/* The port that it listens at. */
int cluster_port(const struct cluster *cluster);

#endif

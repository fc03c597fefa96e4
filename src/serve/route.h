/* The way from the node of a channel to a controller elsewhere: its events go to the uplink, which
 * passes the orders to the node. For this room only. */
#ifndef WEIR_SERVE_ROUTE_H
#define WEIR_SERVE_ROUTE_H

#include "cluster/uplink.h"
#include "serve/channels.h"

struct route {
    struct uplink *uplink;
    uint32_t channel;
};

/* Puts the uplink behind the nodes of all channels. The routes, one for each, must stay. */
void route_all(struct route *routes, struct uplink *uplink, struct channels *channels);

#endif

/* The two ways between node, gatherer, uplink and controller: events go up, orders go down. Each of
 * the four has an end of the kind that its neighbour sends to; none knows which box that is.
 *
 *     node  --events-->  uplink  ~~frames~~>  gatherer  --events-->  controller
 *     node  <--orders--  uplink  <~~frames~~  gatherer  <--orders--  controller
 *
 * On a node with its own controller both are joined directly. A sink is a function and its context;
 * it may send the other way before it returns. */
#ifndef WEIR_NODE_SINK_H
#define WEIR_NODE_SINK_H

#include "base/err.h"
#include "node/message.h"

/* 0, or -1 with err: a JOIN is refused. */
struct event_sink {
    int (*hear)(void *context, uint64_t now, const struct node_message *event, struct err *err);
    void *context;
};

struct order_sink {
    void (*obey)(void *context, uint64_t now, const struct node_message *order);
    void *context;
};

#endif

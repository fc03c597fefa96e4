/* One bandwidth that this process manages: the node with its processes, and the controller or the
 * uplink that it is joined to (node/sink.h).
 *
 * It has no sockets, and takes the time from its caller, in nanoseconds of the clock that the pages
 * use. In each turn the caller reports what came in, then calls channel_settle once. */
#ifndef WEIR_SERVE_CHANNEL_H
#define WEIR_SERVE_CHANNEL_H

#include "cluster/uplink.h"
#include "controller/controller.h"
#include "escape/backstop.h"
#include "node/node.h"

/* How often an application with an open I/O is looked at; and all applications, at every beat. */
#define CHANNEL_LOOK_NS 1000000u
#define CHANNEL_BEAT_NS 50000000u

struct channel {
    char store[WIRE_STORE]; /* its store, for people; "" = it is the only channel */
    /* The configuration of this channel, with its bandwidth and strategy: the one in force, and
     * space for the next. The texts are borrowed. */
    struct service service[2];
    int latest;
    struct node *node;
    struct controller *controller; /* NULL = it is in another process */
    bool direct;                   /* node and controller are joined, and have the same turns */
    struct journal *journal;
    struct backstop *backstop; /* borrowed, or NULL */
    struct users *users;       /* borrowed: their applications are counted; or NULL */
    uint64_t next_look, next_beat;
};

/* Starts a node by itself: it is to be bound to an uplink before its first event; or a node joined
 * to a controller, which takes over `policy`, even on failure. The channel must stay where it is.
 * 0, or -1 with err; channel_close in both cases, which lets all applications run unlimited. */
int channel_open_node(struct channel *channel, const struct service *service, uint64_t now,
                      struct err *err);
int channel_open(struct channel *channel, const struct service *service, struct policy *policy,
                 uint64_t now, struct err *err);
void channel_close(struct channel *channel);

/* Joins the node to an uplink, as its channel of this number. The controller, if it has one, is the
 * caller's to drive. */
void channel_bind(struct channel *channel, struct uplink *uplink, uint32_t number);

/* A process attaches to an application, as in node/node.h; one that leads it enters its control
 * group. What else processes do goes to the node. */
int channel_attach(struct channel *channel, uint64_t now, struct seat *seat,
                   const struct wire_attach *who, struct err *err);

/* Does what is due, decides if anything changed, and writes the pages. */
void channel_settle(struct channel *channel, uint64_t now);

/* The latest time for the next call of channel_settle. */
uint64_t channel_next(const struct channel *channel);

/* Continues with another configuration, as controller_reload does; channel_configure only refers to
 * it. */
int channel_reload(struct channel *channel, uint64_t now, const struct service *service,
                   struct err *err);
void channel_configure(struct channel *channel, const struct service *service);

#endif

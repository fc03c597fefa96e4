/* The agent's side of the controller: events go up, orders are obeyed while the lease is valid.
 *
 * It has neither sockets nor a clock: the caller passes the time, in nanoseconds of the clock that
 * the pages use, and bytes of frames. There is one node per channel, which
 * uplink_bind joins to it. In each turn the caller passes what came in and calls uplink_settle
 * once, which sends at most one frame unless a report needs several.
 *
 * A lease is for all that the agent holds. It is valid until the latest stamp of the agent's clock
 * that the controller has echoed, plus the lease's length. When it ends while programs need the
 * controller, all of them run unthrottled, and so they do without any connection, until the
 * controller has answered a report. No more is queued than one frame: what cannot be sent is
 * dropped, and a report of the full state follows. */
#ifndef WEIR_CLUSTER_UPLINK_H
#define WEIR_CLUSTER_UPLINK_H

#include "node/node.h"

struct uplink_terms {
    double lease;    /* seconds, as in hub_terms */
    double beat;     /* seconds between frames while anything is held, awaited or unacknowledged */
    double progress; /* seconds between reports of bytes for applications on several nodes */
    double floor;    /* bytes/s of each application without a controller, 0 = it runs unthrottled */
    uint32_t channels;
};
#define UPLINK_BEAT     1.0
#define UPLINK_PROGRESS 0.25

/* Sends the body of a frame. False: the peer does not read, and the frame was not taken;
 * uplink_writable tells when it does again. */
typedef bool uplink_send(void *context, const void *bytes, size_t size);

struct uplink;

/* NULL with err when memory is out. uplink_bind, before the first event of the node, lets its
 * events go up here. */
struct uplink *uplink_new(const struct uplink_terms *terms, uplink_send *send, void *context,
                          struct err *err);
void uplink_free(struct uplink *uplink); /* NULL is fine */
void uplink_bind(struct uplink *uplink, uint32_t channel, struct node *node);

/* The controller has welcomed this agent; `version` of the messages is from node_version. It gets a
 * report in the next uplink_settle. And: the connection is gone. */
void uplink_connected(struct uplink *uplink, uint64_t now, uint32_t version);
void uplink_disconnected(struct uplink *uplink, uint64_t now);
void uplink_writable(struct uplink *uplink);

/* Whether only a controller that is elected is obeyed from now on: this one is not the first that
 * the agent knows, and others may be at another one. And: whether the latest frame came from one
 * that is not elected. */
void uplink_demand_election(struct uplink *uplink, bool demand);
bool uplink_is_alone(const struct uplink *uplink);

/* Hears an event of a node. Refuses none: the controller's refusal comes later, and lets the
 * application run unthrottled. */
void uplink_hear(struct uplink *uplink, uint64_t now, uint32_t channel,
                 const struct node_message *event);

/* Takes a frame. 0, or -1 with err: it is malformed, or of a controller that is not obeyed; the
 * caller closes the connection, calls uplink_disconnected and tries the next controller. */
int uplink_frame(struct uplink *uplink, uint64_t now, const void *bytes, size_t size,
                 struct err *err);

/* Does what is due: ends the lease, sends what there is. uplink_next is the latest time for it. */
void uplink_settle(struct uplink *uplink, uint64_t now);
uint64_t uplink_next(const struct uplink *uplink);

/* Whether the controller has not answered for half a lease: then the caller closes the connection,
 * calls uplink_disconnected and tries the next controller. */
bool uplink_is_ignored(const struct uplink *uplink, uint64_t now);

/* The highest epoch it has heard of, for the hello; and the time at which the lease ends, 0 = there
 * is none: programs run unthrottled. */
uint64_t uplink_epoch(const struct uplink *uplink);
uint64_t uplink_lease(const struct uplink *uplink);

#endif

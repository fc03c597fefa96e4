/* The controller's side of all agents: what each was ordered and still holds, leases and epochs.
 *
 * It has neither sockets nor a clock: the caller passes the time, in nanoseconds of one clock, and
 * bytes of frames. Events of the agents go to the caller, orders come from it (cluster/gather.h is
 * meant for both); frames go to the caller as well. In each turn the caller passes what came in,
 * lets the controllers decide, and calls hub_settle once: each agent then gets at most one frame.
 *
 * The rules are those of cluster/lease.h. An agent is known by the name of its node, and one start
 * of it by its incarnation. A member is one start of an agent, with a small number. */
#ifndef WEIR_CLUSTER_HUB_H
#define WEIR_CLUSTER_HUB_H

#include "base/err.h"
#include "node/message.h"

#define HUB_NONE UINT32_MAX

/* The same for all agents and controllers. */
struct hub_terms {
    double lease; /* seconds that a grant is valid after the stamp that renewed it, */
    double drift; /* and the part by which two clocks may differ */
    uint32_t channels;
    double bandwidth[WIRE_CHANNELS];
    bool alone; /* controllers are not elected: there must be only one */
};
#define HUB_LEASE 4.0
#define HUB_DRIFT 0.01

struct hub_place {
    uint32_t channel, member;
};

/* What the caller does for it; the context is passed to each. */
struct hub_ops {
    /* Hears an event. 0, or -1 with err: a JOIN is refused, and the application runs unthrottled.
     */
    int (*hear)(void *context, uint64_t now, struct hub_place from,
                const struct node_message *event, struct err *err);
    /* A full report of the member begins, and ends: on each of the channels. */
    void (*report)(void *context, uint64_t now, struct hub_place from, bool ends);
    /* The member is lost: its applications are not controlled here any more. `restarted`: another
     * start of its agent takes its place. On each of the channels. */
    void (*lose)(void *context, uint64_t now, struct hub_place from, bool restarted);
    /* Sends the body of a frame. False: the peer does not read, and the frame was not taken;
     * hub_writable tells when it does again. */
    bool (*send)(void *context, uint32_t member, const void *bytes, size_t size);
    /* Closes the connection of a member, without hub_disconnect. */
    void (*close)(void *context, uint32_t member, const char *why);
    /* An agent has heard of a higher epoch than ours. The hub is inactive from now on, and all
     * connections are closed. A controller that is entitled to may activate it again from here,
     * with a higher epoch; the agents come back. */
    void (*superseded)(void *context, uint64_t now, uint64_t epoch);
};

struct hub_hello {
    const char *node;     /* name of the node, */
    uint64_t incarnation; /* which start of its agent it is, */
    uint64_t epoch;       /* and the highest epoch it has heard of */
    uint32_t version;     /* of the messages, from node_version */
};

struct hub;

/* Inactive at first. NULL with err when memory is out. hub_free tells nothing. */
struct hub *hub_new(const struct hub_terms *terms, const struct hub_ops *ops, void *context,
                    struct err *err);
void hub_free(struct hub *hub); /* NULL is fine */

/* Begins to order with an epoch above all others, until the time `until`, UINT64_MAX = for ever: a
 * controller that was elected orders nothing unless the next election confirms it before.
 * hub_extend moves that time. `held`: what agents may hold of each channel, as the controller
 * before knew (hub_owed) at its end, NULL = nobody knows. Until agents have reported all of it, or
 * leases of that controller have ended, this one is not in office: it raises only into what has
 * been reported. hub_deactivate closes all connections and loses all members. */
void hub_activate(struct hub *hub, uint64_t now, uint64_t epoch, uint64_t until,
                  const double *held);

/* The epoch to begin with: this one, or the next above all that it has heard of if that is higher.
 * After the last one, FRAME_LAST_EPOCH, the last one again: agents obey it still. */
uint64_t hub_next_epoch(const struct hub *hub, uint64_t epoch);
void hub_extend(struct hub *hub, uint64_t until);
void hub_deactivate(struct hub *hub, uint64_t now);
bool hub_is_active(const struct hub *hub);
uint64_t hub_epoch(const struct hub *hub); /* of this controller; its last one if inactive */
uint64_t hub_heard(const struct hub *hub); /* the highest that it has ever heard of */

/* Whether an agent may not connect for now, since another start of one of the same name is
 * connected and lives: it was heard from within the lease; or it is asked, and has a second to
 * answer. */
bool hub_has_rival(struct hub *hub, uint64_t now, const struct hub_hello *hello);

/* An agent has connected: its member, or HUB_NONE with err if it cannot be served here (then the
 * caller refuses it). A connection of the same node that is still open is closed (ops->close). */
uint32_t hub_connect(struct hub *hub, uint64_t now, const struct hub_hello *hello, struct err *err);
/* The connection of a member is gone. Nothing happens if it had none. */
void hub_disconnect(struct hub *hub, uint64_t now, uint32_t member);
/* It reads again. */
void hub_writable(struct hub *hub, uint32_t member);

/* Takes a frame of a member. 0, or -1 with err: it is malformed, and the caller closes the
 * connection and calls hub_disconnect. */
int hub_frame(struct hub *hub, uint64_t now, uint32_t member, const void *bytes, size_t size,
              struct err *err);

/* Takes an order for one member, with the node's number of the application. */
void hub_order(struct hub *hub, struct hub_place to, const struct node_message *order);

/* Another bandwidth of a channel. */
void hub_set_bandwidth(struct hub *hub, uint32_t channel, double bandwidth);

/* Does what is due: ends leases, raises what there is room for, and sends frames. hub_next is the
 * latest time for it, 0 = at once. A turn sends at most HUB_SLICE frames that no agent waits for.
 */
enum { HUB_SLICE = 64 };
void hub_settle(struct hub *hub, uint64_t now);
uint64_t hub_next(const struct hub *hub);

/* What is known of a member, for people; false if there is none of this number. */
struct hub_member_view {
    const char *node;
    bool connected;
    bool reported;  /* its state is known */
    bool refuses;   /* its agent knows a controller that comes first, and none is elected */
    double silence; /* seconds since its last frame */
    double held;    /* bytes/s of the first channel */
    uint32_t applications;
};
bool hub_member(const struct hub *hub, uint64_t now, uint32_t member, struct hub_member_view *view);
uint32_t hub_members(const struct hub *hub); /* numbers are below this */

/* What a controller that follows must take for held if this one ends now: by agents, and by those
 * of the one before that have not reported. Programs of its own node, which is member `own`, see
 * its end at once. */
double hub_owed(const struct hub *hub, uint32_t channel, uint32_t own);

/* All that agents may hold of a channel: never above its bandwidth, unless that was lowered, or
 * agents report that they hold more. */
double hub_held(const struct hub *hub, uint32_t channel);

/* Frames sent and received so far. */
struct hub_counts {
    uint64_t sent, received;
};
struct hub_counts hub_counts(const struct hub *hub);

#endif

/* One channel as it runs, without sockets: applications attach, post, end and detach; the node
 * tells what stands behind it, and obeys that. Behind it is the controller in this process, by
 * function calls, or the way to a controller elsewhere.
 *
 * It has no clock: the caller passes the time, in nanoseconds of the clock that the pages use. In
 * each turn the caller reports what came in, then calls live_settle once. */
#ifndef WEIR_SERVE_LIVE_H
#define WEIR_SERVE_LIVE_H

#include "controller/controller.h"
#include "escape/backstop.h"
#include "node/node.h"

/* How often an application with an open I/O is looked at; and all applications, at every beat. */
#define LIVE_LOOK_NS 1000000u
#define LIVE_BEAT_NS 50000000u

/* What stands behind a node; the context is passed to each. It hears events and may answer with
 * orders, is asked to decide after them, and hears of every look and beat of the node. */
struct live_head {
    node_tell *hear;
    void (*decide)(void *context, uint64_t now);
    void (*look)(void *context, uint64_t now);
    void (*beat)(void *context, uint64_t now);
    uint64_t (*next)(void *context); /* the latest time for the next call of `decide` */
};

struct live {
    struct node *node;
    struct controller *controller; /* in this process, NULL = there is none */
    const struct live_head *head;
    void *behind;              /* its context */
    struct backstop *backstop; /* borrowed, or NULL */
    struct users *users;       /* borrowed: their applications are counted; or NULL */
    uint64_t next_look, next_beat, beats;
};

/* A node with a controller behind it. Takes over `policy`, even on failure. NULL with err.
 * live_free lets all applications run unlimited, then frees. */
struct live *live_new(const struct service *service, struct policy *policy, struct journal *journal,
                      uint64_t now, struct err *err);
/* A node alone: live_route before its first event. */
struct live *live_new_node(const struct service *service, uint64_t now, struct err *err);
void live_free(struct live *live); /* NULL is fine */

/* Puts something else behind the node. Its controller, if it has one, is the caller's to drive. */
void live_route(struct live *live, const struct live_head *head, void *context);

/* What processes do, as in node/node.h. */
int live_attach(struct live *live, uint64_t now, struct seat *seat, const struct wire_attach *who,
                struct err *err);
void live_detach(struct live *live, uint64_t now, struct seat *seat);
void live_post(struct live *live, uint64_t now, struct seat *seat, const struct wire_post *post);
void live_end(struct live *live, uint64_t now, struct seat *seat);
void live_fail(struct live *live, uint64_t now, struct seat *seat, enum wire_failure why);

/* Does what is due, decides if anything changed, and writes the pages. */
void live_settle(struct live *live, uint64_t now);

/* The latest time for the next call of live_settle. */
uint64_t live_next(const struct live *live);

/* Continues with another configuration, as controller_reload does; live_configure only refers to
 * it. */
int live_reload(struct live *live, uint64_t now, const struct service *service, struct err *err);
void live_configure(struct live *live, const struct service *service);

#endif

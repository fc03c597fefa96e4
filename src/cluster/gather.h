/* Many nodes as one: the parts of an application on different nodes are one application for the
 * controller.
 *
 * It stands between the nodes and a controller, for one channel of bandwidth. Up go events: those
 * of all parts become the events that one node with all the processes would send. Down go orders:
 * what the controller grants is divided among the parts. Like both ends it has neither sockets nor
 * a clock, and its messages are absolute: one that is repeated changes nothing.
 *
 * A node is a member, with a number that the caller gives it; small numbers, since arrays are
 * indexed by them. An application is known by uid and token, a part by its member and the number
 * that the node has for the application. The controller's numbers are the gatherer's own.
 *
 * One I/O. It begins with the first part's, pauses when no part moves, resumes with the first that
 * does, and ends when no part has an open one. Volumes that parts announce add up, also of parts
 * that have ended theirs meanwhile; a part that announced none counts with what it has moved when
 * another does. As long as none has announced any, the volume is unknown. Bytes, processes and
 * escapes are sums, and bytes of a part that has left stay counted.
 *
 * Nodes. An application has as many as its parts say, or as it has parts if those are more. What
 * else a JOIN holds is taken from its first part; its pid is that of its oldest part.
 *
 * Shares. Parts that move, or probe, share the grant; all others hold 0. A part can use what one
 * node can (gather_bound). A part that moves less than it holds needs less: if it moved r bytes/s
 * and that is below 1/GATHER_ROOM of what it held, over at least GATHER_BYTES that it was granted
 * and GATHER_WINDOW_NS, it needs GATHER_ROOM times r, until it moves GATHER_FULL of what it holds
 * or begins another I/O. A part that probes needs GATHER_PROBE of an equal share. All others need
 * what they can use. The division is max-min fair: first up to what each needs; then the rest, if
 * there is any, up to what each can use. So the parts hold min(grant, what they can use together),
 * and never more than the grant: shares are lowered before others are raised.
 *
 * Orders go to nodes in gather_settle only, and only those that change something. */
#ifndef WEIR_CLUSTER_GATHER_H
#define WEIR_CLUSTER_GATHER_H

#include "base/err.h"
#include "node/sink.h"

/* How a part's need is measured. A call moves up to 16 MiB at once, as does Open MPI: what is moved
 * in a window is known to a quarter of GATHER_BYTES. */
#define GATHER_ROOM      1.5
#define GATHER_FULL      0.9
#define GATHER_PROBE     0.125
#define GATHER_BYTES     (64.0 * 1024 * 1024)
#define GATHER_WINDOW_NS 100000000u

/* A new grant is divided at once. Within one, shares move at the earliest this long after the last
 * division, and GATHER_ORDER_NS more for each order that it took: so an application on thousands of
 * nodes whose parts begin one after the other does not drown the network. */
#define GATHER_TURN_NS  2000000u
#define GATHER_ORDER_NS 10000u

/* Parts are asked for their bytes at most this often; the controller is answered at once with what
 * is known. */
#define GATHER_COUNT_NS 5000000u

/* Passes an order to one node, which may answer a COUNT with its PROGRESS (gather_hear) at once. */
typedef void gather_order(void *context, uint64_t now, uint32_t member,
                          const struct node_message *order);

struct gather;

/* Its events go `up` to a controller; `order` gets the context. NULL with err when memory is out.
 * gather_free tells nothing. */
struct gather *gather_new(struct event_sink up, gather_order *order, void *context,
                          struct err *err);
void gather_free(struct gather *gather); /* NULL is fine */

/* What one node can move, bytes/s > 0; INFINITY, as at first: no bound is known. */
void gather_bound(struct gather *gather, double node_bandwidth);

/* Hears an event of a member, with the node's number of the application. 0, or -1 with err: a JOIN
 * is refused, or memory is out; there is no such part then, and what follows of it does nothing.
 * A JOIN of another application with a known number means that the LEAVE before was lost. */
int gather_hear(struct gather *gather, uint64_t now, uint32_t member,
                const struct node_message *event, struct err *err);

/* Obeys an order of the controller, with the controller's number of the application. Nodes hear of
 * it in the next gather_settle. */
void gather_obey(struct gather *gather, uint64_t now, const struct node_message *order);
struct order_sink gather_orders(struct gather *gather); /* the same as a sink */

/* Seconds that an application is kept whose nodes are all lost: the same agent may come back; and
 * if an agent was started again, its programs attach within a call. */
#define GATHER_AWAY    60.0
#define GATHER_RESTART 5.0

/* The node is lost: its parts are absent, with the bytes known of them. One that JOINs with the
 * same `counter` goes on from there, so that no byte counts twice; without a counter it leaves at
 * once. `restarted`: another start of its agent takes its place. */
void gather_lose(struct gather *gather, uint64_t now, uint32_t member, bool restarted);

/* Closes the applications whose last parts are absent and no longer waited for: now and then. And
 * waits for all of them from now on, since a controller is back that nobody could reach. */
void gather_expire(struct gather *gather, uint64_t now);
void gather_await(struct gather *gather, uint64_t now);

/* A member reports its full state between these two: JOIN of each application, PROGRESS, and POST
 * if its I/O is open, then PAUSE if that pauses. What does not JOIN again has left, an I/O without
 * a POST is over. A report that begins again replaces the one before. The node is assumed to have
 * missed all orders: they are sent again. */
void gather_report_begins(struct gather *gather, uint32_t member);
void gather_report_ends(struct gather *gather, uint64_t now, uint32_t member);

/* Sends what is due: first all orders that lower a rate, then those that raise one. To be called
 * once in each turn, after the controller's decision; gather_next is the latest time for it, 0 = at
 * once, UINT64_MAX = not before something happens. */
void gather_settle(struct gather *gather, uint64_t now);
uint64_t gather_next(const struct gather *gather);

/* How many applications and parts there are; those without a part are not counted. */
uint32_t gather_applications(const struct gather *gather);
uint32_t gather_parts(const struct gather *gather);

#endif

/* What happens on one node: the applications' pages and processes, and when an I/O begins, pauses,
 * continues and ends. It tells the controller by events, and obeys its orders (node/message.h).
 *
 * It has neither sockets nor a clock: the caller passes the time, in nanoseconds of the clock that
 * the pages use, and calls node_look and node_beat now and then. */
#ifndef WEIR_NODE_NODE_H
#define WEIR_NODE_NODE_H

#include "base/err.h"
#include "node/app.h"
#include "node/sink.h"

#define NODE_NONE UINT32_MAX

/* The controller is told of large calls in the store, and of calls that wait and are this many
 * seconds ahead. */
#define NODE_AHEAD 0.002

/* What the process around a node does for each of its applications: called when the first process
 * of one has attached, and before one leaves. */
struct node_host {
    void (*joined)(void *context, struct node_app *app);
    void (*leaves)(void *context, struct node_app *app);
    void *context;
};

/* What the configuration tells a node. */
struct node_terms {
    struct watch_rule rule;
    uint64_t patience; /* nanoseconds that a call waits at most, 0 = for ever */
    uint64_t life;     /* which start of a node this is, of all that ever were; 0 = unknown */
};

struct node {
    struct node_terms terms;
    struct event_sink up;
    struct node_host host;  /* its functions may be NULL */
    uint64_t origin;        /* the time of second 0 */
    struct node_app **apps; /* by number, NULL = free */
    uint32_t capacity, count, processes;
    uint32_t first_free; /* no number below is free */
    uint32_t *open;      /* numbers of the applications whose I/O is not over */
    uint32_t open_count;
    struct tokens tokens; /* of the applications */
    uint64_t counters;    /* of bytes: applications so far */
    uint32_t numbers; /* of I/Os: those of applications that have left are not above; one that comes
                         back uses none again */
};

/* A process of an application, which is what a connection stands for. */
struct seat {
    uint32_t uid;         /* of its user, from the kernel, */
    int32_t pid;          /* and its own, 0 = unknown */
    struct node_app *app; /* NULL = not attached */
    uint32_t slot;
    uint32_t begun; /* I/Os it announced and has not yet ended */
};

/* NULL with err when memory is out. node_free lets all applications run unlimited, then frees; it
 * tells nothing. */
struct node *node_new(const struct node_terms *terms, struct event_sink up, uint64_t now,
                      struct err *err);
void node_free(struct node *node); /* NULL is fine */

/* Continues with other terms. */
void node_configure(struct node *node, const struct node_terms *terms);

/* A process joins an application. 0, or -1 with err: too many applications or processes, the
 * controller refuses the application, or memory is out. */
int node_attach(struct node *node, uint64_t now, struct seat *seat, const struct wire_attach *who,
                struct err *err);
/* The process is gone; the application leaves with its last process. Does nothing if the process
 * was not attached. */
void node_detach(struct node *node, uint64_t now, struct seat *seat);

/* A process begins an I/O, or ends one that it announced. */
void node_post(struct node *node, uint64_t now, struct seat *seat, const struct wire_post *post);
void node_end(struct node *node, uint64_t now, struct seat *seat);

/* A process runs uncontrolled. It is counted as long as it is attached. */
void node_fail(struct node *node, uint64_t now, struct seat *seat, enum wire_failure why);

/* Obeys an order. One for an application that is not there, or for an earlier I/O, does nothing. */
void node_obey(struct node *node, uint64_t now, const struct node_message *order);
struct order_sink node_orders(struct node *node); /* the same as a sink */

/* Looks at all open I/Os: which pause, continue or are over. */
void node_look(struct node *node, uint64_t now);

/* Writes heartbeats, and reports the progress of all applications. */
void node_beat(struct node *node, uint64_t now);

/* Tells again all that is known of an application: JOIN, its I/O (POST and RESUME or PAUSE, or the
 * END of its last one) and PROGRESS. */
void node_repeat(struct node *node, uint64_t now, struct node_app *app);

/* Begins the I/Os of processes whose messages were lost: those that are still not heard of when it
 * is called again. A message may be on its way the first time, and with it the volume. */
void node_recover(struct node *node, uint64_t now);

/* --- between the files of this room ----------------------------------------------------------- */

/* Converts a time of the clock to seconds since the start. */
double node_seconds(const struct node *node, uint64_t now);

/* Passes an event that cannot be refused. */
void node_send(struct node *node, uint64_t now, const struct node_message *event);

/* The beginning or continuation of an I/O of this volume, 0 = unknown; and its end, at the time
 * `ended` in seconds. */
void node_begin_io(struct node *node, uint64_t now, struct node_app *app, double volume);
void node_end_io(struct node *node, uint64_t now, struct node_app *app, double ended);
/* Tells again what is known of its I/O. */
void node_repeat_io(struct node *node, uint64_t now, struct node_app *app);
/* Removes it from the list of open I/Os. */
void node_unlist(struct node *node, struct node_app *app);

#endif

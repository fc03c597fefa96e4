/* The live processes: sockets, pages and the clock around the controller that the simulator uses,
 * unchanged; or around a node whose controller is elsewhere. */
#ifndef WEIR_SERVE_SERVE_H
#define WEIR_SERVE_SERVE_H

#include "base/err.h"
#include "model/service.h"

/* Callbacks; each may be NULL. */
struct serve_hooks {
    void (*ready)(void *context);                    /* once, when the socket listens */
    void (*posted)(void *context, const char *name); /* the application of this name posts an I/O */
    void (*say)(void *context, const char *text);    /* a note for people */
    /* Reads the configuration again. 0, or -1 with err; the caller of this frees the arena. */
    int (*reload)(void *context, struct service *service, struct err *err);
    void *context;
};

/* Serves until SIGTERM or SIGINT. SIGHUP, unless ignored, reloads the configuration and reopens the
 * journal. 0, or -1 with err: another process listens at the socket, a path is too long, the
 * journal, the state, the cgroup or a strategy is unusable, or memory is out. The socket has mode
 * 0666: every user may join, only root and the controller's user may change settings. */
int serve_run(const struct service *service, const struct serve_hooks *hooks, struct err *err);

/* The agent of a node: serves its programs in the same way, for the controller that the cluster's
 * part of the configuration names; of the rest only the socket counts. The controller tells it
 * everything else. Until one does, and when none answers for a lease, programs run unthrottled. */
int agent_run(const struct service *service, const struct serve_hooks *hooks, struct err *err);

#endif

/* The live controller process: sockets, pages and the clock around the controller that the
 * simulator uses, unchanged. */
#ifndef WEIR_DAEMON_DAEMON_H
#define WEIR_DAEMON_DAEMON_H

#include "base/err.h"
#include "model/service.h"

/* What others are told and asked; each may be NULL. */
struct daemon_hooks {
    void (*ready)(void *context);                    /* once, when the socket listens */
    void (*posted)(void *context, const char *name); /* the application of this name, an I/O */
    void (*say)(void *context, const char *text);    /* what people should know */
    /* Reads the configuration again. 0, or -1 with err; the daemon frees the arena. */
    int (*reload)(void *context, struct service *service, struct err *err);
    void *context;
};

/* Serves until SIGTERM or SIGINT; SIGHUP, unless it is ignored, reloads the configuration and opens
 * the journal again. 0, or -1 with err: somebody listens at the socket, a path is too long, the
 * journal, the state, the cgroup or a strategy cannot be used, memory is out. The socket is mode
 * 0666: everybody may join, only root and the controller's user may change settings. */
int daemon_run(const struct service *service, const struct daemon_hooks *hooks, struct err *err);

#endif

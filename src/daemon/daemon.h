/* The live controller process: sockets, pages and the clock around the controller that the
 * simulator uses, unchanged. */
#ifndef WEIR_DAEMON_DAEMON_H
#define WEIR_DAEMON_DAEMON_H

#include "base/err.h"
#include "model/service.h"
#include "policy/policy.h"

/* What others are told; each may be NULL. */
struct daemon_hooks {
    void (*ready)(void *context);                    /* once, when the socket listens */
    void (*posted)(void *context, const char *name); /* the application of this name, an I/O */
    void *context;
};

/* Serves until SIGTERM, SIGINT or SIGHUP. 0, or -1 with err: somebody listens at the socket, a
 * path is too long, the journal cannot be written, memory is out. `policy` is taken over. The
 * socket is mode 0666: everybody may join, only root and the controller's user may change settings.
 */
int daemon_run(const struct service *service, struct policy *policy,
               const struct daemon_hooks *hooks, struct err *err);

#endif

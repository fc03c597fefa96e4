/* The socket that the controller listens at: one live controller per path; dead ones' sockets are
 * replaced. */
#ifndef WEIR_SERVE_LISTENER_H
#define WEIR_SERVE_LISTENER_H

#include "base/err.h"
#include <stdbool.h>
#include <sys/stat.h>

struct listener {
    int fd;
    const char *path;
    struct stat file; /* identifies the socket it created */
};

/* Binds and listens; every user may connect. 0, or -1: another process listens there, the path is
 * too long, another file is there, or the socket cannot be created. */
int listener_open(struct listener *listener, const char *path, struct err *err);

/* Whether its socket still exists at the path. */
bool listener_is_there(const struct listener *listener);

/* Closes the socket and listens at a new one; connections stay. 0, or -1 as above, and the call may
 * be repeated. */
int listener_renew(struct listener *listener, struct err *err);

/* Closes the socket, and removes it unless another one has replaced it. */
void listener_close(struct listener *listener);

#endif

/* The socket at which the controller listens: one alive at a path, whatever dead ones left. */
#ifndef WEIR_DAEMON_LISTENER_H
#define WEIR_DAEMON_LISTENER_H

#include "base/err.h"
#include <stdbool.h>
#include <sys/stat.h>

struct listener {
    int fd;
    const char *path;
    struct stat file; /* to know again what it made */
};

/* Binds and listens; everybody may connect. 0, or -1: somebody listens there already, the path
 * is too long, something else is there, or it cannot be made. */
int listener_open(struct listener *listener, const char *path, struct err *err);

/* Whether its socket is still where it was made. */
bool listener_is_there(const struct listener *listener);

/* Closes it and listens at a socket that it makes again; those that are connected stay. 0, or -1 as
 * above, and then it may be tried again. */
int listener_renew(struct listener *listener, struct err *err);

/* Closes it, and removes the socket unless another one is there by now. */
void listener_close(struct listener *listener);

#endif

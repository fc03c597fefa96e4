/* The socket at which the controller listens: one alive at a path, whatever dead ones left. */
#ifndef WEIR_DAEMON_LISTENER_H
#define WEIR_DAEMON_LISTENER_H

#include "base/err.h"
#include <sys/stat.h>

struct listener {
    int fd;
    const char *path;
    struct stat file; /* to know again what it made */
};

/* Binds and listens; everybody may connect. 0, or -1: somebody listens there already, the path
 * is too long, something else is there, or it cannot be made. */
int listener_open(struct listener *listener, const char *path, struct err *err);

/* Closes it, and removes the socket unless another one is there by now. */
void listener_close(struct listener *listener);

#endif

/* What a service manager is told: systemd's protocol, a datagram to $NOTIFY_SOCKET. Without that
 * variable nothing happens. */
#ifndef WEIR_DAEMON_NOTIFY_H
#define WEIR_DAEMON_NOTIFY_H

#include <stdint.h>

struct notify {
    int fd;            /* -1 = nobody asked */
    uint64_t interval; /* nanoseconds between signs of life, 0 = none are expected */
    uint64_t next;     /* date of the next one */
};

/* Reads the environment; a socket that cannot be reached counts as none. */
void notify_open(struct notify *notify);
void notify_close(struct notify *notify);

void notify_ready(const struct notify *notify);
void notify_stopping(const struct notify *notify);
/* It reloads, since `now` in nanoseconds of the monotonic clock, until it is ready again. */
void notify_reloading(const struct notify *notify, uint64_t now);
/* A sign of life if one is due, twice as often as is asked for. */
void notify_beat(struct notify *notify, uint64_t now);

#endif

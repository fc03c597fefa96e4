/* Notices to a service manager in systemd's protocol: a datagram to $NOTIFY_SOCKET. Without that
 * variable nothing happens. */
#ifndef WEIR_SERVE_NOTIFY_H
#define WEIR_SERVE_NOTIFY_H

#include <stdint.h>

struct notify {
    int fd;            /* -1 = there is no manager */
    uint64_t interval; /* nanoseconds between heartbeats, 0 = none are expected */
    uint64_t next;     /* time of the next one */
};

/* Reads the environment; an unreachable socket counts as none. */
void notify_open(struct notify *notify);
void notify_close(struct notify *notify);

void notify_ready(const struct notify *notify);
void notify_stopping(const struct notify *notify);
/* The controller reloads since `now`, in nanoseconds of the monotonic clock, until it is ready
 * again. */
void notify_reloading(const struct notify *notify, uint64_t now);
/* Sends a heartbeat if one is due, at twice the expected frequency. */
void notify_beat(struct notify *notify, uint64_t now);

#endif

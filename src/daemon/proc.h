/* What the kernel says of processes, in /proc. A process that has gone, or that may not be looked
 * at (another user's, unless we are root), is simply not seen. */
#ifndef WEIR_DAEMON_PROC_H
#define WEIR_DAEMON_PROC_H

#include "daemon/escape.h"
#include "model/service.h"
#include <sys/types.h>

enum { PROC_STORES = 64 }; /* further ones are not recognised */

/* The stores, as descriptors are compared with them. Without any, all regular files are on one. */
struct proc_stores {
    uint32_t count;
    struct {
        char path[1024]; /* without symbolic links and a slash at its end */
        size_t length;
        dev_t device;
        bool whole; /* the device is mounted there, so all of it is the store's */
    } list[PROC_STORES];
};
void proc_stores_init(struct proc_stores *stores, const struct service *service);

/* Its parent, start and children. False if it is not there. */
bool proc_find(int32_t pid, struct escape_look *look);

/* The bytes that it moved. False if they cannot be read. */
bool proc_count(struct escape_look *look);

/* The rest: its descriptors, preload, and why it has none. False if they cannot be read. */
bool proc_look_closely(struct escape_look *look, const struct proc_stores *stores);

/* The token in its environment. False if there is none. */
bool proc_token(int32_t pid, uint64_t token[2]);

#endif

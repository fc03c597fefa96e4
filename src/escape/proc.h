/* What the kernel reports about processes in /proc. A process that is gone or unreadable (another
 * user's, unless the controller runs as root) is simply not seen. */
#ifndef WEIR_ESCAPE_PROC_H
#define WEIR_ESCAPE_PROC_H

#include "model/service.h"
#include "node/escape.h"
#include <sys/types.h>

enum { PROC_STORES = 64 }; /* further stores are not recognised */

/* The stores, prepared for comparison with descriptors. Without stores every regular file counts.
 */
struct proc_stores {
    uint32_t count;
    bool found;
    struct proc_store {
        char path[1024]; /* as configured, then without symbolic links and final slash */
        size_t length;
        dev_t device;
        bool whole; /* the device is mounted there, so all of it is the store */
    } list[PROC_STORES];
};
/* Only remembers the paths; finds what they are, once, and waits for stores that do not answer. */
void proc_stores_init(struct proc_stores *stores, const struct service *service);
void proc_stores_find(struct proc_stores *stores);

/* Finds its parent, start and children. False if there is no such process. */
bool proc_find(int32_t pid, struct escape_look *look);

/* Reads the bytes that it moved. False if they cannot be read. */
bool proc_count(struct escape_look *look);

/* Reads the rest: its descriptors, its preload, and why it has none. False if they cannot be read.
 */
bool proc_look_closely(struct escape_look *look, const struct proc_stores *stores);

/* The token in its environment. False if there is none. */
bool proc_token(int32_t pid, uint64_t token[2]);

#endif

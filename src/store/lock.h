/* One writer per database: a file beside it that the kernel locks, so that the lock ends with its
 * process however that ends. The file names its process, for others to tell. */
#ifndef WEIR_STORE_LOCK_H
#define WEIR_STORE_LOCK_H

#include "base/err.h"

struct store_lock {
    char *path; /* NULL = not held */
    int file;
};

/* Locks `place`.lock, the place of the file that the user calls `path`. 0, or -1 with err: another
 * process holds it, which err names, or it cannot be created, or the file has hard links: the lock
 * goes by name, as SQLite's journal does, and would not keep away writers that use another one. */
int store_lock_take(struct store_lock *lock, const char *place, const char *path, struct err *err);

/* Removes the file; does nothing if the lock is not held. */
void store_lock_release(struct store_lock *lock);

#endif

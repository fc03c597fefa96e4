/* Temporary directories. */
#ifndef WEIR_REPLAY_PLACE_H
#define WEIR_REPLAY_PLACE_H

#include "base/err.h"
#include <stddef.h>

/* Creates a directory inside `parent` and writes its path; 0, or -1 with err. */
int place_make(const char *parent, char *path, size_t size, struct err *err);

/* Removes the directory and the files in it. "" is fine. */
void place_remove(const char *path);

/* Where temporary files go: $TMPDIR, else /tmp. */
const char *place_temporary(void);

/* A writable directory in memory if there is one, else the temporary one: a test of control should
 * not wait for a disk. */
const char *place_fast(void);

#endif

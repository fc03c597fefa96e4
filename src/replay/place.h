/* Directories for a while. */
#ifndef WEIR_REPLAY_PLACE_H
#define WEIR_REPLAY_PLACE_H

#include "base/err.h"
#include <stddef.h>

/* Makes a new directory inside `parent` and writes its path; 0, or -1 with err. */
int place_make(const char *parent, char *path, size_t size, struct err *err);

/* Removes it and the files in it. "" is fine. */
void place_remove(const char *path);

/* Where temporary files go: $TMPDIR, else /tmp. */
const char *place_temporary(void);

/* A directory in memory, if there is one that can be written, else the temporary one: what a test
 * of control should not wait for is a disk. */
const char *place_fast(void);

#endif

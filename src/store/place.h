/* Where the file of a database really is. */
#ifndef WEIR_STORE_PLACE_H
#define WEIR_STORE_PLACE_H

#include "base/err.h"

/* The absolute path of a file that may be missing, with all symbolic links followed: two names of
 * one file give the same text, and SQLite takes none of them for anything but a file. NULL with
 * err: it is empty or ":memory:", names something that is not a regular file, or its directory
 * cannot be found. free() frees. */
char *place_resolve(const char *path, struct err *err);

#endif

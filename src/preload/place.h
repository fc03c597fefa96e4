/* Where the store is: what the environment says, and whether a file is there. */
#ifndef WEIR_PRELOAD_PLACE_H
#define WEIR_PRELOAD_PLACE_H

#include <stdbool.h>

/* Reads the environment; once, before the program can change it. */
void place_init(void);

/* Whether there is a controller to ask at all. */
bool place_active(void);

/* Whether the path, relative to the directory `dir` or AT_FDCWD, names something on the store.
 * Goes by the text: symbolic links on the way are not followed. Never changes errno. */
bool place_has_path(int dir, const char *path);

/* Whether the descriptor is open on a regular file of the store. Never changes errno. */
bool place_has_file(int fd);

#endif

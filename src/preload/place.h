/* Where the store is: what the environment says, and whether a file is there. */
#ifndef WEIR_PRELOAD_PLACE_H
#define WEIR_PRELOAD_PLACE_H

#include "wire/message.h"
#include <stdbool.h>

/* Reads the environment; once, before the program can change it. */
void place_init(void);

/* On what terms the I/O of a store is controlled, of which this is the number; of any other, on
 * those of channel 0. */
const struct wire_terms *place_terms(int store);

/* No store has a channel of this number or above. */
uint32_t place_channels(void);

/* Both return the number of the store among those given, 0 if none are given and everything is
 * controlled, or -1; and never change errno. */

/* Where the path, relative to the directory `dir` or AT_FDCWD, leads. Goes by the text, of every
 * place where a store is mounted: symbolic links on the way are not followed. */
int place_of_path(int dir, const char *path);

/* Where the regular file lies on which the descriptor is open, however it was opened. A file with
 * several names on the file system of a store that is only a part of it counts as being there: the
 * others may be in the store. */
int place_of_file(int fd);

#endif

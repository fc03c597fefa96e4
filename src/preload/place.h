/* Where the stores are, from the environment, and whether a file is on one. */
#ifndef WEIR_PRELOAD_PLACE_H
#define WEIR_PRELOAD_PLACE_H

#include "wire/message.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Reads the environment, once, before the program can change it. */
void place_init(void);

/* The terms on which I/O of the store of this number is controlled; any other number gives the
 * terms of channel 0. */
const struct wire_terms *place_terms(int store);

/* Every store's channel is below this number. */
uint32_t place_channels(void);

/* Both return the number of the store among those given; 0 if none are given and everything is
 * controlled; or -1. They never change errno. */

/* The store of a path relative to the directory `dir`, or AT_FDCWD. Compares the text with every
 * place where a store is mounted: symbolic links are not followed. */
int place_of_path(int dir, const char *path);

/* The store of the regular file that the descriptor is open on, however it was opened. Where a
 * store is part of a file system, a file there with several names counts as on the store: its other
 * names may be in it. */
int place_of_file(int fd);

/* What the kernel knows of a regular file without asking the file system, for which that may be a
 * request over the network: the size may be outdated, and is there only if it is wanted, since some
 * file systems ask for that of a file that was written. False if it is not a regular file. Never
 * changes errno. */
struct place_file {
    dev_t device;
    uint32_t names; /* hard links */
    off64_t size;
};
bool place_look(int fd, bool sized, struct place_file *file);

#endif

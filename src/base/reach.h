/* Stores that may hang: what a path is, asked with a bound on the wait. */
#ifndef WEIR_BASE_REACH_H
#define WEIR_BASE_REACH_H

#include <stdint.h>
#include <sys/stat.h>

/* As stat: 0, or an errno; ETIMEDOUT if it does not answer within `limit` nanoseconds. */
int reach_store(const char *path, uint64_t limit, struct stat *file);

#endif

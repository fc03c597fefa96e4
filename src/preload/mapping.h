/* Mappings of files of stores: what is moved through them is not seen, so their length is counted,
 * also when they grow. */
#ifndef WEIR_PRELOAD_MAPPING_H
#define WEIR_PRELOAD_MAPPING_H

#include <stdbool.h>
#include <stddef.h>

/* A file of a store is mapped there. Of more than some hundred at a time the growth is not seen. */
void mapping_add(const void *at, size_t bytes);

/* Nothing is mapped there any more, or something else. */
void mapping_remove(const void *at, size_t bytes);

/* Whether one begins there that mapping_add has counted. */
bool mapping_begins(const void *at);

#endif

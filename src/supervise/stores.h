/* The stores of the application, from the environment, for a process that looks at files of others.
 */
#ifndef WEIR_SUPERVISE_STORES_H
#define WEIR_SUPERVISE_STORES_H

#include "supervise/target.h"
#include "wire/message.h"

/* Reads the environment, once. Touches no store. */
void stores_init(void);

/* Every store's channel is below this number. */
uint32_t stores_channels(void);

/* Whether a descriptor with this name may be a file of a store. */
bool stores_may_hold(const char *path);

/* The terms of the store that a file is on; NULL if it is on none. */
const struct wire_terms *stores_terms(const struct target_file *file);

#endif

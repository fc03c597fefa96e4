/* The keys that describe what a file system does besides moving B bytes/s. */
#ifndef WEIR_FORMAT_STORE_KEYS_H
#define WEIR_FORMAT_STORE_KEYS_H

#include "format/reader.h"
#include "model/store.h"

/* Both read into a const struct store *, which is made in the scenario's arena if it is NULL. */
extern const struct kind kind_contention;
extern const struct kind kind_health;

/* The mappings of which they consist; ends with NULL. */
extern const struct key_table *const store_tables[];

#endif

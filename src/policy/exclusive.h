/* The orders of the exclusive strategies: keys by which the lowest goes first. */
#ifndef WEIR_POLICY_EXCLUSIVE_H
#define WEIR_POLICY_EXCLUSIVE_H

#include "policy/greedy.h"

/* Returns the rank and the key; the caller fills in the application. */
typedef struct greedy_item exclusive_key(const struct weir_view *view, uint32_t app);

/* Orders of `list` and `periodic`: names (ending with NULL) and keys, in the same order. */
extern const char *const exclusive_list_orders[];
extern exclusive_key *const exclusive_list_keys[];
extern const char *const exclusive_periodic_orders[];
extern exclusive_key *const exclusive_periodic_keys[];

#endif

/* The section `shares` of a scenario, and of a controller's configuration. */
#ifndef WEIR_FORMAT_SHARE_TREE_H
#define WEIR_FORMAT_SHARE_TREE_H

#include "format/reader.h"
#include "model/shares.h"

extern const struct kind kind_shares; /* const struct shares *, in the scenario's arena */

/* The mappings of which it consists. */
extern const struct key_table share_table, share_account_table, share_user_table;

#endif

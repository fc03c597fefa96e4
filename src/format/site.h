/* What a scenario and a controller's configuration have in common: the machine, its stores, limits
 * and shares, and the strategy. One table of keys reads both. */
#ifndef WEIR_FORMAT_SITE_H
#define WEIR_FORMAT_SITE_H

#include "format/kinds.h"
#include "model/limit.h"
#include "model/stores.h"

extern const struct kind kind_stores;      /* struct stores, in the scenario's arena */
extern const struct kind kind_limits;      /* struct limits */
extern const struct kind kind_site_shares; /* const struct shares * */

/* The context of a reader whose users are those of this machine: they become their numbers, and an
 * unknown one is an error. Else they are names, whatever they are. */
extern const char site_live;

/* Rows of a table of keys for a struct that has members of these names. */
#define SITE_KEYS(type, stores_help, policy_help)                                                  \
    {"platform", &kind_platform, offsetof(type, platform), OPTIONAL, "the machine"},               \
        {"policy", &kind_text, offsetof(type, policy), OPTIONAL, policy_help},                     \
        {"stores", &kind_stores, offsetof(type, stores), OPTIONAL, stores_help},                   \
        {"limits", &kind_limits, offsetof(type, limits), OPTIONAL,                                 \
         "of applications and users, whatever the strategy grants"},                               \
    {                                                                                              \
        "shares", &kind_site_shares, offsetof(type, shares), OPTIONAL,                             \
            "divides the bandwidth among accounts and users; default: the strategy alone decides"  \
    }

/* The mappings of which these consist, all but the platform; ends with NULL. */
extern const struct key_table *const site_tables[];

/* Reads a user as the system knows it, a number as it is; 0 or -1. */
int site_read_uid(struct reader *reader, const struct key *key, void *into);

#endif

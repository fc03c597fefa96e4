/* Shares: a tree of weights over accounts and users that divides the bandwidth, whatever the
 * strategy (docs/reference/shares.md). An account has a weight among its siblings, a user one inside its
 * account; what one does not use goes to the others. */
#ifndef WEIR_MODEL_SHARES_H
#define WEIR_MODEL_SHARES_H

#include "base/arena.h"
#include "base/err.h"
#include <stdbool.h>
#include <stdint.h>

/* The levels of the tree from the root down, as a file names them; the last two exclude each
 * other. Below its lowest level the strategy decides. */
#define SHARE_LEVELS(X)                                                                            \
    X(ACCOUNT, "account")                                                                          \
    X(USER, "user")                                                                                \
    X(APPLICATION, "application")                                                                  \
    X(SIZE, "size")

enum share_level {
#define X(name, text) SHARE_##name,
    SHARE_LEVELS(X)
#undef X
        SHARE_LEVEL_COUNT
};
extern const char *const share_level_names[SHARE_LEVEL_COUNT + 1]; /* ends with NULL */

struct share_account {
    const char *name;
    const char *parent; /* NULL = none: it stands at the top */
    double weight;
};

struct share_user {
    const char *name;
    const char *account; /* NULL = in every account */
    double weight;
};

struct shares {
    unsigned levels; /* bit l: the tree has level l */
    double period;   /* seconds of the whole bandwidth by which a strategy may favour one, > 0 */
    const struct share_account *accounts; /* parents stand before their children */
    uint32_t account_count;
    const struct share_user *users;
    uint32_t user_count;
};

#define SHARES_LEVELS (1u << SHARE_ACCOUNT | 1u << SHARE_USER)
#define SHARES_PERIOD 10.0

/* The deepest level of an account, and the most accounts, and users, that can be listed. */
enum { SHARES_DEPTH = 16, SHARES_MOST = 4096 };

static inline bool shares_have(const struct shares *shares, enum share_level level)
{
    return shares->levels >> level & 1;
}

/* The account of this name, or NULL. */
const struct share_account *shares_account(const struct shares *shares, const char *name);

/* The user's entry in this account (NULL = none), else that for every account, else NULL. */
const struct share_user *shares_user(const struct shares *shares, const char *name,
                                     const char *account);

/* The account of a user who has none: the first that is listed for it, else NULL. */
const char *shares_account_of(const struct shares *shares, const char *user);

/* Reports that a strategy which follows a plan cannot keep shares; -1. */
int shares_refuse_plan(struct err *err);

/* A copy in the arena, with all texts; NULL when memory is out. */
const struct shares *shares_copy(const struct shares *shares, struct arena *arena);

/* Whether the account, or the user, at this index may stand after those before it. 0, or -1 with
 * what is wrong: it is there twice, its parent or account is not listed before, or too deep. */
int shares_check_account(const struct shares *shares, uint32_t index, struct err *err);
int shares_check_user(const struct shares *shares, uint32_t index, struct err *err);

#endif

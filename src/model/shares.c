#include "model/shares.h"
#include <stddef.h>
#include <string.h>

const char *const share_level_names[SHARE_LEVEL_COUNT + 1] = {
#define X(name, text) text,
    SHARE_LEVELS(X)
#undef X
};

/* Among the first `count`. */
static const struct share_account *shares_seek(const struct shares *shares, uint32_t count,
                                               const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(shares->accounts[i].name, name) == 0)
            return &shares->accounts[i];
    return NULL;
}

const struct share_account *shares_account(const struct shares *shares, const char *name)
{
    return shares_seek(shares, shares->account_count, name);
}

const struct share_user *shares_user(const struct shares *shares, const char *name,
                                     const char *account)
{
    const struct share_user *anywhere = NULL;
    for (uint32_t i = 0; i < shares->user_count; i++) {
        const struct share_user *user = &shares->users[i];
        if (strcmp(user->name, name) != 0)
            continue;
        if (!user->account)
            anywhere = user;
        else if (account && strcmp(user->account, account) == 0)
            return user;
    }
    return anywhere;
}

const char *shares_account_of(const struct shares *shares, const char *user)
{
    for (uint32_t i = 0; i < shares->user_count; i++)
        if (shares->users[i].account && strcmp(shares->users[i].name, user) == 0)
            return shares->users[i].account;
    return NULL;
}

/* A copy of a text that may be NULL; -1 when memory is out. */
static int shares_copy_text(const char **text, struct arena *arena)
{
    if (!*text)
        return 0;
    *text = arena_strndup(arena, *text, strlen(*text));
    return *text ? 0 : -1;
}

const struct shares *shares_copy(const struct shares *shares, struct arena *arena)
{
    struct shares *copy = arena_alloc(arena, 1, sizeof *copy);
    struct share_account *accounts = arena_alloc(arena, shares->account_count, sizeof *accounts);
    struct share_user *users = arena_alloc(arena, shares->user_count, sizeof *users);
    if (!copy || !accounts || !users)
        return NULL;
    *copy = *shares;
    copy->accounts = accounts;
    copy->users = users;
    for (uint32_t i = 0; i < shares->account_count; i++) {
        accounts[i] = shares->accounts[i];
        if (shares_copy_text(&accounts[i].name, arena) != 0 ||
            shares_copy_text(&accounts[i].parent, arena) != 0)
            return NULL;
    }
    for (uint32_t i = 0; i < shares->user_count; i++) {
        users[i] = shares->users[i];
        if (shares_copy_text(&users[i].name, arena) != 0 ||
            shares_copy_text(&users[i].account, arena) != 0)
            return NULL;
    }
    return copy;
}

int shares_check_account(const struct shares *shares, uint32_t index, struct err *err)
{
    const struct share_account *account = &shares->accounts[index];
    if (shares_seek(shares, index, account->name))
        return err_set(err, "account '%s' is listed twice", account->name);
    int depth = 1;
    for (const char *parent = account->parent; parent; depth++) {
        const struct share_account *above = shares_seek(shares, index, parent);
        if (!above)
            return err_set(err, "account '%s': its parent '%s' is not listed before it",
                           account->name, parent);
        parent = above->parent;
    }
    if (depth > SHARES_DEPTH)
        return err_set(err, "account '%s': accounts are at most %d deep", account->name,
                       SHARES_DEPTH);
    return 0;
}

int shares_check_user(const struct shares *shares, uint32_t index, struct err *err)
{
    const struct share_user *user = &shares->users[index];
    if (user->account && !shares_account(shares, user->account))
        return err_set(err, "user '%s': its account '%s' is not listed", user->name, user->account);
    for (uint32_t i = 0; i < index; i++) {
        const struct share_user *other = &shares->users[i];
        bool both = user->account && other->account && strcmp(user->account, other->account) == 0;
        if (strcmp(user->name, other->name) == 0 && (both || (!user->account && !other->account)))
            return err_set(err, "user '%s' is listed twice%s%s", user->name,
                           both ? " in account " : "", both ? user->account : "");
    }
    return 0;
}

int shares_refuse_plan(struct err *err)
{
    return err_set(err, "a strategy that follows a plan cannot keep the shares of users");
}

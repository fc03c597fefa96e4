#include "format/share_tree.h"
#include "base/suggest.h"
#include "format/kinds.h"
#include "format/word.h"
#include <string.h>

static int share_tree_read(struct reader *reader, const struct key *key, void *into);
static int share_tree_read_levels(struct reader *reader, const struct key *key, void *into);
static int share_tree_read_accounts(struct reader *reader, const struct key *key, void *into);
static int share_tree_read_users(struct reader *reader, const struct key *key, void *into);

const struct kind kind_shares = {.value = "a mapping", .read = share_tree_read};
static const struct kind levels = {.value = "a list of levels", .read = share_tree_read_levels};
static const struct kind accounts = {.value = "a list of mappings",
                                     .read = share_tree_read_accounts};
static const struct kind users = {.value = "a list of mappings", .read = share_tree_read_users};

static const struct key share_keys[] = {
    {"by", &levels, 0, OPTIONAL,
     "from the root down: account, user, and then application (equal parts) or size (by nodes); "
     "below these the strategy decides; default [account, user]"},
    {"period", &kind_span, offsetof(struct shares, period), OPTIONAL,
     "how far a strategy that orders may depart from the shares, in time of the whole bandwidth; "
     "default 10 s"},
    {"accounts", &accounts, 0, OPTIONAL, "those with a weight or a parent; any other has weight 1"},
    {"users", &users, 0, OPTIONAL, "those with a weight or an account; any other has weight 1"},
    {0}};

static const struct key share_account_keys[] = {
    {"name", &kind_text, offsetof(struct share_account, name), REQUIRED, "of the account"},
    {"parent", &kind_text, offsetof(struct share_account, parent), OPTIONAL,
     "the account that it is a part of, listed before it; default none"},
    {"weight", &kind_share, offsetof(struct share_account, weight), OPTIONAL,
     "among the accounts and users with the same parent; default 1"},
    {0}};

static const struct key share_user_keys[] = {
    {"name", &kind_text, offsetof(struct share_user, name), REQUIRED,
     "of the user; in a controller's configuration also the number"},
    {"account", &kind_text, offsetof(struct share_user, account), OPTIONAL,
     "in which the weight holds; default all"},
    {"weight", &kind_share, offsetof(struct share_user, weight), OPTIONAL,
     "inside its account; default 1"},
    {0}};

const struct key_table share_table = {"shares", share_keys};
const struct key_table share_account_table = {"shares: accounts", share_account_keys};
const struct key_table share_user_table = {"shares: users", share_user_keys};

/* --- levels ----------------------------------------------------------------------------------- */

static int share_tree_read_level(struct reader *reader, void *into)
{
    struct shares *shares = into;
    const char *text = reader_scalar(reader, "a level", "a word");
    int level = 0;
    if (!text)
        return -1;
    while (level < SHARE_LEVEL_COUNT && strcmp(text, share_level_names[level]) != 0)
        level++;
    if (level == SHARE_LEVEL_COUNT)
        return reader_fail(reader, reader_line(reader), "unknown level '%s' of shares%s",
                           quote_text(text, strlen(text)).text,
                           suggest(text, share_level_names, NULL).text);
    if (shares->levels >> level)
        return reader_fail(reader, reader_line(reader),
                           "level '%s' does not come after the one before it, expected the order "
                           "account, user, application or size",
                           text);
    if (level == SHARE_SIZE && shares_have(shares, SHARE_APPLICATION))
        return reader_fail(reader, reader_line(reader),
                           "shares are by application or by size, not both");
    shares->levels |= 1u << level;
    return 0;
}

static int share_tree_read_levels(struct reader *reader, const struct key *key, void *into)
{
    struct shares *shares = into;
    size_t line = reader_line(reader);
    shares->levels = 0;
    if (list_read(reader, key, share_tree_read_level, into) != 0)
        return -1;
    return shares->levels ? 0 : reader_fail(reader, line, "%s is an empty list", key->name);
}

/* --- accounts and users ----------------------------------------------------------------------- */

static int share_tree_read_account(struct reader *reader, void *into)
{
    struct shares *shares = into;
    struct share_account account = {.weight = 1};
    size_t line = reader_line(reader);
    struct err fault;
    if (shares->account_count == SHARES_MOST)
        return reader_fail(reader, line, "more than %d accounts", SHARES_MOST);
    if (key_table_read(reader, &share_account_table, &account, NULL) != 0)
        return -1;
    struct share_account *list =
        list_extend(reader, shares->accounts, shares->account_count, sizeof *list);
    if (!list)
        return -1;
    list[shares->account_count] = account;
    shares->accounts = list;
    if (shares_check_account(shares, shares->account_count++, &fault) != 0)
        return reader_fail(reader, line, "%s", fault.text);
    return 0;
}

static int share_tree_read_accounts(struct reader *reader, const struct key *key, void *into)
{
    return list_read(reader, key, share_tree_read_account, into);
}

static int share_tree_read_user(struct reader *reader, void *into)
{
    struct shares *shares = into;
    struct share_user user = {.weight = 1};
    if (shares->user_count == SHARES_MOST)
        return reader_fail(reader, reader_line(reader), "more than %d users", SHARES_MOST);
    if (key_table_read(reader, &share_user_table, &user, NULL) != 0)
        return -1;
    struct share_user *list = list_extend(reader, shares->users, shares->user_count, sizeof *list);
    if (!list)
        return -1;
    list[shares->user_count++] = user;
    shares->users = list;
    return 0;
}

static int share_tree_read_users(struct reader *reader, const struct key *key, void *into)
{
    return list_read(reader, key, share_tree_read_user, into);
}

/* Users are checked last: their accounts may stand after them. */
static int share_tree_read(struct reader *reader, const struct key *key, void *into)
{
    size_t line = reader_line(reader);
    struct err fault;
    struct shares *shares = arena_alloc(&reader->draft->scenario->arena, 1, sizeof *shares);
    (void)key;
    if (!shares)
        return err_memory(reader->err);
    *shares = (struct shares){.levels = SHARES_LEVELS, .period = SHARES_PERIOD};
    if (key_table_read(reader, &share_table, shares, NULL) != 0)
        return -1;
    for (uint32_t i = 0; i < shares->user_count; i++)
        if (shares_check_user(shares, i, &fault) != 0)
            return reader_fail(reader, line, "%s", fault.text);
    *(const struct shares **)into = shares;
    return 0;
}

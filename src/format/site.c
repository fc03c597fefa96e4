#include "format/site.h"
#include "base/user.h"
#include "format/share_tree.h"
#include "format/store_keys.h"
#include "format/word.h"
#include <stdio.h>
#include <string.h>

static int site_read_stores(struct reader *reader, const struct key *key, void *into);
static int site_read_limits(struct reader *reader, const struct key *key, void *into);
static int site_read_shares(struct reader *reader, const struct key *key, void *into);
static int site_read_user(struct reader *reader, const struct key *key, void *into);

const char site_live;
const struct kind kind_stores = {.value = "a list of absolute paths, or mappings",
                                 .read = site_read_stores};
const struct kind kind_limits = {.value = "a list of mappings", .read = site_read_limits};
const struct kind kind_site_shares = {.value = "a mapping", .read = site_read_shares};
static const struct kind site_user = {.value = "a user's name or number", .read = site_read_user};

static const struct key store_keys[] = {
    {"path", &kind_text, offsetof(struct site_store, path), REQUIRED, "of the directory, absolute"},
    {"bandwidth", &kind_store_bandwidth, 0, OPTIONAL,
     "of this store alone, or 'auto' as of the platform; by default it shares the platform's"},
    {"read", &kind_rate, offsetof(struct site_store, reads), OPTIONAL,
     "instead of a bandwidth, with `write`: for reads alone"},
    {"write", &kind_rate, offsetof(struct site_store, writes), OPTIONAL,
     "with `read`: for writes alone"},
    {"policy", &kind_text, offsetof(struct site_store, policy), OPTIONAL,
     "the strategy for its own bandwidth; by default the platform's"},
    {"contention", &kind_contention, offsetof(struct site_store, nature), OPTIONAL,
     "as of the platform, for its own bandwidth"},
    {"health", &kind_health, offsetof(struct site_store, nature), OPTIONAL,
     "as of the platform, for its own bandwidth"},
    {"pieces", &kind_bytes, offsetof(struct site_store, pieces), OPTIONAL,
     "large writes may be made in pieces of this size; by default they are never split"},
    {0}};

static const struct key limit_keys[] = {
    {"name", &kind_text, offsetof(struct limit, name), OPTIONAL,
     "of the applications; by default all that have no limit of their own"},
    {"user", &site_user, 0, OPTIONAL,
     "instead of a name: for all applications of this user together, in addition to limits by "
     "name"},
    {"bandwidth", &kind_rate, offsetof(struct limit, bandwidth), OPTIONAL,
     "the most that each gets; of a user, all together"},
    {"ops", &kind_factor, offsetof(struct limit, ops), OPTIONAL,
     "the most operations per second of each; of a user, all together"},
    {"weight", &kind_factor, offsetof(struct limit, weight), OPTIONAL,
     "importance of each, replacing what it announces; of a user, divided among those that do I/O"},
    {0}};

static const struct key_table store_table = {"stores", store_keys};
static const struct key_table limit_table = {"limits", limit_keys};

const struct key_table *const site_tables[] = {
    &store_table, &limit_table, &share_table, &share_account_table, &share_user_table, NULL};

/* --- stores ----------------------------------------------------------------------------------- */

static int site_check_store(struct reader *reader, const struct stores *stores,
                            const struct site_store *store, size_t line)
{
    if (*store->path != '/' || strchr(store->path, ':'))
        return reader_fail(reader, line, "'%s' is not an absolute path without a colon",
                           quote_text(store->path, strlen(store->path)).text);
    bool split = store->reads > 0 || store->writes > 0;
    if (split && !(store->reads > 0 && store->writes > 0))
        return reader_fail(reader, line, "a store has bandwidths for both, 'read' and 'write'");
    if (split && store->bandwidth > 0)
        return reader_fail(reader, line, "a store has a 'bandwidth', or 'read' and 'write'");
    if (store->policy && !split && !(store->bandwidth > 0))
        return reader_fail(reader, line, "a store has a 'policy' only with its own bandwidth");
    struct err fault;
    if (store->nature && !store_is_own(store))
        return reader_fail(reader, line,
                           "a store has 'contention' and 'health' only with its own bandwidth");
    if (store->nature && store_validate(store->nature, &fault) != 0)
        return reader_fail(reader, line, "%s", fault.text);
    struct store_channel channels[STORE_CHANNELS];
    if (stores_plan(stores, 1, channels) > STORE_CHANNELS)
        return reader_fail(reader, line, "stores: at most %d bandwidths, the platform's included",
                           STORE_CHANNELS);
    return 0;
}

/* A path, or a mapping with one. */
static int site_read_store(struct reader *reader, void *into)
{
    static const struct key key = {.name = "a store", .kind = &kind_text};
    struct stores *stores = into;
    struct site_store store = {0};
    size_t line = reader_line(reader);
    int status = reader->event.type == YAML_MAPPING_START_EVENT
                     ? key_table_read(reader, &store_table, &store, NULL)
                     : kind_text.read(reader, &key, &store.path);
    if (status != 0)
        return -1;
    struct site_store *grown = list_extend(reader, stores->list, stores->count, sizeof *grown);
    if (!grown)
        return -1;
    grown[stores->count++] = store;
    stores->list = grown;
    return site_check_store(reader, stores, &store, line);
}

static int site_read_stores(struct reader *reader, const struct key *key, void *into)
{
    *(struct stores *)into = (struct stores){0};
    return list_read(reader, key, site_read_store, into);
}

/* --- limits ----------------------------------------------------------------------------------- */

int site_read_uid(struct reader *reader, const struct key *key, void *into)
{
    const char *text = reader_scalar(reader, key->name, kind_value(key->kind));
    if (!text)
        return -1;
    if (reader->context == &site_live && user_find(text, into) != 0)
        return reader_fail(reader, reader_line(reader), "unknown user '%s'",
                           quote_text(text, strlen(text)).text);
    return 0;
}

static int site_read_user(struct reader *reader, const struct key *key, void *into)
{
    struct limit *limit = into;
    limit->by_user = true;
    if (kind_text.read(reader, key, &limit->user) != 0)
        return -1;
    return site_read_uid(reader, key, &limit->uid);
}

static int site_read_limit(struct reader *reader, void *into)
{
    struct limits *limits = into;
    struct limit limit = {.name = ""};
    size_t line = reader_line(reader);
    if (key_table_read(reader, &limit_table, &limit, NULL) != 0)
        return -1;
    if (limit.by_user && *limit.name)
        return reader_fail(reader, line, "a limit applies to a name or a user, not both");
    struct limit *grown = list_extend(reader, limits->list, limits->count, sizeof *grown);
    if (!grown)
        return -1;
    grown[limits->count++] = limit;
    limits->list = grown;
    return 0;
}

static int site_read_limits(struct reader *reader, const struct key *key, void *into)
{
    *(struct limits *)into = (struct limits){0};
    return list_read(reader, key, site_read_limit, into);
}

/* --- shares ----------------------------------------------------------------------------------- */

/* The text of a user's number, by which the controller knows the user; NULL with err. */
static const char *site_number_user(struct reader *reader, const char *name, size_t line)
{
    uint32_t uid;
    char number[16];
    if (user_find(name, &uid) != 0) {
        reader_fail(reader, line, "unknown user '%s'", quote_text(name, strlen(name)).text);
        return NULL;
    }
    int length = snprintf(number, sizeof number, "%u", (unsigned)uid);
    char *copy = arena_strndup(&reader->draft->scenario->arena, number, (size_t)length);
    if (!copy)
        err_memory(reader->err);
    return copy;
}

static int site_read_shares(struct reader *reader, const struct key *key, void *into)
{
    size_t line = reader_line(reader);
    struct err fault;
    if (kind_shares.read(reader, key, into) != 0)
        return -1;
    const struct shares *shares = *(const struct shares **)into;
    struct share_user *users = (struct share_user *)shares->users; /* just read */
    for (uint32_t i = 0; reader->context == &site_live && i < shares->user_count; i++) {
        users[i].name = site_number_user(reader, users[i].name, line);
        if (!users[i].name)
            return -1;
        if (shares_check_user(shares, i, &fault) != 0)
            return reader_fail(reader, line, "%s", fault.text);
    }
    return 0;
}

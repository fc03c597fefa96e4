#include "format/service.h"
#include "base/text.h"
#include "base/user.h"
#include "format/kinds.h"
#include "format/share_tree.h"
#include "format/word.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_stores(struct reader *reader, const struct key *key, void *into);
static int read_limits(struct reader *reader, const struct key *key, void *into);
static int service_read_control(struct reader *reader, const struct key *key, void *into)
{
    const char *text = reader_scalar(reader, key->name, kind_value(key->kind));
    if (!text)
        return -1;
    bool observe = strcmp(text, "observe") == 0;
    if (!observe && strcmp(text, "on") != 0)
        return reader_fail(reader, reader_line(reader), "control is 'on' or 'observe', not '%s'",
                           quote_text(text, strlen(text)).text);
    *(bool *)into = observe;
    return 0;
}

static int read_user(struct reader *reader, const struct key *key, void *into);
static int service_read_uid(struct reader *reader, const struct key *key, void *into);
static int service_read_cluster(struct reader *reader, const struct key *key, void *into);
static int service_read_shares(struct reader *reader, const struct key *key, void *into);
static int service_read_control(struct reader *reader, const struct key *key, void *into);

static const struct kind stores = {.value = "a list of absolute paths, or mappings",
                                   .read = read_stores};
static const struct kind limits = {.value = "a list of mappings", .read = read_limits};

static const struct kind service_control = {.value = "on or observe", .read = service_read_control};
static const struct kind service_shares = {.value = "a mapping", .read = service_read_shares};
static const struct kind service_cluster = {.value = "a mapping", .read = service_read_cluster};
static const struct kind user = {.value = "a user's name or number", .read = read_user};
static const struct kind service_uid = {.value = "a user's name or number",
                                        .read = service_read_uid};

static const struct key service_keys[] = {
    {"platform", &kind_platform, offsetof(struct service, platform), OPTIONAL,
     "the machine, as in a scenario"},
    {"policy", &kind_text, offsetof(struct service, policy), OPTIONAL,
     "the strategy; default " SERVICE_POLICY ""},
    {"socket", &kind_text, offsetof(struct service, socket), OPTIONAL,
     "where the controller listens; $XDG_RUNTIME_DIR/weir.sock, else /run/weir.sock"},
    {"control", &service_control, offsetof(struct service, observe), OPTIONAL,
     "observe: at the start nothing waits, and everything is recorded, until 'weir ctl on'; "
     "default "
     "on"},
    {"http", &kind_text, offsetof(struct service, http), OPTIONAL,
     "ADDRESS[:PORT] at which monitoring reads metrics, by HTTP; none by default"},
    {"journal", &kind_text, offsetof(struct service, journal), OPTIONAL,
     "the file that events are appended to; none by default"},
    {"state", &kind_text, offsetof(struct service, state), OPTIONAL,
     "the file that keeps the settings of 'weir ctl' over a restart; none by default"},
    {"cgroup", &kind_text, offsetof(struct service, cgroup), OPTIONAL,
     "the cgroup v2 directory in which the kernel limits applications too; none by default"},
    {"stores", &stores, 0, OPTIONAL,
     "the directories in which I/O is controlled; they share the platform's bandwidth unless they "
     "have their own. By default all regular files are controlled"},
    {"limits", &limits, 0, OPTIONAL, "of applications and users, whatever the strategy grants"},
    {"shares", &service_shares, offsetof(struct service, shares), OPTIONAL,
     "divides the bandwidth among accounts and users; default: the strategy alone decides"},
    {"cluster", &service_cluster, offsetof(struct service, cluster), OPTIONAL,
     "the cluster that it controls, or is a node of; default: this node alone"},
    {"soft_release", &kind_seconds, offsetof(struct service, soft_release), OPTIONAL,
     "the pause after which the bandwidth is lent to others; default 2 ms"},
    {"phase_gap", &kind_seconds, offsetof(struct service, phase_gap), OPTIONAL,
     "the shortest pause that ends an I/O; default 50 ms"},
    {"max_wait", &kind_seconds, offsetof(struct service, max_wait), OPTIONAL,
     "the longest wait of a call, whatever the strategy decides; default 30 s"},
    {0}};

static const struct key store_keys[] = {
    {"path", &kind_text, offsetof(struct service_store, path), REQUIRED,
     "of the directory, absolute"},
    {"bandwidth", &kind_rate, offsetof(struct service_store, bandwidth), OPTIONAL,
     "of this store alone; by default it shares the platform's"},
    {"read", &kind_rate, offsetof(struct service_store, reads), OPTIONAL,
     "instead of a bandwidth, with `write`: for reads alone"},
    {"write", &kind_rate, offsetof(struct service_store, writes), OPTIONAL,
     "with `read`: for writes alone"},
    {"policy", &kind_text, offsetof(struct service_store, policy), OPTIONAL,
     "the strategy for its own bandwidth; by default the platform's"},
    {"pieces", &kind_bytes, offsetof(struct service_store, pieces), OPTIONAL,
     "large writes may be made in pieces of this size; by default they are never split"},
    {0}};

static const struct key limit_keys[] = {
    {"name", &kind_text, offsetof(struct service_limit, name), OPTIONAL,
     "of the applications; by default all that have no limit of their own"},
    {"user", &user, 0, OPTIONAL,
     "instead of a name: for all applications of this user together, in addition to limits by "
     "name"},
    {"bandwidth", &kind_rate, offsetof(struct service_limit, bandwidth), OPTIONAL,
     "the most that each gets; of a user, all together"},
    {"ops", &kind_factor, offsetof(struct service_limit, ops), OPTIONAL,
     "the most operations per second of each; of a user, all together"},
    {"weight", &kind_factor, offsetof(struct service_limit, weight), OPTIONAL,
     "importance of each, replacing what it announces; of a user, divided among those that do I/O"},
    {0}};

static const struct key cluster_keys[] = {
    {"listen", &kind_text, offsetof(struct service_cluster, listen), OPTIONAL,
     "the controller's address for agents, ADDRESS[:PORT]"},
    {"controller", &kind_text, offsetof(struct service_cluster, controllers), OPTIONAL,
     "for agents: HOST[:PORT] of the controller, several separated by commas"},
    {"name", &kind_text, offsetof(struct service_cluster, name), OPTIONAL,
     "for agents: of the node; default the host's name"},
    {"agent_user", &service_uid, offsetof(struct service_cluster, agent_uid), OPTIONAL,
     "besides root, the user that agents may run as; default root only"},
    {"controller_user", &service_uid, offsetof(struct service_cluster, controller_uid), OPTIONAL,
     "for agents: the user that the controller runs as; default the agent's"},
    {"munge_socket", &kind_text, offsetof(struct service_cluster, munge), OPTIONAL,
     "of munged; default its usual one"},
    {"leader", &kind_text, offsetof(struct service_cluster, leader), OPTIONAL,
     "of several controllers: where one is elected, etcd://HOST[:PORT][,...]/NAME"},
    {"lease", &kind_seconds, offsetof(struct service_cluster, lease), OPTIONAL,
     "the time that a grant is valid without the controller; default 4 s"},
    {"floor", &kind_rate, offsetof(struct service_cluster, floor), OPTIONAL,
     "the bandwidth of each application on a node after that; by default it runs unthrottled"},
    {0}};

static const struct key_table service_table = {"the configuration", service_keys};
static const struct key_table store_table = {"stores", store_keys};
static const struct key_table limit_table = {"limits", limit_keys};
static const struct key_table cluster_table = {"cluster", cluster_keys};

static int service_check_store(struct reader *reader, const struct service_store *store,
                               size_t line)
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
    return 0;
}

/* A path, or a mapping with one. */
static int service_read_store(struct reader *reader, void *into)
{
    static const struct key key = {.name = "a store", .kind = &kind_text};
    struct service *service = into;
    struct service_store store = {0};
    size_t line = reader_line(reader);
    int status = reader->event.type == YAML_MAPPING_START_EVENT
                     ? key_table_read(reader, &store_table, &store, NULL)
                     : kind_text.read(reader, &key, &store.path);
    if (status != 0 || service_check_store(reader, &store, line) != 0)
        return -1;
    struct service_store *grown =
        list_extend(reader, service->stores, service->store_count, sizeof *grown);
    if (!grown)
        return -1;
    grown[service->store_count++] = store;
    service->stores = grown;
    return 0;
}

static int read_stores(struct reader *reader, const struct key *key, void *into)
{
    ((struct service *)into)->store_count = 0;
    return list_read(reader, key, service_read_store, into);
}

/* A number as it is; a name as the system knows it. */
static int service_read_uid(struct reader *reader, const struct key *key, void *into)
{
    const char *text = reader_scalar(reader, key->name, kind_value(key->kind));
    if (!text)
        return -1;
    if (user_find(text, into) != 0)
        return reader_fail(reader, reader_line(reader), "unknown user '%s'",
                           quote_text(text, strlen(text)).text);
    return 0;
}

static int read_user(struct reader *reader, const struct key *key, void *into)
{
    struct service_limit *limit = into;
    limit->by_user = true;
    return service_read_uid(reader, key, &limit->uid);
}

static int service_read_cluster(struct reader *reader, const struct key *key, void *into)
{
    struct service_cluster *cluster = into;
    size_t line = reader_line(reader);
    (void)key;
    if (key_table_read(reader, &cluster_table, cluster, NULL) != 0)
        return -1;
    if (cluster->lease < SERVICE_LEAST_LEASE || cluster->lease > SERVICE_MOST_LEASE)
        return reader_fail(reader, line, "cluster: expected a lease from %g to %g seconds, not %g",
                           SERVICE_LEAST_LEASE, SERVICE_MOST_LEASE, cluster->lease);
    return 0;
}

/* The text of a user's number, by which the controller knows the user; NULL with err. */
static const char *service_name_user(struct reader *reader, const char *name, size_t line)
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

/* As in a scenario, with users that the system knows. */
static int service_read_shares(struct reader *reader, const struct key *key, void *into)
{
    size_t line = reader_line(reader);
    struct err fault;
    if (kind_shares.read(reader, key, into) != 0)
        return -1;
    const struct shares *shares = *(const struct shares **)into;
    struct share_user *users = (struct share_user *)shares->users; /* just read */
    for (uint32_t i = 0; i < shares->user_count; i++) {
        users[i].name = service_name_user(reader, users[i].name, line);
        if (!users[i].name)
            return -1;
        if (shares_check_user(shares, i, &fault) != 0)
            return reader_fail(reader, line, "%s", fault.text);
    }
    return 0;
}

static int read_limit(struct reader *reader, void *into)
{
    struct service *service = into;
    struct service_limit limit = {.name = ""};
    size_t line = reader_line(reader);
    if (key_table_read(reader, &limit_table, &limit, NULL) != 0)
        return -1;
    if (limit.by_user && *limit.name)
        return reader_fail(reader, line, "a limit applies to a name or a user, not both");
    struct service_limit *grown =
        list_extend(reader, service->limits, service->limit_count, sizeof *grown);
    if (!grown)
        return -1;
    grown[service->limit_count++] = limit;
    service->limits = grown;
    return 0;
}

static int read_limits(struct reader *reader, const struct key *key, void *into)
{
    ((struct service *)into)->limit_count = 0;
    return list_read(reader, key, read_limit, into);
}

int service_parse(const char *text, size_t length, const char *where, struct service *service,
                  struct err *err)
{
    struct draft draft;
    struct reader reader;
    struct service read = *service;
    int status = draft_init(&draft, where, err);
    if (status == 0) {
        status = reader_init(&reader, text, length, &draft, err);
        if (status == 0)
            status = key_table_read(&reader, &service_table, &read, NULL);
        if (status == 0)
            status = reader_finish(&reader);
        reader_fini(&reader);
    }
    if (status == 0) {
        *service = read;
        service->arena = draft.scenario->arena;
        draft.scenario->arena = (struct arena){0};
    }
    draft_fini(&draft);
    return status;
}

int service_load(const char *path, struct service *service, struct err *err)
{
    size_t length;
    char *text = text_load(path, &length, err);
    if (!text)
        return -1;
    const char *where = strcmp(path, "-") == 0 ? "stdin" : path;
    int status = service_parse(text, length, where, service, err);
    free(text);
    return status;
}

/* The rows of a mapping. */
static void service_document_table(const struct key_table *table,
                                   void (*row)(void *context, const char *mapping, const char *key,
                                               const char *value, const char *help),
                                   void *context)
{
    for (const struct key *key = table->keys; key->name; key++)
        row(context, table->name, key->name, kind_value(key->kind), key->help);
}

void service_document(void (*row)(void *context, const char *mapping, const char *key,
                                  const char *value, const char *help),
                      void *context)
{
    service_document_table(&service_table, row, context);
    service_document_table(&store_table, row, context);
    service_document_table(&limit_table, row, context);
    service_document_table(&cluster_table, row, context);
    for (size_t i = 0; share_tables[i]; i++)
        service_document_table(share_tables[i], row, context);
}

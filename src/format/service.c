#include "format/service.h"
#include "base/text.h"
#include "base/user.h"
#include "format/kinds.h"
#include "format/site.h"
#include "format/word.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int service_refuse(struct reader *reader, const struct key *key, void *into);
static int service_read_cluster(struct reader *reader, const struct key *key, void *into);

static const struct kind service_cluster = {.value = "a mapping", .read = service_read_cluster};
static const struct kind refused = {.value = "nothing", .read = service_refuse};
static const struct kind service_uid = {.value = "a user's name or number",
                                        .read = site_read_uid};

static const struct key service_keys[] = {
    SITE_KEYS(struct service,
              "the directories in which I/O is controlled; they share the platform's bandwidth "
              "unless they have their own. By default all regular files are controlled",
              "the strategy; default " SERVICE_POLICY ""),
    {"socket", &kind_text, offsetof(struct service, socket), OPTIONAL,
     "where the controller listens; $XDG_RUNTIME_DIR/weir.sock, else /run/weir.sock"},
    {"journal", &kind_text, offsetof(struct service, journal), OPTIONAL,
     "the file that events are appended to; none by default"},
    {"state", &kind_text, offsetof(struct service, state), OPTIONAL,
     "the file that keeps the settings of 'weir ctl' over a restart; none by default"},
    {"cgroup", &kind_text, offsetof(struct service, cgroup), OPTIONAL,
     "the cgroup v2 directory in which the kernel limits applications too; none by default"},
    {"cluster", &service_cluster, offsetof(struct service, cluster), OPTIONAL,
     "the cluster that it controls, or is a node of; default: this node alone"},
    {"soft_release", &kind_seconds, offsetof(struct service, soft_release), OPTIONAL,
     "the pause after which the bandwidth is lent to others; default 2 ms"},
    {"phase_gap", &kind_seconds, offsetof(struct service, phase_gap), OPTIONAL,
     "the shortest pause that ends an I/O; default 50 ms"},
    {"max_wait", &kind_seconds, offsetof(struct service, max_wait), OPTIONAL,
     "the longest wait of a call, whatever the strategy decides; default 30 s"},
    {"applications", &refused, 0, OPTIONAL, NULL},
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
static const struct key_table cluster_table = {"cluster", cluster_keys};

/* A scenario, taken for a configuration. */
static int service_refuse(struct reader *reader, const struct key *key, void *into)
{
    (void)into;
    return reader_fail(reader, reader_line(reader),
                       "a controller's configuration has no '%s'; to simulate it, keep them in a "
                       "file of their own: weir simulate --config CONFIGURATION FILE",
                       key->name);
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

/* As service_parse; users are those of this machine, or just names. */
static int service_read(const char *text, size_t length, const char *where, const void *users,
                        struct service *service, struct err *err)
{
    struct draft draft;
    struct reader reader;
    struct service read = *service;
    int status = draft_init(&draft, where, err);
    if (status == 0) {
        status = reader_init(&reader, text, length, &draft, err);
        reader.context = users;
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

int service_parse(const char *text, size_t length, const char *where, struct service *service,
                  struct err *err)
{
    return service_read(text, length, where, &site_live, service, err);
}

int service_load_site(const char *path, struct service *service, struct err *err)
{
    size_t length;
    char *text = text_load(path, &length, err);
    if (!text)
        return -1;
    int status = service_read(text, length, path, NULL, service, err);
    free(text);
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
    for (const struct key *key = table->keys; key->name && key->help; key++)
        row(context, table->name, key->name, kind_value(key->kind), key->help);
}

void service_document(void (*row)(void *context, const char *mapping, const char *key,
                                  const char *value, const char *help),
                      void *context)
{
    service_document_table(&service_table, row, context);
    service_document_table(&cluster_table, row, context);
    for (size_t i = 0; site_tables[i]; i++)
        service_document_table(site_tables[i], row, context);
}

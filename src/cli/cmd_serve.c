#include "cli/commands.h"
#include "cli/service_check.h"
#include "client/identity.h"
#include "serve/channels.h"
#include "serve/serve.h"
#include "format/service.h"
#include "link/address.h"
#include <math.h>
#include <sys/stat.h>

struct serve_options {
    struct words operands;
    const char *socket, *policy, *config, *journal, *state, *cgroup, *listen, *leader, *munge;
    bool check;
    struct platform platform;
    struct words stores;
    double soft_release, phase_gap;
};

/* The command line overrides the configuration. */
static void serve_override(const struct serve_options *options, struct service *service)
{
    if (options->socket)
        service->socket = options->socket;
    if (options->policy)
        service->policy = options->policy;
    if (options->journal)
        service->journal = options->journal;
    if (options->state)
        service->state = options->state;
    if (options->cgroup)
        service->cgroup = options->cgroup;
    if (options->listen)
        service->cluster.listen = options->listen;
    if (options->leader)
        service->cluster.leader = options->leader;
    if (options->munge)
        service->cluster.munge = options->munge;
    if (options->platform.bandwidth > 0)
        service->platform.bandwidth = options->platform.bandwidth;
    if (options->platform.node_bandwidth > 0)
        service->platform.node_bandwidth = options->platform.node_bandwidth;
    if (options->soft_release > 0)
        service->soft_release = options->soft_release;
    if (options->phase_gap > 0)
        service->phase_gap = options->phase_gap;
}

/* Those of the command line replace the others. */
static int serve_override_stores(const struct words *words, struct service *service,
                                 struct err *err)
{
    if (words->count == 0)
        return 0;
    struct site_store *stores = arena_alloc(&service->arena, words->count, sizeof *stores);
    if (!stores)
        return err_memory(err);
    for (size_t i = 0; i < words->count; i++)
        stores[i] = (struct site_store){.path = words->list[i]};
    service->stores = (struct stores){stores, (uint32_t)words->count};
    return 0;
}

enum { MOST_CONFIG = 16 << 20 }; /* bytes of a configuration that is read again */

/* What a controller was started with. */
struct serving {
    const struct serve_options *options;
    struct service service;
    char socket[IDENTITY_PATH];
};

/* Reads the configuration, if there is one, under the options. `service->arena` is to be freed. */
static int serve_read_service(struct serving *serving, struct service *service, struct err *err)
{
    const struct serve_options *options = serving->options;
    *service = service_defaults;
    service->socket = serving->socket;
    if (options->config && service_load(options->config, service, err) != 0)
        return -1;
    serve_override(options, service);
    if (options->munge && !service->cluster.listen) {
        arena_fini(&service->arena);
        return err_option(err, "--munge-socket needs --listen ADDR[:PORT]");
    }
    if (serve_override_stores(&options->stores, service, err) == 0 &&
        service_check(service, err) == 0)
        return 0;
    arena_fini(&service->arena);
    return -1;
}

/* A pipe would block the controller, and a device might never end. */
static int serve_read_again(void *context, struct service *service, struct err *err)
{
    const struct serving *serving = context;
    const char *path = serving->options->config;
    struct stat file;
    if (path && stat(path, &file) == 0 && !(S_ISREG(file.st_mode) && file.st_size <= MOST_CONFIG))
        return err_set(err, "%s: expected a regular file of at most %d MiB", path,
                       MOST_CONFIG >> 20);
    return serve_read_service(context, service, err);
}

static void serve_say(void *context, const char *text)
{
    (void)context;
    fprintf(stderr, "weir: %s\n", text);
}

/* Each strategy, a text to follow the first, and the bandwidth that it shares; if there
 * are several, that of what. */
static void print_channels(FILE *out, const struct service *service, const char *after)
{
    struct channels channels;
    char rate[32];
    if (channels_plan(&channels, service, NULL) != 0)
        return;
    for (uint32_t i = 0; i < channels.count; i++) {
        const struct channel *channel = &channels.list[i];
        units_print(channel->service[0].platform.bandwidth, UNIT_RATE, rate, sizeof rate);
        fprintf(out, "%s%s%s, %s%s%s", i ? "; " : "", channel->service[0].policy, i ? "" : after,
                rate, *channel->store ? " for " : "", channel->store);
    }
}

static void serve_say_ready(void *context)
{
    const struct service *service = &((const struct serving *)context)->service;
    char place[IDENTITY_PATH + 8];
    snprintf(place, sizeof place, " at '%s'", service->socket);
    fputs("weir: ", stderr);
    print_channels(stderr, service, place);
    fputc('\n', stderr);
}

static void serve_print_summary(const struct service *service)
{
    print_channels(stdout, service, "");
    printf(", %u store%s, %u limit%s\n", service->stores.count,
           service->stores.count == 1 ? "" : "s",
           service->limits.count, service->limits.count == 1 ? "" : "s");
}

static int serve_until_signal(struct serving *serving, struct err *err)
{
    const struct serve_hooks hooks = {
        .ready = serve_say_ready, .say = serve_say, .reload = serve_read_again, .context = serving};
    if (serving->options->check) {
        if (service_check_places(&serving->service, err) != 0)
            return STATUS_MISUSE;
        serve_print_summary(&serving->service);
        return STATUS_DONE;
    }
    return serve_run(&serving->service, &hooks, err) == 0 ? STATUS_DONE : STATUS_FAILED;
}

static int serve_command(const void *values, struct err *err)
{
    struct serving serving = {.options = values};
    identity_default_socket(serving.socket);
    if (serve_read_service(&serving, &serving.service, err) != 0)
        return STATUS_MISUSE;
    int status = service_check_files(&serving.service, err) == 0 ? serve_until_signal(&serving, err)
                                                                 : STATUS_MISUSE;
    arena_fini(&serving.service.arena);
    return status;
}

#define AT(member) offsetof(struct serve_options, member)
static const struct option options[] = {
    {"bandwidth", 0, OPTION_AMOUNT, UNIT_RATE, "RATE", AT(platform.bandwidth),
     "bandwidth of the store, which is shared"},
    {"node-bandwidth", 0, OPTION_AMOUNT, UNIT_RATE, "RATE", AT(platform.node_bandwidth),
     "bandwidth of a node; default that of the store"},
    {"policy", 0, OPTION_TEXT, UNIT_NONE, "STRATEGY", AT(policy),
     "the strategy; default " SERVICE_POLICY ", see 'weir policies'"},
    {"socket", 0, OPTION_TEXT, UNIT_NONE, "PATH", AT(socket),
     "where to listen; default $XDG_RUNTIME_DIR/weir.sock, else /run/weir.sock"},
    {"store", 0, OPTION_WORDS, UNIT_NONE, "DIR", AT(stores),
     "control I/O below this directory; may be repeated; default all regular files"},
    {"config", 0, OPTION_TEXT, UNIT_NONE, "FILE", AT(config),
     "configuration file; the other options override it"},
    {"journal", 0, OPTION_TEXT, UNIT_NONE, "FILE", AT(journal),
     "append all events to this file, for 'weir import journal'; it grows without bound"},
    {"state", 0, OPTION_TEXT, UNIT_NONE, "FILE", AT(state),
     "keep the settings of 'weir ctl' here over a restart; without it they are lost"},
    {"listen", 0, OPTION_TEXT, UNIT_NONE, "ADDR[:PORT]", AT(listen),
     "control a cluster: agents connect here, port " LINK_PORT " by default"},
    {"leader", 0, OPTION_TEXT, UNIT_NONE, "URL", AT(leader),
     "with --listen: stand by unless elected, by etcd://HOST[:PORT][,...]/NAME"},
    {"munge-socket", 0, OPTION_TEXT, UNIT_NONE, "PATH", AT(munge),
     "with --listen: socket of munged; default its usual one"},
    {"cgroup", 0, OPTION_TEXT, UNIT_NONE, "DIR", AT(cgroup),
     "a cgroup v2 directory, in which the kernel also limits what escapes control"},
    {"check-config", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(check),
     "only check whether it could start: exit code 0, or 2 with what is wrong"},
    {"soft-release", 0, OPTION_AMOUNT, UNIT_SECONDS, "TIME", AT(soft_release),
     "time without I/O after which the bandwidth is lent to others; default 2 ms"},
    {"phase-gap", 0, OPTION_AMOUNT, UNIT_SECONDS, "TIME", AT(phase_gap),
     "time without I/O after which an I/O phase is over; default 50 ms, longer where an "
     "application needs it"},
    {.name = NULL},
};
#undef AT

const struct command command_serve = {
    .name = "serve",
    .summary = "share a store's bandwidth among running applications",
    .options = options,
    .details = "Runs until SIGTERM or SIGINT. SIGHUP makes it read the configuration and open the "
               "journal again. Programs started by 'weir exec' share the bandwidth by the "
               "strategy; 'weir top' shows them, and 'weir ctl' changes settings. With --listen "
               "the programs of all nodes that run 'weir agent' share it too.",
    .example = "weir serve --bandwidth 2GB/s --policy greedy-yield",
    .size = sizeof(struct serve_options),
    .run = serve_command,
};

#include "cli/commands.h"
#include "client/identity.h"
#include "daemon/daemon.h"
#include "format/service.h"
#include "model/service.h"
#include "policy/policy.h"
#include "wire/message.h"
#include <math.h>
#include <string.h>

struct serve_options {
    struct words operands;
    const char *socket, *policy, *config, *journal;
    struct platform platform;
    struct words stores;
    double soft_release, phase_gap;
};

/* What the command line says overrides the configuration. */
static void override(const struct serve_options *options, struct service *service)
{
    if (options->socket)
        service->socket = options->socket;
    if (options->policy)
        service->policy = options->policy;
    if (options->journal)
        service->journal = options->journal;
    if (options->platform.bandwidth > 0)
        service->platform.bandwidth = options->platform.bandwidth;
    if (options->platform.node_bandwidth > 0)
        service->platform.node_bandwidth = options->platform.node_bandwidth;
    if (options->soft_release > 0)
        service->soft_release = options->soft_release;
    if (options->phase_gap > 0)
        service->phase_gap = options->phase_gap;
    if (options->stores.count > 0) {
        service->stores = options->stores.list;
        service->store_count = (uint32_t)options->stores.count;
    }
}

static void say_ready(void *context)
{
    const struct service *service = context;
    char rate[32];
    units_print(service->platform.bandwidth, UNIT_RATE, rate, sizeof rate);
    fprintf(stderr, "weir: %s at '%s', %s\n", service->policy, service->socket, rate);
}

/* What no controller could start with. */
static int check(const struct service *service, struct err *err)
{
    if (!(service->platform.bandwidth > 0))
        return err_set(err, "how much bandwidth is there to share? give --bandwidth RATE");
    if (!*service->socket || strlen(service->socket) >= IDENTITY_PATH)
        return err_set(err, "'%s' is no path of 1 to %d bytes, as a socket's must be",
                       service->socket, IDENTITY_PATH - 1);
    for (uint32_t i = 0; i < service->store_count; i++)
        if (*service->stores[i] != '/' || strchr(service->stores[i], ':'))
            return err_set(err, "--store: '%s' is not an absolute path without a colon",
                           service->stores[i]);
    for (uint32_t i = 0; i < service->limit_count; i++)
        if (strlen(service->limits[i].name) >= WIRE_NAME)
            return err_set(err, "limits: no application has a name as long as '%s'",
                           service->limits[i].name);
    return 0;
}

static struct policy *open_policy(const char *name, struct err *err)
{
    struct policy *policy = policy_open(name, err);
    if (policy && policy->ops->flags & WEIR_NEEDS_PLAN) {
        err_set(err, "'%s' follows a plan, and a live controller has none", policy->name);
        policy_free(policy);
        policy = NULL;
    }
    if (!policy)
        err_prepend(err, "policy");
    return policy;
}

/* Serves as the service says. */
static int serve(struct service *service, struct err *err)
{
    if (check(service, err) != 0)
        return STATUS_MISUSE;
    struct policy *policy = open_policy(service->policy, err);
    if (!policy)
        return STATUS_MISUSE;
    const struct daemon_hooks hooks = {.ready = say_ready, .context = service};
    return daemon_run(service, policy, &hooks, err) == 0 ? STATUS_DONE : STATUS_FAILED;
}

static int run(const void *values, struct err *err)
{
    const struct serve_options *options = values;
    char socket[IDENTITY_PATH];
    struct service service = {.platform = {.node_bandwidth = INFINITY},
                              .socket = socket,
                              .policy = SERVICE_POLICY,
                              .soft_release = SERVICE_SOFT_RELEASE,
                              .phase_gap = SERVICE_PHASE_GAP,
                              .max_wait = SERVICE_MAX_WAIT};
    identity_default_socket(socket);
    int status = STATUS_MISUSE;
    if (!options->config || service_load(options->config, &service, err) == 0) {
        override(options, &service);
        status = serve(&service, err);
    }
    arena_fini(&service.arena);
    return status;
}

#define AT(member) offsetof(struct serve_options, member)
static const struct option options[] = {
    {"bandwidth", 0, OPTION_AMOUNT, UNIT_RATE, "RATE", AT(platform.bandwidth),
     "of the store, which is shared"},
    {"node-bandwidth", 0, OPTION_AMOUNT, UNIT_RATE, "RATE", AT(platform.node_bandwidth),
     "of a node; default that of the store"},
    {"policy", 0, OPTION_TEXT, UNIT_NONE, "P", AT(policy),
     "the strategy; default " SERVICE_POLICY ", see 'weir policies'"},
    {"socket", 0, OPTION_TEXT, UNIT_NONE, "PATH", AT(socket),
     "where to listen; default $XDG_RUNTIME_DIR/weir.sock, else /run/weir.sock"},
    {"store", 0, OPTION_WORDS, UNIT_NONE, "DIR", AT(stores),
     "control I/O below this directory; may be repeated; default all regular files"},
    {"config", 0, OPTION_TEXT, UNIT_NONE, "FILE", AT(config),
     "a configuration, which the other options override"},
    {"journal", 0, OPTION_TEXT, UNIT_NONE, "FILE", AT(journal),
     "append what happens, without bound, for 'weir import journal'"},
    {"soft-release", 0, OPTION_AMOUNT, UNIT_SECONDS, "TIME", AT(soft_release),
     "of quiet, after which the bandwidth is lent to others; default 2 ms"},
    {"phase-gap", 0, OPTION_AMOUNT, UNIT_SECONDS, "TIME", AT(phase_gap),
     "of quiet, after which an I/O is over; default 50 ms, longer where an application needs it"},
    {.name = NULL},
};
#undef AT

const struct command command_serve = {
    .name = "serve",
    .summary = "share a store's bandwidth among running applications",
    .options = options,
    .details =
        "Runs until SIGTERM, SIGINT or SIGHUP. Programs started by 'weir exec' share the bandwidth "
        "as the strategy says; 'weir top' shows them, 'weir ctl' changes settings.",
    .example = "weir serve --bandwidth 2GB/s --policy greedy-yield",
    .size = sizeof(struct serve_options),
    .run = run,
};

#include "cli/commands.h"
#include "client/identity.h"
#include "format/service.h"
#include "link/address.h"
#include "serve/serve.h"
#include "wire/message.h"
#include <string.h>
#include <unistd.h>

struct agent_options {
    struct words operands;
    const char *controller, *name, *socket, *munge, *config;
};

/* The command line overrides the configuration. */
static void agent_override(const struct agent_options *options, struct service *service)
{
    if (options->controller)
        service->cluster.controllers = options->controller;
    if (options->name)
        service->cluster.name = options->name;
    if (options->munge)
        service->cluster.munge = options->munge;
    if (options->socket)
        service->socket = options->socket;
}

/* The controller knows a node by its name: one that were cut could be that of another node. */
static int agent_check_name(const char *given, struct err *err)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    const char *name = given ? given : host;
    if (strlen(name) >= WIRE_NAME)
        return err_set(err,
                       "the node's name '%s' is too long, expected --name NAME of at most %d bytes",
                       name, WIRE_NAME - 1);
    if (wire_check_text(name, strlen(name) + 1, true))
        return err_set(err, "invalid name '%s' of the node, expected --name NAME without '/'",
                       name);
    return 0;
}

static int agent_check(const struct service *service, struct err *err)
{
    struct link_address list[LINK_CONTROLLERS];
    if (!service->cluster.controllers)
        return err_set(err, "missing --controller HOST[:PORT]");
    if (!*service->socket || strlen(service->socket) >= IDENTITY_PATH)
        return err_set(err, "invalid socket path '%s', expected 1 to %d bytes", service->socket,
                       IDENTITY_PATH - 1);
    if (agent_check_name(service->cluster.name, err) != 0)
        return -1;
    return link_address_list(service->cluster.controllers, LINK_PORT, list, err) > 0 ? 0 : -1;
}

static void agent_print_note(void *context, const char *text)
{
    (void)context;
    fprintf(stderr, "weir: %s\n", text);
}

static void agent_print_ready(void *context)
{
    const struct service *service = context;
    fprintf(stderr, "weir: agent at '%s', for the controller at %s\n", service->socket,
            service->cluster.controllers);
}

static int agent_start(const void *values, struct err *err)
{
    const struct agent_options *options = values;
    char socket[IDENTITY_PATH];
    identity_default_socket(socket);
    struct service service = {.socket = socket,
                              .cluster = {.lease = SERVICE_LEASE, .controller_uid = geteuid()}};
    const struct serve_hooks hooks = {
        .ready = agent_print_ready, .say = agent_print_note, .context = &service};
    if (options->config && service_load(options->config, &service, err) != 0)
        return STATUS_MISUSE;
    agent_override(options, &service);
    int status = agent_check(&service, err) != 0         ? STATUS_MISUSE
                 : agent_run(&service, &hooks, err) == 0 ? STATUS_DONE
                                                         : STATUS_FAILED;
    arena_fini(&service.arena);
    return status;
}

static const struct option options[] = {
    {"controller", 0, OPTION_TEXT, UNIT_NONE, "HOST[:PORT]",
     offsetof(struct agent_options, controller),
     "the controller, port " LINK_PORT " by default; of several, separated by commas, the first "
     "that answers"},
    {"socket", 0, OPTION_TEXT, UNIT_NONE, "PATH", offsetof(struct agent_options, socket),
     "where programs connect; default as for 'weir serve'"},
    {"name", 0, OPTION_TEXT, UNIT_NONE, "NAME", offsetof(struct agent_options, name),
     "name of this node, another one for each; default the host's name"},
    {"munge-socket", 0, OPTION_TEXT, UNIT_NONE, "PATH", offsetof(struct agent_options, munge),
     "socket of munged; default its usual one"},
    {"config", 0, OPTION_TEXT, UNIT_NONE, "FILE", offsetof(struct agent_options, config),
     "configuration file, of which 'socket' and 'cluster' count; the other options override it"},
    {.name = NULL},
};

const struct command command_agent = {
    .name = "agent",
    .summary = "control the programs of a node for the controller of a cluster",
    .options = options,
    .details =
        "Runs until SIGTERM or SIGINT. Programs are started as under 'weir serve', which "
        "runs elsewhere with --listen, divides the bandwidth, and tells the agent all it "
        "needs to know. MUNGE proves to each which user the other runs as. When the "
        "controller cannot be reached, programs run unthrottled after a few seconds; it takes "
        "them back when it returns.",
    .example = "weir agent --controller head1",
    .size = sizeof(struct agent_options),
    .run = agent_start,
};

#include "cli/commands.h"
#include "cli/lead.h"
#include "client/environment.h"
#include "client/identity.h"
#include "client/program.h"
#include "client/request.h"
#include "supervise/supervise.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct exec_options {
    struct words operands; /* the command */
    const char *name, *socket;
    double nodes, weight, volume_hint;
    bool strict, supervise;
};

/* --- the environment -------------------------------------------------------------------------- */

static int exec_get(void *context, const char *variable, char *value, size_t size)
{
    (void)context;
    const char *text = getenv(variable);
    size_t length = text ? strlen(text) : 0;
    if (length >= size)
        return -1;
    memcpy(value, text ? text : "", length + 1);
    return 0;
}

static int exec_set(void *context, const char *variable, const char *value)
{
    (void)context;
    return value ? setenv(variable, value, 1) : unsetenv(variable);
}

static const struct environment own_environment = {exec_get, exec_set, NULL};

/* Beside this program, or where both are installed. */
static const char *exec_find_library(char path[PATH_MAX])
{
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0)
        return "cannot find itself";
    program[length] = '\0';
    return environment_find_library(program, WEIR_LIBDIR_FROM_BINDIR, path);
}

/* --- identity -------------------------------------------------------------------------------- */

static void exec_identify(const struct exec_options *options, struct identity *identity)
{
    const char *command = options->operands.list[0], *slash = strrchr(command, '/');
    struct weir_join join = {.socket = options->socket,
                             .name = options->name ? options->name
                                     : slash       ? slash + 1
                                                   : command,
                             .nodes = options->nodes,
                             .weight = options->weight,
                             .volume_hint = options->volume_hint};
    identity_draw_token(join.token);
    identity_init(identity, &join);
    identity->attach.leader = WIRE_LEADS;
}

static int exec_check(const struct exec_options *options, struct err *err)
{
    char name[WIRE_NAME];
    wire_name(name, options->name ? options->name : "a");
    if (options->name && strcmp(name, options->name) != 0)
        return err_set(
            err, "--name: invalid name '%s', expected 1 to %d printable characters without '/'",
            options->name, WIRE_NAME - 1);
    if (options->socket && strlen(options->socket) >= IDENTITY_PATH)
        return err_option(err, "--socket: the path has %zu characters, expected at most %d",
                          strlen(options->socket), IDENTITY_PATH - 1);
    return 0;
}

/* Attaches and prepares the environment, of a program that may load the library or not. None is
 * loaded into what is supervised: its calls would wait twice. Returns NULL, or why that cannot be.
 */
static const char *exec_join(struct lead *lead, bool loads)
{
    static struct wire_message answer; /* a refusal's reason is returned */
    char preload[PATH_MAX];
    const char *reason = lead->supervised ? supervise_check() : exec_find_library(preload);
    if (reason)
        return reason;
    reason = request_attach(&lead->identity, LEAD_PATIENCE, &answer, &lead->fd);
    if (reason)
        return reason;
    if (answer.type == WIRE_REFUSED)
        return answer.refused.reason;
    lead->app = answer.welcome.app;
    if (lead->supervised)
        environment_unload(&own_environment);
    return environment_prepare(&own_environment, &lead->identity, answer.welcome.stores,
                               loads ? preload : NULL);
}

/* Returns NULL, or why the program runs without control. One that cannot be controlled is an
 * application all the same: what it starts may be, and what escapes is seen. */
static const char *exec_control(const char *command, struct lead *lead)
{
    enum program_kind kind = program_judge_command(command, getenv("PATH"));
    bool loads = !lead->supervised && !program_rejects(kind);
    const char *reason = program_reason(kind), *fault = exec_join(lead, loads);
    if (lead->supervised)
        return fault;
    return reason ? reason : fault;
}

static int exec_run(const void *values, struct err *err)
{
    const struct exec_options *options = values;
    const struct words *operands = &options->operands;
    struct lead lead = {.command = operands->list,
                        .count = operands->count,
                        .supervised = options->supervise,
                        .strict = options->strict,
                        .fd = -1};
    if (exec_check(options, err) < 0)
        return STATUS_MISUSE;
    exec_identify(options, &lead.identity);
    const char *reason = exec_control(operands->list[0], &lead);
    if (reason && options->strict) {
        err_set(err, "exec: --strict: '%s' would run without control: %s", operands->list[0],
                reason);
        return STATUS_MISUSE;
    }
    if (reason) {
        fprintf(stderr, "weir: exec: '%s' runs without control: %s\n", operands->list[0], reason);
        lead.supervised = false;
    }
    return lead_run(&lead, err);
}

#define AT(member) offsetof(struct exec_options, member)
static const struct option options[] = {
    {"name", 0, OPTION_TEXT, UNIT_NONE, "NAME", AT(name),
     "name of the application; default that of the command"},
    {"nodes", 0, OPTION_AMOUNT, UNIT_NONE, "N", AT(nodes), "nodes that it runs on; default 1"},
    {"weight", 0, OPTION_AMOUNT, UNIT_NONE, "W", AT(weight),
     "its importance to min-dilation, max-syseff and min-max; default 1"},
    {"volume-hint", 0, OPTION_AMOUNT, UNIT_BYTES, "SIZE", AT(volume_hint),
     "bytes that each of its I/O phases moves; a phase is over once it has moved them; default "
     "the mean of its earlier ones"},
    {"socket", 0, OPTION_TEXT, UNIT_NONE, "PATH", AT(socket),
     "socket of the controller; default $WEIR_SOCKET, else as for 'weir serve'"},
    {"supervise", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(supervise),
     "control its system calls instead of its C library's functions: also those of statically "
     "linked programs"},
    {"strict", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(strict),
     "refuse to run a program without control"},
    {.name = NULL},
};
#undef AT

const struct command command_exec = {
    .name = "exec",
    .summary = "run a program under control",
    .operands = "-- COMMAND...",
    .least = 1,
    .most = SIZE_MAX,
    .options = options,
    .details =
        "The program and all processes that it starts are one application of the controller, 'weir "
        "serve'. Without a controller, or if the program is statically linked and --supervise is "
        "not "
        "given, it runs uncontrolled after a warning; with --strict, it is not run. Signals are "
        "passed on. The "
        "exit code is that of the program; 127 if it is not found, 126 if it cannot be run.",
    .example = "weir exec --name backup --nodes 4 -- tar -cf /scratch/b.tar data",
    .size = sizeof(struct exec_options),
    .run = exec_run,
};

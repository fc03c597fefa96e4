#include "cli/commands.h"
#include "cli/lead.h"
#include "client/identity.h"
#include "client/mounts.h"
#include "client/program.h"
#include "client/request.h"
#include "wire/page.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct exec_options {
    struct words operands; /* the command */
    const char *name, *socket;
    double nodes, weight, volume_hint;
    bool strict;
};

static const char library[] = "libweir-preload.so";

/* --- the environment -------------------------------------------------------------------------- */

/* Beside this program, or where both are installed. */
static int exec_find_library(char path[PATH_MAX])
{
    static const char *const places[] = {"", WEIR_LIBDIR_FROM_BINDIR "/"};
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0)
        return -1;
    while (length > 0 && program[length - 1] != '/')
        length--;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char place[PATH_MAX];
        snprintf(place, sizeof place, "%.*s%s%s", (int)length, program, places[i], library);
        if (realpath(place, path))
            return 0;
    }
    return -1;
}

/* Appends to the variable: libraries that it already has stay in front. */
static int exec_append(const char *variable, const char *text)
{
    const char *old = getenv(variable);
    if (!old || !*old)
        return setenv(variable, text, 1);
    if (strstr(old, text))
        return 0;
    char both[4 * PATH_MAX];
    if (snprintf(both, sizeof both, "%s:%s", old, text) >= (int)sizeof both) {
        errno = E2BIG;
        return -1;
    }
    return setenv(variable, both, 1);
}

static int exec_set_number(const char *variable, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.17g", value);
    return value > 0 ? setenv(variable, text, 1) : unsetenv(variable);
}

/* What the program's processes need to know to be one application. */
static int exec_prepare(const struct identity *identity, const char *stores)
{
    char token[IDENTITY_TOKEN], origins[4 * WIRE_STORES];
    identity_print_token(identity->attach.token, token);
    mounts_origins(stores, origins, sizeof origins);
    /* AddressSanitizer insists on being first; it may be second, as the hooks pass on to it. */
    return setenv(WIRE_ENV_SOCKET, identity->socket, 1) | setenv(WIRE_ENV_TOKEN, token, 1) |
           setenv(WIRE_ENV_NAME, identity->attach.name, 1) |
           exec_set_number(WIRE_ENV_NODES, identity->attach.nodes) |
           exec_set_number(WIRE_ENV_WEIGHT, identity->attach.weight) |
           exec_set_number(WIRE_ENV_HINT, identity->attach.volume_hint) |
           setenv(WIRE_ENV_STORES, stores, 1) | setenv(WIRE_ENV_ORIGINS, origins, 1) |
           exec_append("ASAN_OPTIONS", "verify_asan_link_order=0");
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
    identity->attach.leader = 1;
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
        return err_set(err, "--socket: the path has %zu characters, expected at most %d",
                       strlen(options->socket), IDENTITY_PATH - 1);
    return 0;
}

/* Attaches and prepares the environment, of a program that may load the library or not. Returns
 * NULL, or why that cannot be. */
static const char *exec_join(struct lead *lead, bool loads)
{
    static struct wire_message answer; /* a refusal's reason is returned */
    char preload[PATH_MAX];
    if (exec_find_library(preload) < 0)
        return "needs libweir-preload.so, which is not installed";
    if (strpbrk(preload, ": "))
        return "needs libweir-preload.so in a path without blanks and colons";
    const char *reason = request_attach(&lead->identity, LEAD_PATIENCE, &answer, &lead->fd);
    if (reason)
        return reason;
    if (answer.type == WIRE_REFUSED)
        return answer.refused.reason;
    lead->app = answer.welcome.app;
    bool ready = exec_prepare(&lead->identity, answer.welcome.stores) == 0 &&
                 (!loads || exec_append("LD_PRELOAD", preload) == 0);
    return ready ? NULL : strerror(errno);
}

/* Returns NULL, or why the program runs without control. One that cannot be controlled is an
 * application all the same: what it starts may be, and what escapes is seen. */
static const char *exec_control(const char *command, struct lead *lead)
{
    enum program_kind kind = program_judge_command(command, getenv("PATH"));
    const char *reason = program_reason(kind), *fault = exec_join(lead, !program_rejects(kind));
    return reason ? reason : fault;
}

static int exec_run(const void *values, struct err *err)
{
    const struct exec_options *options = values;
    const struct words *operands = &options->operands;
    struct lead lead = {.command = operands->list, .count = operands->count, .fd = -1};
    if (exec_check(options, err) < 0)
        return STATUS_MISUSE;
    exec_identify(options, &lead.identity);
    const char *reason = exec_control(operands->list[0], &lead);
    if (reason && options->strict) {
        err_set(err, "exec: --strict: '%s' would run without control: %s", operands->list[0],
                reason);
        return STATUS_MISUSE;
    }
    if (reason)
        fprintf(stderr, "weir: exec: '%s' runs without control: %s\n", operands->list[0], reason);
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
        "serve'. Without a controller, or if the program is statically linked, it runs "
        "uncontrolled after a warning; with --strict, it is not run. Signals are passed on. The "
        "exit code is that of the program; 127 if it is not found, 126 if it cannot be run.",
    .example = "weir exec --name backup --nodes 4 -- tar -cf /scratch/b.tar data",
    .size = sizeof(struct exec_options),
    .run = exec_run,
};

#include "cli/commands.h"

static int help_run(const void *values, struct err *err)
{
    const struct words *operands = values;
    if (operands->count == 0) {
        help_overview(stdout);
        return STATUS_DONE;
    }
    const struct command *command = command_find(operands->list[0], err);
    if (!command)
        return STATUS_MISUSE;
    help_command(command, stdout);
    return STATUS_DONE;
}

const struct command command_help = {
    .name = "help",
    .summary = "explain a command",
    .operands = "[COMMAND]",
    .most = 1,
    .example = "weir help simulate",
    .size = sizeof(struct words),
    .run = help_run,
};

#include "base/output.h"
#include "cli/commands.h"
#include <limits.h>
#include <stddef.h>

struct man_options {
    struct words operands;
    const char *output;
};

/* One page into a file of this directory: that of a command, or weir(1) if it is NULL. */
static int man_write(const char *directory, const struct command *command, struct err *err)
{
    struct output output;
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/weir%s%s.1", directory, command ? "-" : "",
                          command ? command->name : "");
    if (length >= (int)sizeof path)
        return err_set(err, "man: the path '%s' is too long", directory);
    if (output_open(&output, path, err) != 0)
        return -1;
    if (command)
        help_page(command, output.file);
    else
        help_manual(output.file);
    return output_commit(&output, err);
}

static int man_write_all(const char *directory, struct err *err)
{
    int status = man_write(directory, NULL, err);
    for (const struct command *const *c = commands; *c && status == 0; c++)
        if (!(*c)->hidden)
            status = man_write(directory, *c, err);
    return status == 0 ? STATUS_DONE : STATUS_MISUSE;
}

static int man_run(const void *values, struct err *err)
{
    const struct man_options *options = values;
    const struct words *operands = &options->operands;
    if (options->output)
        return man_write_all(options->output, err);
    if (operands->count == 0) {
        help_manual(stdout);
        return STATUS_DONE;
    }
    const struct command *command = command_find(operands->list[0], err);
    if (!command)
        return STATUS_MISUSE;
    help_page(command, stdout);
    return STATUS_DONE;
}

static const struct option man_table[] = {
    {"output", 'o', OPTION_TEXT, UNIT_NONE, "DIR", offsetof(struct man_options, output),
     "write weir.1 and a page for each command into this directory"},
    {0},
};

const struct command command_man = {
    .name = "man",
    .summary = "print a manual page in roff: weir(1), or that of a command",
    .operands = "[COMMAND]",
    .most = 1,
    .options = man_table,
    .example = "weir man simulate | man -l -",
    .size = sizeof(struct man_options),
    .run = man_run,
};

#include "cli/commands.h"

static int man_run(const void *values, struct err *err)
{
    (void)values;
    (void)err;
    help_manual(stdout);
    return STATUS_DONE;
}

const struct command command_man = {
    .name = "man",
    .summary = "print the manual page weir(1) in roff",
    .example = "weir man | man -l -",
    .size = sizeof(struct words),
    .run = man_run,
};

#include "cli/cli.h"

enum { COMMAND_COLUMN = 14 };

void help_overview(FILE *out)
{
    fputs("weir - I/O bandwidth scheduling for supercomputers\n\n"
          "usage: weir COMMAND [OPTION]... [ARGUMENT]...\n",
          out);
    for (const struct command_group *group = command_groups; group->title; group++) {
        fprintf(out, "\n%s:\n", group->title);
        for (const struct command *const *c = group->list; *c; c++)
            if (!(*c)->hidden)
                help_entry(out, COMMAND_COLUMN, (*c)->name, (*c)->summary);
    }
    fputs("\noptions:\n", out);
    help_entry(out, COMMAND_COLUMN, "-h, --help",
               "print this text; 'weir COMMAND --help' explains a command");
    help_entry(out, COMMAND_COLUMN, "--version", "print the version");
    fputs("\nexample:\n  weir simulate examples/quickstart.yaml --policy all\n", out);
}

void help_command(const struct command *command, FILE *out)
{
    const struct help_page page = {.program = "weir",
                                   .summary = command->summary,
                                   .syntax = command_syntax(command),
                                   .details = command->details,
                                   .entries = command->entries,
                                   .example = command->example};
    help_print(&page, out);
}

#include "cli/commands.h"
#include "base/suggest.h"
#include "cli/cli.h"
#include <string.h>

#define X(name) &command_##name,
const struct command *const commands[] = {COMMANDS(X) NULL};

#define G(title, list) {title, (const struct command *const[]){list(X) NULL}},
const struct command_group command_groups[] = {COMMAND_GROUPS(G){NULL, NULL}};
#undef G
#undef X

struct syntax command_syntax(const struct command *command)
{
    if (command->question)
        return command->question->syntax;
    return (struct syntax){command->name, command->operands, command->least,
                           command->most, command->options,  NULL};
}

const struct command *command_find(const char *name, struct err *err)
{
    const char *names[sizeof commands / sizeof *commands] = {NULL};
    for (size_t i = 0, shown = 0; commands[i]; i++) {
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
        if (!commands[i]->hidden)
            names[shown++] = commands[i]->name;
    }
    err_set(err, "unknown command '%s'%s", name, suggest(name, names, "weir --help").text);
    return NULL;
}

/* The commands, each in its own cmd_<name>.c. */
#ifndef WEIR_CLI_COMMANDS_H
#define WEIR_CLI_COMMANDS_H

#include "cli/cli.h"

/* In the order in which people should see them. */
#define COMMANDS(X)                                                                                \
    X(simulate)                                                                                    \
    X(recommend)                                                                                   \
    X(bound)                                                                                       \
    X(blame)                                                                                       \
    X(advise)                                                                                      \
    X(checkpoint)                                                                                  \
    X(compare)                                                                                     \
    X(plan)                                                                                        \
    X(partition)                                                                                   \
    X(map)                                                                                         \
    X(capacity)                                                                                    \
    X(campaign)                                                                                    \
    X(query)                                                                                       \
    X(merge)                                                                                       \
    X(describe)                                                                                    \
    X(policies)                                                                                    \
    X(generate)                                                                                    \
    X(import)                                                                                      \
    X(export)                                                                                      \
    X(serve)                                                                                       \
    X(agent)                                                                                       \
    X(exec)                                                                                        \
    X(status)                                                                                      \
    X(top)                                                                                         \
    X(ctl)                                                                                         \
    X(replay)                                                                                      \
    X(replay_worker)                                                                               \
    X(calibrate)                                                                                   \
    X(demo)                                                                                        \
    X(reproduce)                                                                                   \
    X(help)                                                                                        \
    X(man)                                                                                         \
    X(completion)                                                                                  \
    X(complete)

#define X(name) extern const struct command command_##name;
COMMANDS(X)
#undef X

#endif

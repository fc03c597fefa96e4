/* The commands, each in its own cmd_<name>.c. */
#ifndef WEIR_CLI_COMMANDS_H
#define WEIR_CLI_COMMANDS_H

#include "cli/cli.h"

/* By what people want to do, in the order in which they should see them. */
#define COMMANDS_DECIDE(X) X(recommend) X(describe) X(blame) X(checkpoint) X(capacity)
#define COMMANDS_STRATEGIES(X)                                                                     \
    X(simulate) X(compare) X(bound) X(policies) X(plan) X(partition) X(map)
#define COMMANDS_DATA(X)        X(import) X(export) X(generate)
#define COMMANDS_EXPERIMENTS(X) X(campaign) X(query) X(merge) X(reproduce)
#define COMMANDS_LIVE(X)                                                                           \
    X(serve) X(agent) X(exec) X(status) X(top) X(ctl) X(calibrate) X(replay) X(replay_worker)
#define COMMANDS_HELP(X) X(demo) X(help) X(man) X(completion) X(complete)

/* G(title, commands) for each group. */
#define COMMAND_GROUPS(G)                                                                          \
    G("learn about a mix of jobs", COMMANDS_DECIDE)                                                \
    G("simulate and compare strategies", COMMANDS_STRATEGIES)                                      \
    G("bring in workloads", COMMANDS_DATA)                                                         \
    G("run experiments", COMMANDS_EXPERIMENTS)                                                     \
    G("control running programs", COMMANDS_LIVE)                                                   \
    G("get help", COMMANDS_HELP)

#define COMMANDS(X)                                                                                \
    COMMANDS_DECIDE(X)                                                                             \
    COMMANDS_STRATEGIES(X)                                                                         \
    COMMANDS_DATA(X) COMMANDS_EXPERIMENTS(X) COMMANDS_LIVE(X) COMMANDS_HELP(X)

#define X(name) extern const struct command command_##name;
COMMANDS(X)
#undef X

#endif

/* The commands, each in its own cmd_<name>.c. */
#ifndef WEIR_CLI_COMMANDS_H
#define WEIR_CLI_COMMANDS_H

#include "cli/cli.h"

extern const struct command command_simulate;
extern const struct command command_plan;
extern const struct command command_partition;
extern const struct command command_describe;
extern const struct command command_policies;
extern const struct command command_generate;
extern const struct command command_import;
extern const struct command command_export;
extern const struct command command_demo;
extern const struct command command_reproduce;
extern const struct command command_help;
extern const struct command command_man;

#endif

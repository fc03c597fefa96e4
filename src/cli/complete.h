/* What can be typed next on a command line, from the tables of the commands.
 *
 * A word stands for what help calls it: "STRATEGY" is a strategy wherever an option or an operand
 * has that name, "best|paper" is one of two words, "FILE" a file. */
#ifndef WEIR_CLI_COMPLETE_H
#define WEIR_CLI_COMPLETE_H

#include "cli/cli.h"

/* Prints a line for each way to go on after these words, of which the last one is being typed and
 * may be empty; the first is a command. A line is the whole word, a tab, and what it means; or
 * ":files",
 * ":directories" or ":commands", which shells complete themselves. */
void complete_words(const struct words *words, FILE *out);

#endif

/* How a command asks a question, and shows the answer. */
#ifndef WEIR_CLI_ASK_H
#define WEIR_CLI_ASK_H

#include "cli/cli.h"
#include "model/workload.h"

/* Answers the question of a command, and prints the answer: for people, or as JSON; and draws it.
 * Returns an enum status; unless that is STATUS_DONE, err says why. */
int ask_run(const struct command *command, const void *values, struct err *err);

/* "window 0 s to 1 h", by date if that is known, if there is one. */
void ask_print_window(const struct workload *workload);

/* A list of an answer as a table: its first field names the rows, those with a heading are columns.
 */
struct ask_table {
    const char *corner; /* heading of the names */
    const struct answer_field *fields;
    const void *list;
    size_t count, size;            /* elements, and bytes of one */
    const char *renamed, *heading; /* a column whose heading depends on the answer, or NULL */
    const char *without;           /* key of a column that is left out, or NULL */
    size_t bounds;                 /* as in struct table, and the following */
    int width;
    bool legend;
};
int ask_print_table(const struct ask_table *table, struct err *err); /* 0 or -1 */

#endif

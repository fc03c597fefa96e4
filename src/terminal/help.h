/* What people read about a command: from its table of options. */
#ifndef WEIR_TERMINAL_HELP_H
#define WEIR_TERMINAL_HELP_H

#include "base/option.h"
#include <stdio.h>

/* A word and what it means. */
struct entry {
    const char *name, *help; /* name NULL ends a table */
};

/* The help of a command. */
struct help_page {
    const char *program, *summary;
    struct syntax syntax;
    const char *details;         /* a further paragraph; may be NULL */
    const struct entry *entries; /* and a table after it; may be NULL */
    const char *example;         /* a command line */
};
void help_print(const struct help_page *page, FILE *out);

/* Prints a paragraph wrapped to 80 columns; every line is indented, and on the first one `column`
 * columns, at most the indentation, are already taken. */
void help_wrap(FILE *out, const char *text, int indent, int column);

/* "label      help" with the help at column `start`, on its own line where the label is too long.
 */
void help_entry(FILE *out, int start, const char *label, const char *help);

/* "--policy P", or "-o, --output FILE". Returns `buffer`. */
char *option_label(const struct option *option, char *buffer, size_t size);

#endif

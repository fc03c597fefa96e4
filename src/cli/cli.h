/* The command line: what a command is.
 *
 * A command is one table, with a table of options (base/option.h). From it come its --help and its
 * section of the manual. */
#ifndef WEIR_CLI_CLI_H
#define WEIR_CLI_CLI_H

#include "answer/question.h"
#include "base/err.h"
#include "base/option.h"
#include "figure/picture.h"
#include "terminal/help.h"
#include "terminal/terminal.h"
#include <stdbool.h>
#include <stdio.h>

struct command {
    const char *name, *summary;
    const char *operands;         /* as the usage line shows them; NULL = none are taken */
    size_t least, most;           /* how many of them */
    const struct option *options; /* besides --help; may be NULL */
    const char *details;          /* a further paragraph of help; may be NULL */
    const struct entry *entries;  /* and a table after it; may be NULL */
    const char *example;          /* a command line and what it does */
    size_t size;                  /* of the structure, which begins with `struct words operands` */
    bool hidden;                  /* from the list of commands */
    /* Does it. Returns an enum status; unless that is STATUS_DONE, err says why. */
    int (*run)(const void *values, struct err *err);
    /* Or: what it asks, with operands, options and size of its own; how the answer is printed for
     * people, and drawn. What is wrong with how it is to be shown, `check`, which may be NULL, says
     * before anything runs. 0 or -1. */
    const struct question *question;
    int (*check)(const void *values, struct err *err);
    int (*print)(const void *values, const void *answer, struct err *err);
    int (*draw)(const void *values, const void *answer, struct picture *picture, struct err *err);
    int (*paint)(const void *values, const void *answer, struct err *err); /* into several files */
};

/* Operands and options of a command, its own or those of its question. */
struct syntax command_syntax(const struct command *command);

/* Every command, in the order in which people should see them; ends with NULL. */
extern const struct command *const commands[];

/* The same by what people want to do; ends with a title of NULL. */
struct command_group {
    const char *title;
    const struct command *const *list; /* ends with NULL */
};
extern const struct command_group command_groups[];

/* NULL with err, which suggests the nearest command. */
const struct command *command_find(const char *name, struct err *err);

/* What people read. */
void help_overview(FILE *out);
void help_command(const struct command *command, FILE *out);
void help_manual(FILE *out);                              /* weir(1) in roff, */
void help_page(const struct command *command, FILE *out); /* and weir-COMMAND(1) */

#endif

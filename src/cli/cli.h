/* The command line: what a command is, and how its options become a structure.
 *
 * A command is one table. From it come the parsing of its options, its error messages, its
 * --help and its section of the manual. */
#ifndef WEIR_CLI_CLI_H
#define WEIR_CLI_CLI_H

#include "base/arena.h"
#include "base/err.h"
#include "base/units.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Exit codes. */
enum status {
    STATUS_DONE = 0,
    STATUS_FAILED = 1, /* the run failed */
    STATUS_MISUSE = 2  /* bad usage or bad input */
};

/* What an option's value becomes, in the member at its offset. */
enum option_kind {
    OPTION_FLAG,   /* bool */
    OPTION_TEXT,   /* const char *, NULL = not given */
    OPTION_WORDS,  /* struct words: may be given several times */
    OPTION_AMOUNT, /* double > 0 in the option's unit, 0 = not given */
    OPTION_DELAY,  /* struct delay >= 0 in the option's unit */
    OPTION_WHOLE   /* struct whole */
};

struct words {
    const char **list;
    size_t count;
};

struct whole {
    uint64_t value;
    bool given;
};

struct delay {
    double value;
    bool given;
};

struct option {
    const char *name; /* without dashes; NULL ends a table */
    char letter;      /* short form, or 0 */
    enum option_kind kind;
    enum unit unit;    /* of an amount */
    const char *value; /* what help calls the value, NULL for a flag */
    size_t offset;     /* in the command's structure */
    const char *help;
};

/* A word and what it means. */
struct entry {
    const char *name, *help; /* name NULL ends a table */
};

struct command {
    const char *program; /* that has it; NULL = weir */
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
};

/* Every command, in the order in which people should see them; ends with NULL. */
extern const struct command *const commands[];

/* NULL with err, which suggests the nearest command. */
const struct command *command_find(const char *name, struct err *err);

/* Parses the arguments (argv ends with NULL and begins after the command's name) into `values`,
 * a zeroed structure of command->size bytes. Text is borrowed from argv, lists live in the arena.
 * Returns 0; 1 when help was asked for; -1 with err. */
int options_parse(const struct command *command, char **argv, void *values, struct arena *arena,
                  struct err *err);

/* The index of an option's word among `count` names, 0 when it is NULL, not given;
 * -1 with err, which lists them. */
int option_choose(const char *option, const char *word, const char *const *names, int count,
                  struct err *err);

/* What people read. */
void help_overview(FILE *out);
void help_command(const struct command *command, FILE *out);
void help_manual(FILE *out); /* weir(1) in roff */

/* Prints a paragraph wrapped to 80 columns; every line is indented, and on the first one `column`
 * columns, at most the indentation, are already taken. */
void help_wrap(FILE *out, const char *text, int indent, int column);

/* "--policy P", or "-o, --output FILE". Returns `buffer`. */
char *option_label(const struct option *option, char *buffer, size_t size);

/* Whether the stream is a terminal that understands control sequences: TERM is set, and not to
 * dumb. */
bool terminal_is_able(FILE *stream);

/* Whether to colour: it is, and NO_COLOR is not set. */
bool terminal_colour(FILE *stream);

#endif

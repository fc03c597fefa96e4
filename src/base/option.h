/* Options in a table: from it come their parsing, what is wrong with them, help and manual.
 *
 * The values become members of a structure, which begins with `struct words operands`. */
#ifndef WEIR_BASE_OPTION_H
#define WEIR_BASE_OPTION_H

#include "base/arena.h"
#include "base/err.h"
#include "base/units.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
    size_t offset;     /* in the structure */
    const char *help;
};

/* What a table demands of what is given. */
enum option_demand {
    OPTION_RANGE,   /* `name`, a whole number or an amount, is from `least` to `most` */
    OPTION_EXCLUDE, /* not both `name` and `other` */
    OPTION_NEED,    /* `name` only with `other` */
    OPTION_REQUIRE, /* one of `name` and, unless that is NULL, `other` */
    OPTION_STDOUT   /* `name`, a file that may be standard output, not with `other` then */
};
struct option_rule {
    enum option_demand demand;
    const char *name, *other; /* options; name NULL ends a table */
    uint64_t least, most;     /* of a range; most 0 = no limit */
};

#define RULE_RANGE(option, from, to)                                                               \
    {                                                                                              \
        .demand = OPTION_RANGE, .name = option, .least = from, .most = to                          \
    }
#define RULE_EXCLUDE(option, with)                                                                 \
    {                                                                                              \
        .demand = OPTION_EXCLUDE, .name = option, .other = with                                    \
    }
#define RULE_NEED(option, with)                                                                    \
    {                                                                                              \
        .demand = OPTION_NEED, .name = option, .other = with                                       \
    }
#define RULE_REQUIRE(option, or)                                                                   \
    {                                                                                              \
        .demand = OPTION_REQUIRE, .name = option, .other = or                                      \
    }
#define RULE_STDOUT(option, with)                                                                  \
    {                                                                                              \
        .demand = OPTION_STDOUT, .name = option, .other = with                                     \
    }

/* How something is asked. */
struct syntax {
    const char *name;                /* of the command or question */
    const char *operands;            /* as the usage line shows them; NULL = none are taken */
    size_t least, most;              /* how many of them */
    const struct option *options;    /* besides --help; may be NULL */
    const struct option_rule *rules; /* may be NULL */
};

/* Parses the arguments (argv ends with NULL and begins after the command's name) into `values`,
 * a zeroed structure. Text is borrowed from argv, lists live in the arena.
 * Returns 0; 1 when help was asked for; -1 with err. */
int options_parse(const struct syntax *syntax, const char *const *argv, void *values,
                  struct arena *arena, struct err *err);

/* The index of an option's word among `count` names, 0 when it is NULL, not given;
 * -1 with err, which lists them. */
int option_choose(const char *option, const char *word, const char *const *names, int count,
                  struct err *err);

#endif

/* A YAML document as a stream of values, and mappings that are read by tables of keys.
 *
 * A reader stands on an event: a scalar, or the start or end of a mapping or sequence. A function
 * that reads a value finds the reader on the value's first event and leaves it on its last. All
 * failures are stated as "file:line: ..." in the reader's err. Only the depth that the tables
 * allow is ever entered, and aliases are refused, so no input can make reading explode. */
#ifndef WEIR_FORMAT_READER_H
#define WEIR_FORMAT_READER_H

#include "base/units.h"
#include "format/draft.h"
#include <stdbool.h>
#include <stddef.h>
#include <yaml.h>

struct reader {
    yaml_parser_t parser;
    yaml_event_t event;
    struct draft *draft; /* what is being read */
    const void *context; /* of the file's own kinds; NULL at first */
    struct err *err;
};

/* Stands on the first event of the only document. 0 or -1; reader_fini in both cases. */
int reader_init(struct reader *reader, const char *text, size_t length, struct draft *draft,
                struct err *err);
void reader_fini(struct reader *reader);

int reader_next(struct reader *reader);

/* Fails unless the document ends after the current value, and the file after the document. */
int reader_finish(struct reader *reader);

/* Line of the current event, from 1. */
size_t reader_line(const struct reader *reader);

/* Fails at this line; returns -1. */
#define reader_fail(reader, line, ...) draft_fail((reader)->draft, line, (reader)->err, __VA_ARGS__)

/* The current event's text if it is a scalar of one printable line, else NULL with err. `what` and
 * `expected` are for the message. */
const char *reader_scalar(struct reader *reader, const char *what, const char *expected);
/* The same of a text of any length. */
const char *reader_prose(struct reader *reader, const char *what, const char *expected);

/* Whether a sequence starts here. */
bool reader_is_list(const struct reader *reader);

/* --- tables of keys ------------------------------------------------------------------------- */

struct key;

/* How a value is read, and what the manual says of it. */
struct kind {
    const char *value; /* for people; NULL = what the unit expects */
    int (*read)(struct reader *reader, const struct key *key, void *into); /* 0 or -1 */
    enum unit unit;                                                        /* of a quantity, */
    double least, most;                                                    /* its range, */
    bool positive; /* and whether it must be above 0 */
};

enum key_need { OPTIONAL, REQUIRED };

struct key {
    const char *name;
    const struct kind *kind;
    size_t offset; /* where in the mapping's target the value goes */
    enum key_need need;
    const char *help;
};

struct key_table {
    const char *name;
    const struct key *keys; /* ends with name = NULL; at most 64 */
};

/* Reads a mapping into `target`. Unknown, repeated and missing keys are errors. *seen (if not
 * NULL) gets a bit per key that was given. */
int key_table_read(struct reader *reader, const struct key_table *table, void *target,
                   uint64_t *seen);

/* Reads the sequence that is the value of this key: calls `read` on each element. */
int list_read(struct reader *reader, const struct key *key,
              int (*read)(struct reader *reader, void *into), void *into);

/* Room for one more at the end of a list in the scenario's arena, which doubles at the powers of
 * two: the list, or a copy of it. NULL with err when memory is out. */
void *list_extend(struct reader *reader, const void *list, uint32_t count, size_t size);

/* What is to be written for a value of this kind, such as "a number". */
const char *kind_value(const struct kind *kind);

/* Whether the key of this name was given. */
bool key_table_saw(const struct key_table *table, uint64_t seen, const char *name);

#endif

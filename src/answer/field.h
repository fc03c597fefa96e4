/* Answers as data: a table of fields describes a structure once. JSON, tables, docs/reference/json.md, the
 * accessors of weir/simulate.h and Python come from it. */
#ifndef WEIR_ANSWER_FIELD_H
#define WEIR_ANSWER_FIELD_H

#include "base/json.h"
#include "base/units.h"
#include "metric/metric.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What the member at the offset is. */
enum field_kind {
    FIELD_TEXT,   /* const char *; NULL -> null */
    FIELD_CHARS,  /* char[] */
    FIELD_NUMBER, /* double; not finite -> null */
    FIELD_WHOLE,  /* uint64_t */
    FIELD_FLAG,   /* bool */
    FIELD_TRUTH,  /* double: 0 or 1; not finite -> null */
    FIELD_OBJECT, /* a structure inside, of the fields `members` */
    FIELD_INLINE, /* the same, but its members stand beside the others; `key` names them for no one
                   */
    FIELD_SERIES, /* const double *; the member at `count` says how many */
    FIELD_LIST,   /* a pointer to structures of `size` bytes; the member at `count` says how many */
    FIELD_MAP     /* the same as an object: each begins with its key, a const char * */
};

enum field_place {
    FIELD_EVERYWHERE,
    FIELD_NO_TABLE, /* not among the columns for people */
    FIELD_NO_JSON   /* only there */
};

struct answer_field {
    const char *key; /* NULL ends a table; of a FIELD_MAP with `members` of one field without key,
                        each value is that field */
    enum field_kind kind;
    size_t offset;
    const char *help;
    enum unit unit;                     /* of a number */
    const struct answer_field *members; /* of an object, or of each element */
    size_t size, count; /* of a list or map: bytes of an element; offset of a size_t */
    size_t when;        /* offset of a bool: there only if that is true; 0 = always */
    /* As a column of a table; NULL = none. */
    const char *heading;
    enum metric_sense better;
    int digits;
    bool percent; /* shown times 100 */
    enum field_place place;
};

/* A number, or a list of them by name: of a FIELD_MAP of field_numbers. */
struct field_number {
    const char *name;
    double value;
};
extern const struct answer_field field_numbers[];

/* The same for texts. */
struct field_text {
    const char *name, *value;
};
extern const struct answer_field field_texts[];

/* Members of `type` whose names are their keys. */
#define FIELD_OF(type, name, what, text)                                                           \
    .key = #name, .kind = FIELD_##what, .offset = offsetof(type, name), .help = text
#define FIELD_LIST_OF(type, name, element, of, text)                                               \
    FIELD_OF(type, name, LIST, text), .members = of, .size = sizeof(element),                      \
                                      .count = offsetof(type, name##_count)
#define FIELD_MAP_OF(type, name, element, of, text)                                                \
    FIELD_OF(type, name, MAP, text), .members = of, .size = sizeof(element),                       \
                                     .count = offsetof(type, name##_count)
#define FIELD_COLUMN(title, sense, precision)                                                      \
    .heading = title, .better = METRIC_##sense, .digits = precision

/* Writes an answer as a JSON object, with this key inside another. */
void fields_json(const struct answer_field *fields, const void *answer, const char *key,
                 struct json *json);

/* What a path such as "strategies[2].copies" or "fairness.now" leads to; a member of a map by its
 * key. `field` is NULL if there is no such member. */
struct field_found {
    const struct answer_field *field;
    const void *at; /* the structure that has it */
};
struct field_found fields_find(const struct answer_field *fields, const void *answer,
                               const char *path);

double field_as_number(const struct answer_field *field, const void *at); /* NAN unless it is one */
const char *field_as_text(const struct answer_field *field,
                          const void *at); /* NULL unless it is one */
size_t field_count(const struct answer_field *field,
                   const void *at); /* of what has several, else 0 */

/* Calls back with "list[].name", "time" and the help of each member, and those inside. */
typedef void field_teller(void *context, const char *path, const char *value, const char *help);
void fields_document(const struct answer_field *fields, field_teller *tell, void *context);

#endif

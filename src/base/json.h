/* A JSON writer: correct nesting, commas, escapes and numbers, straight to a stream. Invalid UTF-8
 * is written as U+FFFD, and a line ends after the outermost value. Set `out` and `pretty`, zero the
 * rest. */
#ifndef WEIR_BASE_JSON_H
#define WEIR_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct json {
    FILE *out;
    int depth;
    bool pretty;    /* a line per member, two spaces a level */
    uint64_t begun; /* bit d: something was written at depth d */
};

/* `key` is NULL inside arrays and at the top. */
void json_begin_object(struct json *json, const char *key);
void json_end_object(struct json *json);
void json_begin_array(struct json *json, const char *key);
void json_end_array(struct json *json);
void json_string(struct json *json, const char *key, const char *value); /* NULL -> null */
void json_text(struct json *json, const char *key, const char *value, size_t length); /* may have 0
                                                                                        bytes */
void json_number(struct json *json, const char *key, double value);    /* shortest that reads back;
                                                                           not finite -> null */
void json_integer(struct json *json, const char *key, uint64_t value); /* all digits, also of */
void json_signed(struct json *json, const char *key, int64_t value);   /* more than a double has */
void json_bool(struct json *json, const char *key, bool value);

#endif

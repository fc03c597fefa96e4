#include "answer/field.h"
#include "base/text.h"
#include <math.h>
#include <string.h>

/* A size_t is described as FIELD_WHOLE, too. */
_Static_assert(sizeof(size_t) == sizeof(uint64_t), "a count is as wide as a whole number");

enum { FIELD_PATH = 128, FIELD_HELP = 256 };

const struct answer_field field_numbers[] = {
    {.key = "", .kind = FIELD_NUMBER, .offset = offsetof(struct field_number, value), .help = ""},
    {.key = NULL},
};

const struct answer_field field_texts[] = {
    {.key = "", .kind = FIELD_TEXT, .offset = offsetof(struct field_text, value), .help = ""},
    {.key = NULL},
};

static const void *field_member(const struct answer_field *field, const void *at)
{
    return (const char *)at + field->offset;
}

static bool field_is_there(const struct answer_field *field, const void *at)
{
    return !field->when || *(const bool *)((const char *)at + field->when);
}

double field_as_number(const struct answer_field *field, const void *at)
{
    const void *member = field_member(field, at);
    switch (field->kind) {
    case FIELD_NUMBER:
    case FIELD_TRUTH:
        return *(const double *)member;
    case FIELD_WHOLE:
        return (double)*(const uint64_t *)member;
    case FIELD_FLAG:
        return *(const bool *)member;
    default:
        return NAN;
    }
}

const char *field_as_text(const struct answer_field *field, const void *at)
{
    const void *member = field_member(field, at);
    if (field->kind == FIELD_CHARS)
        return member;
    return field->kind == FIELD_TEXT ? *(const char *const *)member : NULL;
}

size_t field_count(const struct answer_field *field, const void *at)
{
    bool several =
        field->kind == FIELD_LIST || field->kind == FIELD_MAP || field->kind == FIELD_SERIES;
    return several ? *(const size_t *)((const char *)at + field->count) : 0;
}

static const void *field_element(const struct answer_field *field, const void *at, size_t index)
{
    return *(const char *const *)field_member(field, at) + index * field->size;
}

/* --- JSON ------------------------------------------------------------------------------------ */

static void field_json(const struct answer_field *field, const void *at, const char *key,
                       struct json *json);

static void fields_json_members(const struct answer_field *fields, const void *at,
                                struct json *json)
{
    for (const struct answer_field *field = fields; field->key; field++)
        if (field_is_there(field, at) && field->place != FIELD_NO_JSON)
            field_json(field, at, field->key, json);
}

void fields_json(const struct answer_field *fields, const void *answer, const char *key,
                 struct json *json)
{
    json_begin_object(json, key);
    fields_json_members(fields, answer, json);
    json_end_object(json);
}

static void field_json_series(const struct answer_field *field, const void *at, const char *key,
                              struct json *json)
{
    const double *values = *(const double *const *)field_member(field, at);
    json_begin_array(json, key);
    for (size_t i = 0; i < field_count(field, at); i++)
        json_number(json, NULL, values[i]);
    json_end_array(json);
}

static void field_json_list(const struct answer_field *field, const void *at, const char *key,
                            struct json *json)
{
    json_begin_array(json, key);
    for (size_t i = 0; i < field_count(field, at); i++)
        fields_json(field->members, field_element(field, at, i), NULL, json);
    json_end_array(json);
}

/* An element of one field without a key is that value. */
static void field_json_map(const struct answer_field *field, const void *at, const char *key,
                           struct json *json)
{
    json_begin_object(json, key);
    for (size_t i = 0; i < field_count(field, at); i++) {
        const void *element = field_element(field, at, i);
        const char *name = *(const char *const *)element;
        if (*field->members->key)
            fields_json(field->members, element, name, json);
        else
            field_json(field->members, element, name, json);
    }
    json_end_object(json);
}

static void field_json(const struct answer_field *field, const void *at, const char *key,
                       struct json *json)
{
    const void *member = field_member(field, at);
    switch (field->kind) {
    case FIELD_TEXT:
    case FIELD_CHARS:
        json_string(json, key, field_as_text(field, at));
        break;
    case FIELD_NUMBER:
        json_number(json, key, *(const double *)member);
        break;
    case FIELD_WHOLE:
        json_integer(json, key, *(const uint64_t *)member);
        break;
    case FIELD_FLAG:
        json_bool(json, key, *(const bool *)member);
        break;
    case FIELD_TRUTH:
        if (isnan(*(const double *)member))
            json_string(json, key, NULL);
        else
            json_bool(json, key, *(const double *)member > 0);
        break;
    case FIELD_OBJECT:
        fields_json(field->members, member, key, json);
        break;
    case FIELD_INLINE:
        fields_json_members(field->members, member, json);
        break;
    case FIELD_SERIES:
        field_json_series(field, at, key, json);
        break;
    case FIELD_LIST:
        field_json_list(field, at, key, json);
        break;
    case FIELD_MAP:
        field_json_map(field, at, key, json);
        break;
    }
}

/* --- paths ----------------------------------------------------------------------------------- */

static struct field_found fields_find_key(const struct answer_field *fields, const void *at,
                                          const char *key, size_t length)
{
    for (const struct answer_field *field = fields; field->key; field++) {
        if (field->kind == FIELD_INLINE) {
            struct field_found inside =
                fields_find_key(field->members, field_member(field, at), key, length);
            if (inside.field)
                return inside;
        } else if (strlen(field->key) == length && memcmp(field->key, key, length) == 0 &&
                   field->place != FIELD_NO_JSON && field_is_there(field, at)) {
            return (struct field_found){field, at};
        }
    }
    return (struct field_found){NULL, NULL};
}

/* The element of a list after "[2]", or of a map after ".key"; moves behind that. NULL = none. */
static const void *field_step(struct field_found found, const char **path)
{
    const struct answer_field *field = found.field;
    size_t count = field_count(field, found.at);
    if (field->kind == FIELD_LIST) {
        size_t index = 0;
        if (*(*path)++ != '[' || **path < '0' || **path > '9')
            return NULL;
        for (; **path >= '0' && **path <= '9' && index <= count; (*path)++)
            index = 10 * index + (size_t)(**path - '0');
        return *(*path)++ == ']' && index < count ? field_element(field, found.at, index) : NULL;
    }
    size_t length = strcspn(++*path, ".[");
    for (size_t i = 0; i < count; i++) {
        const void *element = field_element(field, found.at, i);
        const char *name = *(const char *const *)element;
        if (strlen(name) == length && memcmp(name, *path, length) == 0) {
            *path += length;
            return element;
        }
    }
    return NULL;
}

struct field_found fields_find(const struct answer_field *fields, const void *answer,
                               const char *path)
{
    static const struct field_found none;
    size_t length = strcspn(path, ".[");
    struct field_found found = fields_find_key(fields, answer, path, length);
    path += length;
    if (!found.field || !*path)
        return found;
    const struct answer_field *members = found.field->members;
    if (found.field->kind == FIELD_OBJECT)
        return *path == '.' ? fields_find(members, field_member(found.field, found.at), path + 1)
                            : none;
    if (found.field->kind != FIELD_LIST && found.field->kind != FIELD_MAP)
        return none;
    const void *element = field_step(found, &path);
    if (element && !*path && !*members->key)
        return (struct field_found){members, element};
    return element && *path == '.' ? fields_find(members, element, path + 1) : none;
}

/* --- documents ------------------------------------------------------------------------------- */

static const char *field_value(const struct answer_field *field)
{
    static const char *const units[] = {[UNIT_NONE] = "number",
                                        [UNIT_SECONDS] = "time",
                                        [UNIT_BYTES] = "bytes",
                                        [UNIT_RATE] = "rate",
                                        [UNIT_RATIO] = "number"};
    switch (field->kind) {
    case FIELD_TEXT:
    case FIELD_CHARS:
        return "text";
    case FIELD_FLAG:
    case FIELD_TRUTH:
        return "boolean";
    case FIELD_SERIES:
        return field->unit == UNIT_RATE ? "array of rates" : "array of numbers";
    case FIELD_LIST:
        return "array";
    case FIELD_OBJECT:
    case FIELD_INLINE:
    case FIELD_MAP:
        return "object";
    case FIELD_NUMBER:
    case FIELD_WHOLE:
        break;
    }
    return units[field->unit];
}

/* Where the members of something that may be absent are, they may be, too. */
struct field_telling {
    field_teller *tell;
    void *context;
    bool maybe;
};

static void fields_tell(const struct answer_field *fields, const char *prefix,
                        struct field_telling telling);

static void field_tell(const struct answer_field *field, const char *path,
                       struct field_telling telling)
{
    char inside[FIELD_PATH] = "", help[FIELD_HELP];
    snprintf(help, sizeof help, "%s%s", telling.maybe ? "*maybe*: " : "", field->help);
    telling.tell(telling.context, path, field_value(field), help);
    if (!field->members)
        return;
    text_append(inside, sizeof inside, path);
    text_append(inside, sizeof inside,
                field->kind == FIELD_LIST  ? "[]"
                : field->kind == FIELD_MAP ? ".*"
                                           : "");
    if (field->kind == FIELD_MAP) {
        snprintf(help, sizeof help, "%seach by name", telling.maybe ? "*maybe*: " : "");
        telling.tell(telling.context, inside,
                     *field->members->key ? "object" : field_value(field->members), help);
    }
    text_append(inside, sizeof inside, ".");
    fields_tell(field->members, inside, telling);
}

static void fields_tell(const struct answer_field *fields, const char *prefix,
                        struct field_telling telling)
{
    for (const struct answer_field *field = fields; field->key; field++) {
        struct field_telling inside = telling;
        char path[FIELD_PATH];
        inside.maybe |= field->when > 0;
        snprintf(path, sizeof path, "%s%s", prefix, field->key);
        if (field->kind == FIELD_INLINE)
            fields_tell(field->members, prefix, inside);
        else if (*field->key && field->place != FIELD_NO_JSON)
            field_tell(field, path, inside);
    }
}

void fields_document(const struct answer_field *fields, field_teller *tell, void *context)
{
    fields_tell(fields, "", (struct field_telling){tell, context, false});
}

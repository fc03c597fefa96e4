#include "format/kinds.h"
#include "format/word.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

static int parse_quantity(struct reader *reader, const struct key *key, double *value)
{
    const struct kind *kind = key->kind;
    const char *text = reader_scalar(reader, key->name, kind_value(kind));
    if (!text)
        return -1;
    size_t line = reader_line(reader);
    struct quote quoted = quote_text(text, strlen(text));
    struct err fault;
    if (units_parse(text, kind->unit, value, &fault) != 0)
        return reader_fail(reader, line, "%s: %s", key->name, fault.text);
    if (kind->positive && *value <= 0)
        return reader_fail(reader, line, "%s must be above 0, not '%s'", key->name, quoted.text);
    if (*value < kind->least)
        return reader_fail(reader, line, "%s must be at least %g, not '%s'", key->name, kind->least,
                           quoted.text);
    if (*value > kind->most)
        return reader_fail(reader, line, "%s must be at most %.10g, not '%s'", key->name,
                           kind->most, quoted.text);
    return 0;
}

static int read_quantity(struct reader *reader, const struct key *key, void *into)
{
    return parse_quantity(reader, key, into);
}

static int read_count(struct reader *reader, const struct key *key, void *into)
{
    double value;
    if (parse_quantity(reader, key, &value) != 0)
        return -1;
    if (value != floor(value))
        return reader_fail(reader, reader_line(reader), "%s must be a whole number, not '%.17g'",
                           key->name, value);
    *(uint32_t *)into = (uint32_t)value;
    return 0;
}

static int read_integer(struct reader *reader, const struct key *key, void *into)
{
    const char *text = reader_scalar(reader, key->name, kind_value(key->kind));
    if (!text)
        return -1;
    uint64_t value = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9'; at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return reader_fail(reader, reader_line(reader), "%s '%s' is too large", key->name,
                               quote_text(text, strlen(text)).text);
        value = value * 10 + digit;
    }
    if (at == text || *at)
        return reader_fail(reader, reader_line(reader), "%s '%s' is not %s", key->name,
                           quote_text(text, strlen(text)).text, kind_value(key->kind));
    *(uint64_t *)into = value;
    return 0;
}

static int read_text(struct reader *reader, const struct key *key, void *into)
{
    const char *text = reader_scalar(reader, key->name, kind_value(key->kind));
    if (!text)
        return -1;
    if (!*text)
        return reader_fail(reader, reader_line(reader), "%s is empty", key->name);
    char *copy = arena_strndup(&reader->draft->scenario->arena, text, strlen(text));
    if (!copy)
        return err_memory(reader->err);
    *(const char **)into = copy;
    return 0;
}

const struct kind kind_text = {.value = "a text", .read = read_text};
const struct kind kind_seed = {.value = "a whole number", .read = read_integer};
const struct kind kind_moment = {
    .read = read_quantity, .unit = UNIT_SECONDS, .least = -INFINITY, .most = INFINITY};
const struct kind kind_seconds = {.read = read_quantity, .unit = UNIT_SECONDS, .most = INFINITY};
const struct kind kind_span = {
    .read = read_quantity, .unit = UNIT_SECONDS, .least = 1e-3, .most = INFINITY};
const struct kind kind_bytes = {.read = read_quantity, .unit = UNIT_BYTES, .most = INFINITY};
const struct kind kind_rate = {
    .read = read_quantity, .unit = UNIT_RATE, .most = INFINITY, .positive = true};
const struct kind kind_ratio = {.read = read_quantity, .unit = UNIT_RATIO, .most = 1};
const struct kind kind_multiple = {.read = read_quantity, .unit = UNIT_RATIO, .most = 1000};
const struct kind kind_factor = {.read = read_quantity, .most = INFINITY, .positive = true};
const struct kind kind_share = {.read = read_quantity, .least = 1e-9, .most = 1e9};
const struct kind kind_nodes = {
    .value = "a number of nodes", .read = read_quantity, .least = 1, .most = INFINITY};
const struct kind kind_replicas = {.value = "a whole number from 1 on",
                                   .read = read_count,
                                   .least = 1,
                                   .most = FORMAT_MAX_APPLICATIONS};
const struct kind kind_iterations = {.value = "a whole number from 1 on",
                                     .read = read_count,
                                     .least = 1,
                                     .most = FORMAT_MAX_ITERATIONS};

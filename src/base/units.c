#include "base/units.h"
#include "base/text.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A way to write a unit. Those marked are used to print, and stand in increasing order. */
struct suffix {
    const char *text;
    double scale;
    bool printed;
};

static const struct suffix plain[] = {{"", 1, true}, {NULL, 0, false}};
static const struct suffix ratios[] = {{"%", 0.01, true}, {NULL, 0, false}};
static const struct suffix times[] = {
    {"us", 1e-6, true},    {"ms", 1e-3, true},     {"s", 1, true},        {"min", 60, true},
    {"h", 3600, true},     {"d", 86400, true},     {"sec", 1, false},     {"second", 1, false},
    {"seconds", 1, false}, {"mins", 60, false},    {"minute", 60, false}, {"minutes", 60, false},
    {"hour", 3600, false}, {"hours", 3600, false}, {"day", 86400, false}, {"days", 86400, false},
    {NULL, 0, false}};
static const struct suffix sizes[] = {
    {"B", 1, true},         {"kB", 1e3, true},      {"MB", 1e6, true},      {"GB", 1e9, true},
    {"TB", 1e12, true},     {"PB", 1e15, true},     {"EB", 1e18, true},     {"KB", 1e3, false},
    {"KiB", 0x1p10, false}, {"MiB", 0x1p20, false}, {"GiB", 0x1p30, false}, {"TiB", 0x1p40, false},
    {"PiB", 0x1p50, false}, {"EiB", 0x1p60, false}, {NULL, 0, false}};

/* A rate is a size followed by "/s". */
static const struct dimension {
    const struct suffix *suffixes;
    const char *tail;
    const char *expected;
} dimensions[] = {
    [UNIT_NONE] = {plain, "", "a number"},
    [UNIT_SECONDS] = {times, "", "a time such as '90 s' or '1.5 h'"},
    [UNIT_BYTES] = {sizes, "", "a size such as '3 GB' or '512 MiB'"},
    [UNIT_RATE] = {sizes, "/s", "a bandwidth such as '3 GB/s' or '512 MiB/s'"},
    [UNIT_RATIO] = {ratios, "", "a ratio such as '0.2' or '20 %'"},
};

static const char *units_skip_space(const char *at)
{
    return at + strspn(at, " \t");
}

/* The suffix that is all of `text` but its tail and space at its end, or NULL. */
static const struct suffix *units_find(const char *text, const struct dimension *dimension)
{
    for (const struct suffix *s = dimension->suffixes; s->text; s++) {
        size_t length = strlen(s->text), tail = strlen(dimension->tail);
        if (strncmp(text, s->text, length) == 0 &&
            strncmp(text + length, dimension->tail, tail) == 0 &&
            *units_skip_space(text + length + tail) == 0)
            return s;
    }
    return NULL;
}

int units_parse(const char *text, enum unit unit, double *value, struct err *err)
{
    const struct dimension *dimension = &dimensions[unit];
    const char *at = units_skip_space(text);
    double number;
    if (text_number(&at, at + strlen(at), &number) != 0)
        return err_set(err, "'%s' is not %s", text, dimension->expected);
    at = units_skip_space(at);
    double scale = 1;
    if (*at) {
        const struct suffix *suffix = units_find(at, dimension);
        if (!suffix)
            return err_set(err, "'%s' is not %s", text, dimension->expected);
        scale = suffix->scale;
    }
    /* 20 % is 20/100: the double nearest to 0.2, which 20 * 0.01 need not be. */
    number = scale < 1 ? number / round(1 / scale) : number * scale;
    if (!isfinite(number))
        return err_set(err, "'%s' is too large", text);
    *value = number;
    return 0;
}

const char *units_expected(enum unit unit)
{
    return dimensions[unit].expected;
}

char *units_print(double value, enum unit unit, char *buffer, int size)
{
    const struct suffix *best = NULL;
    for (const struct suffix *s = dimensions[unit].suffixes; s->text; s++) {
        /* 999.96 MB has four digits as 1 GB. Zero is best shown in the plain unit. */
        bool fits = value == 0 ? s->scale <= 1 : fabs(value) >= s->scale * (1 - 5e-5);
        if (s->printed && (!best || fits))
            best = s;
    }
    const char *space = *best->text ? " " : "";
    snprintf(buffer, (size_t)size, "%.4g%s%s%s", value / best->scale, space, best->text,
             dimensions[unit].tail);
    return buffer;
}

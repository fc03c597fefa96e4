/* Bytes <-> scenario: one reader per format, all giving the same structure. */
#ifndef WEIR_FORMAT_FORMAT_H
#define WEIR_FORMAT_FORMAT_H

#include "base/err.h"
#include "model/scenario.h"
#include "model/service.h"
#include <stddef.h>
#include <stdio.h>

/* What a file does not say itself, from the command line; 0 = not given. */
struct format_defaults {
    double nodes, node_bandwidth, bandwidth; /* override the file's platform when given */
    /* A controller's configuration: its platform, strategy, stores, limits and shares are in force
     * instead of the file's. It outlives the scenario; NULL = none. */
    const struct service *config;
};

struct format {
    const char *name, *help;
    /* `text` has a 0 byte after its `length` bytes. `where` is the file's name for messages,
     * which all begin with "where:line", or "where:" when no line is at fault. `defaults` may be
     * NULL. NULL with err; scenario_free frees. */
    struct scenario *(*parse)(const char *text, size_t length, const char *where,
                              const struct format_defaults *defaults, struct err *err);
};

/* scenario (YAML), instance, set; ends with NULL. */
extern const struct format *const format_registry[];
const struct format *format_find(const char *name, struct err *err);

/* Loads and parses a file, "-" being standard input. `format` NULL = YAML scenario. */
struct scenario *format_load(const char *path, const struct format *format,
                             const struct format_defaults *defaults, struct err *err);

/* Writes a scenario as YAML that reads back to the same numbers. */
void scenario_write(FILE *out, const struct scenario *scenario);

/* The manual's section on the scenario file, made from the tables of keys that the reader uses:
 * calls `row` for every key in order. */
void scenario_document(void (*row)(void *context, const char *mapping, const char *key,
                                   const char *value, const char *help),
                       void *context);

#endif

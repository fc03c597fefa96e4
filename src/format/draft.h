/* A scenario while it is being read: what the readers have in common. */
#ifndef WEIR_FORMAT_DRAFT_H
#define WEIR_FORMAT_DRAFT_H

#include "format/format.h"
#include "model/scenario.h"
#include <stddef.h>
#include <stdint.h>

enum {
    FORMAT_MAX_APPLICATIONS = 1000000, /* replicas included */
    FORMAT_MAX_ITERATIONS = 100000000, /* of one application */
};

struct draft {
    struct scenario *scenario; /* all but its applications */
    struct app_spec *apps;
    uint32_t *lines; /* where each application stands in the file */
    size_t count, capacity, lines_capacity;
    uint64_t replicas;    /* in all */
    size_t platform_line; /* where the platform stands, 0 = not in the file */
    const char *where;    /* the file, for messages */
};

/* The name of a file without its directory and extension, or "scenario" if that cannot be a name.
 * NULL when memory is out. */
const char *draft_base_name(struct arena *arena, const char *where);

/* Begins an empty scenario named after the file `where`, on an unknown platform. 0 or -1. */
int draft_init(struct draft *draft, const char *where, struct err *err);

/* Frees what draft_finish has not handed over. */
void draft_fini(struct draft *draft);

/* Sets the text and puts "where:line" in front of it; returns -1. */
int draft_fail(const struct draft *draft, size_t line, struct err *err, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Lets what the command line says of the platform override what the file says. `defaults` may be
 * NULL. */
void draft_override(struct draft *draft, const struct format_defaults *defaults);

/* Appends an application that stands in this line. 0, or -1 when there are too many. */
int draft_add(struct draft *draft, const struct app_spec *app, size_t line, struct err *err);

/* Checks an application that stands in this line as if it were the only one, on a platform whose
 * bandwidth may still be unknown. 0 or -1. */
int draft_check(const struct draft *draft, const struct app_spec *app, size_t line,
                struct err *err);

/* Validates and hands over the scenario; the line of the application or platform at fault is put
 * in front of the text. NULL on failure. draft_fini must be called in both cases. */
struct scenario *draft_finish(struct draft *draft, struct err *err);

#endif

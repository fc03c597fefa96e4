/* The logs of others -> scenario: one importer per format. */
#ifndef WEIR_FORMAT_IMPORT_H
#define WEIR_FORMAT_IMPORT_H

#include "base/err.h"
#include "format/format.h"
#include "model/scenario.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What the accounts in a journal add up to: how it really went. */
struct import_accounts {
    uint64_t count; /* of applications that have left */
    double waited;  /* seconds, of all */
    double stretches, max_stretch;
};

struct observed;

/* What a log does not say itself; 0, NULL or false = not given. */
struct import_options {
    struct format_defaults platform;
    bool lenient;          /* skip what cannot be understood, and say how much it was */
    double gap;            /* seconds without I/O that end a phase */
    double io_ratio;       /* part of the run time that is I/O at full bandwidth */
    const char *io_csv;    /* a file that says the volume of each job: job, volume */
    uint32_t iterations;   /* over which the I/O of a run is spread evenly; 0 = 1 */
    double procs_per_node; /* 0 = 1 */
    const char *store;     /* of several, that the I/O was on; NULL = the first in the log */
    const char *sacct;     /* a file that says whose jobs the logs are of, and their nodes */
    const char *release;   /* of a job: when it began, "start" (also NULL), or "submit" */
    struct import_accounts *accounts; /* of a journal: they are added here; NULL = not wanted */
    /* If not NULL, gets the I/O that the logs have dates or durations of, empty at first; then the
     * bandwidth of applications, where it follows from that, is still to be found: own_apply. */
    struct observed *observed;
};
enum { IMPORT_MOST_ITERATIONS = 1000000 };

/* The options that only some importers use. */
enum import_use {
    IMPORT_GAP = 1,
    IMPORT_IO = 2, /* io_ratio or io_csv, one of which must be given, unless */
    IMPORT_ITERATIONS = 4,
    IMPORT_PROCS = 8,
    IMPORT_SUBMIT = 16,
    IMPORT_STORE = 32,
    IMPORT_OWN_IO = 64, /* the log may say it itself */
    IMPORT_JOBS = 128   /* sacct */
};

struct import;
struct importer {
    const char *name, *help;
    unsigned uses; /* of enum import_use */
    bool measures; /* the log says how fast I/O was: the platform's bandwidth may be left out */
    bool rates;    /* and applications do their I/O as fast as they can: see format/observed.h */
    bool dated;    /* releases are times of day of which the earliest becomes 0 */
    /* Reads one file; see format/importer.h. */
    int (*read)(struct import *import);
    int (*finish)(struct import *import); /* after all files; may be NULL */
    const struct format *format;          /* or who does all of it, for a single file */
};

/* csv, darshan, ...; ends with NULL. */
extern const struct importer *const import_registry[];
const struct importer *import_find(const char *name, struct err *err);

/* The importer of what a log seems to be by how it begins: a journal, TMIO, or else darshan. NULL
 * with err if it cannot be read. */
const struct importer *import_guess(const char *path, struct err *err);

/* Refuses options out of range, those without effect on the format, and the lack of those without
 * which it cannot be imported. 0 or -1. */
int import_check(const struct importer *importer, const struct import_options *options,
                 struct err *err);

/* Whether jobs are released when they were submitted. */
bool import_by_submission(const struct import_options *options);

/* Imports the files into one scenario, "-" being standard input. Lines about how the logs were
 * understood go to `notes`, which may be NULL. Messages begin with "file:line". NULL with err;
 * scenario_free frees. */
struct import_source {
    const char *const *paths;
    size_t count;
};
struct scenario *import_files(const struct importer *importer, const struct import_source *source,
                              const struct import_options *options, FILE *notes, struct err *err);

/* The same for one text; `where` is its name for messages. */
struct import_text {
    const char *text;
    size_t length;
    const char *where;
};
struct scenario *import_parse(const struct importer *importer, const struct import_text *text,
                              const struct import_options *options, FILE *notes, struct err *err);

#endif

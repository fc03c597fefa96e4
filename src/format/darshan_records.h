/* The counters of darshan-parser: a record is what one process, or all of them together, did to one
 * file through one module. */
#ifndef WEIR_FORMAT_DARSHAN_RECORDS_H
#define WEIR_FORMAT_DARSHAN_RECORDS_H

#include "base/err.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The modules that count bytes on their way to a file system: the enum, how a log names them, and
 * how their counters begin. Darshan 1 and 2 have one, without a name. */
#define DARSHAN_MODULES(X)                                                                         \
    X(POSIX, "POSIX", "POSIX_")                                                                    \
    X(MPIIO, "MPI-IO", "MPIIO_")                                                                   \
    X(STDIO, "STDIO", "STDIO_")                                                                    \
    X(DFS, "DFS", "DFS_")                                                                          \
    X(DAOS, "DAOS", "DAOS_")                                                                       \
    X(UNNAMED, "Darshan 2", "CP_")

enum darshan_module {
#define X(name, text, prefix) DARSHAN_##name,
    DARSHAN_MODULES(X)
#undef X
        DARSHAN_MODULE_COUNT
};
extern const char *const darshan_module_names[DARSHAN_MODULE_COUNT];

struct darshan_record;

/* A zeroed struct is empty. */
struct darshan_records {
    struct darshan_record *list;
    size_t count, capacity;
    unsigned seen; /* modules, as bits */
};

/* One line: the counter of a record. */
struct darshan_line {
    uint64_t file; /* a number for its name */
    double rank;   /* below 0 = all processes together */
    bool total;    /* of all records of the module (darshan-parser --total) */
    const char *counter;
    size_t length; /* of its name */
    double value;
    size_t number; /* of the line */
};

/* Whether the value of a counter of this name is of interest. */
bool darshan_is_wanted(const char *counter, size_t length);

/* Adds the counter of a line, which follows the others of its record; the value does not matter if
 * it is not of interest, but the record is not whole without those that are. 0, or -1 when memory
 * is out.
 */
int darshan_records_add(struct darshan_records *records, const struct darshan_line *line);

/* What the records say of the I/O of the run. Darshan's own estimate of the time: that of the
 * slowest process in each shared file, one file after the other, and then that of the process that
 * spent most on files of its own. */
struct darshan_io {
    double bytes;
    double shared, own; /* seconds */
    double opening;     /* of these, about, for opening and closing files */
    double rank;        /* the process that spent most */
    bool averaged;      /* of some shared files only the mean over the processes is known */
    unsigned modules;   /* that count, as bits: the same bytes may pass through several */
};

/* Sums the records up, for this many processes; it reorders them. Returns 0, or the number of a
 * line after which the rest of its record is missing, and counts as 0. */
size_t darshan_records_sum(struct darshan_records *records, double processes,
                           struct darshan_io *io);

void darshan_records_fini(struct darshan_records *records);

#endif

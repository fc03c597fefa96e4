/* What importers have in common: the file being read, and the scenario being made of it. */
#ifndef WEIR_FORMAT_IMPORTER_H
#define WEIR_FORMAT_IMPORTER_H

#include "base/stream.h"
#include "format/draft.h"
#include "format/import.h"
#include "format/lines.h"
#include "format/observed.h"

struct import {
    const struct import_options *options;
    struct stream stream; /* the current file */
    struct draft draft;
    FILE *notes; /* NULL = not wanted */
    struct err *err;
    uint64_t skipped;         /* because of --lenient */
    struct err first;         /* what was wrong with the first of them */
    double origin;            /* when time 0 of dated releases was, seconds since 1970 */
    struct observed observed; /* the I/O that logs have dates or durations of */
    struct {
        void *list; /* structs of the importer */
        size_t count, capacity, size;
    } kept; /* from file to file, for `finish` */
    bool several;      /* files, of which one may be broken */
    uint64_t left_out; /* for that reason */
};

/* After something was found wrong with a whole file and err says what: 0 if it is to be left out,
 * as one of several, else -1. Not for want of memory. */
int import_leave_out(struct import *import);

/* Tells applications of one name apart by a number from 2 on, in the order of their places in
 * memory; `apps` is reordered. For importers that note something of them; it is done for all in the
 * end. 0, or -1 when memory is out. */
int import_number_names(struct import *import, struct app_spec **apps, size_t count);

/* Keeps a struct of this size, the same each time. 0, or -1 when memory is out. */
int import_hold(struct import *import, const void *item, size_t size);

/* After something in the file was found wrong and err says what, with its line: 0 if it is to be
 * skipped, else -1. Not for want of memory. */
int import_skip(struct import *import);

/* States the fault of a line, and then as import_skip. */
#define import_refuse(import, line, ...)                                                           \
    (draft_fail(&(import)->draft, line, (import)->err, __VA_ARGS__), import_skip(import))

/* Writes a line of the notes. */
void import_note(struct import *import, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The current line for the functions of format/lines.h, at its first field. */
struct lines import_fields(struct import *import);

/* Adds an application that stands in this line, or skips it. 0 or -1. */
int import_add(struct import *import, const struct app_spec *app, size_t line);

/* Nodes for this many processes. */
double import_nodes(const struct import *import, double processes);

/* Notes whose an application is: the name of its user or account, "" = the log does not say. 0 or
 * -1. */
int import_own(struct import *import, struct app_spec *app, enum party_kind kind, const char *name);

/* A copy for the scenario, or NULL with err. */
const char *import_keep(struct import *import, const char *text, size_t length);

/* The importers there are, each import_<name>, in the order of the registry. */
#define IMPORTERS(X) \
    X(csv) X(darshan) X(swf) X(sacct) X(tmio) X(lustre) X(journal) X(instance) X(set)

#define X(name) extern const struct importer import_##name;
IMPORTERS(X)
#undef X

#endif

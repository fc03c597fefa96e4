/* The file of a journal. Lines are collected in memory and written by another thread, so a slow
 * disk never delays the controller. */
#ifndef WEIR_SERVE_JOURNAL_FILE_H
#define WEIR_SERVE_JOURNAL_FILE_H

#include "base/err.h"
#include "controller/journal.h"
#include <stdbool.h>
#include <stdio.h>
#include <uv.h>

struct journal_batch {
    char *text;
    size_t length, capacity;
};

struct journal_file {
    uv_loop_t *loop;
    char *path;
    int fd;
    int next;     /* the file to continue with once nothing is being written; -1 = none */
    FILE *stream; /* into `gathering` */
    struct journal_batch gathering, writing;
    uv_fs_t request;
    bool busy;      /* `writing` is being written */
    size_t written; /* bytes of `writing` already written */
    bool torn;      /* memory ran out within a line */
};

/* Appends to the path, or creates it. 0 or -1; journal_file_fini in both cases. */
int journal_file_init(struct journal_file *file, uv_loop_t *loop, const char *path,
                      struct err *err);
/* Writes the rest. 0, or -1 if lines are missing. */
int journal_file_fini(struct journal_file *file, struct err *err);

/* The sink of a journal; its context is the file. There is no room for a line while those that
 * wait to be written take all the memory they may. */
extern const struct journal_sink journal_file_sink;

/* Reopens the path and continues there. 0, or -1 and the old file stays in use. */
int journal_file_reopen(struct journal_file *file, struct err *err);

#endif

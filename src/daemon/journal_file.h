/* The file behind a journal. Lines are gathered in memory and written by another thread, so that a
 * slow disk never holds up the controller. */
#ifndef WEIR_DAEMON_JOURNAL_FILE_H
#define WEIR_DAEMON_JOURNAL_FILE_H

#include "base/err.h"
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
    int next;     /* to go on with instead, once nothing is being written; -1 = none */
    FILE *stream; /* into `gathering` */
    struct journal_batch gathering, writing;
    uv_fs_t request;
    bool busy;      /* `writing` is being written */
    size_t written; /* bytes of it */
    bool torn;      /* without memory a line was not gathered as a whole */
};

/* Appends to the path, or makes it. 0 or -1; journal_file_fini in both cases. */
int journal_file_init(struct journal_file *file, uv_loop_t *loop, const char *path,
                      struct err *err);
/* Writes what is left. 0, or -1 if lines are missing. */
int journal_file_fini(struct journal_file *file, struct err *err);

/* Whether lines that wait take all the memory that they may. */
bool journal_file_is_full(const struct journal_file *file);

/* A line was printed to the stream. */
void journal_file_end_line(struct journal_file *file);

/* Hands over what was gathered, unless the last is still being written. */
void journal_file_flush(struct journal_file *file);

/* Opens the path again, and goes on there. 0, or -1 and the old file stays in use. */
int journal_file_reopen(struct journal_file *file, struct err *err);

#endif

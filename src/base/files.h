/* The files that a user means: names, directories and patterns. */
#ifndef WEIR_BASE_FILES_H
#define WEIR_BASE_FILES_H

#include "base/arena.h"
#include "base/err.h"
#include <stdbool.h>
#include <stddef.h>

struct file_name {
    const char *name;
    bool found; /* in a directory or by a pattern, not named by the user */
};

/* A zeroed struct is empty. */
struct files {
    struct file_name *list;
    size_t count, capacity;
    struct arena arena;
};

/* Adds a file, all files of a directory and those below it in order of their names, hidden ones and
 * links to directories excepted, or those that match a pattern such as "logs/2026-11-*.darshan". A
 * name of an existing file is never a pattern. 0, or -1 with err: a directory cannot be read, or
 * has no files. */
int files_add(struct files *files, const char *name, struct err *err);
void files_fini(struct files *files);

#endif

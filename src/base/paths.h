/* Sets of files that one word stands for. */
#ifndef WEIR_BASE_PATHS_H
#define WEIR_BASE_PATHS_H

#include "base/err.h"
#include <glob.h>
#include <stdbool.h>
#include <stddef.h>

struct path_set {
    char **list; /* sorted */
    size_t count;
    glob_t found;
};

/* The files of a directory that `every` ("/" and a pattern) fits, those that a pattern with * ? [
 * fits, or the file itself, which need not exist. 0, or -1 with err: there are none, or memory is
 * out. paths_fini frees in both cases. */
int paths_find(struct path_set *set, const char *word, const char *every, struct err *err);
void paths_fini(struct path_set *set);

#endif

/* Other programs that turn one file into another. */
#ifndef WEIR_BASE_FILTER_H
#define WEIR_BASE_FILTER_H

#include "base/err.h"
#include <stdbool.h>
#include <stdio.h>

/* Whether a program can be found on the PATH. */
bool filter_installed(const char *name);

/* Runs a program, without a shell: it reads `in` from its beginning and appends to `out`, which are
 * real files. `arguments` begin with its name, which is looked up on the PATH, and end with NULL.
 * A program that honours SOURCE_DATE_EPOCH writes no date. 0, or -1 with err: it cannot be
 * started, or fails; then err has the first line that it complains with. */
int filter_run(const char *const *arguments, FILE *in, FILE *out, struct err *err);

#endif

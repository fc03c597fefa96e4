/* Output files that appear only when they are complete. */
#ifndef WEIR_BASE_OUTPUT_H
#define WEIR_BASE_OUTPUT_H

#include "base/err.h"
#include <stdbool.h>
#include <stdio.h>

/* A file written beside its final place and renamed by output_commit. "-" is standard output; an
 * existing file that is not regular (a pipe, /dev/null) is written directly. A zeroed struct is
 * closed. */
struct output {
    FILE *file; /* write here */
    char *path, *scratch;
    int place; /* in the list of unfinished files, from 1; 0 = not there */
};
enum { OUTPUT_PLACES = 16 };

int output_open(struct output *output, const char *path, struct err *err); /* 0 or -1 */

/* What a path names; NULL names nothing. */
bool output_is_stdout(const char *path);
bool output_is_directory(const char *path); /* that exists, or it ends with '/' */

/* Both close. A commit that fails (-1) leaves no file behind; a discard leaves the place unchanged,
 * and does nothing to a closed output. */
int output_commit(struct output *output, struct err *err);
void output_discard(struct output *output);

/* Removes the unfinished files of all open outputs, at least of the first OUTPUT_PLACES: for the
 * handler of a signal that ends the process. Other threads may open and close theirs meanwhile. */
void output_abandon(void);

#endif

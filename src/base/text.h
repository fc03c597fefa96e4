/* Small helpers on text that every reader and writer needs. */
#ifndef WEIR_BASE_TEXT_H
#define WEIR_BASE_TEXT_H

#include "base/err.h"
#include <stddef.h>

/* Reads a decimal number at `*at` (not past `end`), as strtod in the C locale would, correctly
 * rounded; hexadecimal, "inf", "nan" and numbers too large for a double are not numbers. No space
 * is skipped. On success moves *at behind it and returns 0, else -1. Fast for the usual short
 * numbers. */
int text_number(const char **at, const char *end, double *value);

/* Writes the number with the fewest of 15, 16 or 17 digits that read back as the same double.
 * Returns `buffer`. */
enum { TEXT_NUMBER_SIZE = 32 };
char *text_print_number(double value, char buffer[TEXT_NUMBER_SIZE]);

/* The candidate nearest to a misspelt word, or NULL when none is near enough to be meant: more
 * than a third of its letters wrong, missing, swapped or too many. Upper and lower case are the
 * same. `names` ends with NULL. */
const char *text_nearest(const char *word, const char *const *names);

/* The whole file, with a 0 byte behind it; "-" is standard input. NULL with err on failure.
 * free() frees. */
char *text_load(const char *path, size_t *length, struct err *err);

#endif

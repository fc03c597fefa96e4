/* Small helpers on text that every reader and writer needs. */
#ifndef WEIR_BASE_TEXT_H
#define WEIR_BASE_TEXT_H

#include "base/character.h"
#include "base/err.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads a decimal number at `*at` (not beyond `end`), as strtod in the C locale would, correctly
 * rounded; hexadecimal, "inf", "nan" and numbers too large for a double are not numbers. No space
 * is skipped. On success moves *at after it and returns 0, else -1. Fast for the usual short
 * numbers. */
int text_number(const char **at, const char *end, double *value);

/* Writes the number with the fewest of 15, 16 or 17 digits that read back as the same double.
 * Returns `buffer`. */
enum { TEXT_NUMBER_SIZE = 32 };
char *text_print_number(double value, char buffer[TEXT_NUMBER_SIZE]);

/* The nearest number with this many significant decimal digits, at most 15. */
double text_round(double value, int digits);

/* The candidate nearest to a misspelt word, or NULL when none is near enough: more than a third of
 * its letters are wrong, missing, swapped or extra. Case is ignored. `names` ends with NULL. */
const char *text_nearest(const char *word, const char *const *names);

/* Appends to a text in a buffer of this size, cutting off what does not fit. */
void text_append(char *buffer, size_t size, const char *text);

/* Replaces invalid UTF-8 and unprintable characters by '?', and ends the text with a 0 byte, for
 * which there must be room after its `length` bytes. */
void text_clean(char *text, size_t length);

/* Shortens UTF-8 to at most `most` characters, the last of them an ellipsis. */
void text_clip(char *text, size_t most);

/* Columns on the screen, if every character takes one. */
int text_width(const char *text, size_t length);

/* How many of the first `most` bytes to keep so that no character is cut in two. */
size_t text_cut(const char *text, size_t length, size_t most);

/* The whole file, followed by a 0 byte; "-" is standard input. What has a 0 byte is no text, and is
 * read only until some way after the first one. NULL with err on failure. free() frees. */
char *text_load(const char *path, size_t *length, struct err *err);

#endif

/* Walking through a JSON text in place, in one pass and without recursion.
 *
 * What is asked for is checked; what is skipped is only checked for its brackets and quotes. */
#ifndef WEIR_FORMAT_SCAN_H
#define WEIR_FORMAT_SCAN_H

#include <stdbool.h>
#include <stddef.h>

struct scan {
    const char *at, *end;
};

/* Takes this bracket if it is what comes next. */
bool scan_take(struct scan *scan, char bracket);

/* Moves to the next member of an object whose '{' was taken, *first being true before the first of
 * them, and takes its key, which has no escapes undone. 1, 0 after the last one, -1 on a fault. */
int scan_member(struct scan *scan, bool *first, const char **key, size_t *length);

/* The same for the elements of an array whose '[' was taken. */
int scan_element(struct scan *scan, bool *first);

int scan_number(struct scan *scan, double *value); /* 0 or -1 */

/* A string of less than `size` bytes, in which quotes and backslashes may be escaped, but nothing
 * else. 0 or -1. */
int scan_text(struct scan *scan, char *buffer, size_t size);

/* Moves past a value of any kind. 0 or -1. */
int scan_skip(struct scan *scan);

/* Whether only blanks are left. */
bool scan_ended(struct scan *scan);

#endif

/* Errors for users: one line of text, stated once where the fault is seen.
 *
 * Every function that can fail for a reason the user must know takes a `struct err *` as its last
 * parameter and returns -1 or NULL after filling it in. Callers on the way up only prepend where
 * ("file:line"), and main prints the line once. Texts are lower case, quote the offending input and
 * say what was expected. What they quote may be anything: control characters and invalid UTF-8
 * become '?'. `err` may be NULL: then the text is dropped. */
#ifndef WEIR_BASE_ERR_H
#define WEIR_BASE_ERR_H

#include <stdbool.h>

struct err {
    char text[512];
};

/* Replaces the text; returns -1, so that `return err_set(err, ...)` reads well. */
int err_set(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Puts "where: " in front of the text; returns -1. */
int err_prepend(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* "out of memory"; returns -1. */
int err_memory(struct err *err);

/* Whether err_memory stated the fault: then the input may be right. */
bool err_is_memory(const struct err *err);

#endif

/* What the tests of the readers share. */
#ifndef WEIR_TESTS_FORMAT_COMMON_H
#define WEIR_TESTS_FORMAT_COMMON_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "format/format.h"

/* Parses a text as the file "f" in the named format, with this --bandwidth (0 = not given). */
struct scenario *parse_as(const char *format, const char *text, double bandwidth, struct err *err);

/* The same for a text that must be accepted. */
struct scenario *accept_as(const char *format, const char *text, double bandwidth);

/* The same for a text that must be refused with exactly this message. */
void refuse_as(const char *format, const char *text, double bandwidth, const char *message);

/* Fails unless both say the same, to the last bit. */
void assert_same_scenario(const struct scenario *a, const struct scenario *b);

/* Lets each allocation of reading the text fail in turn: every failure must be reported, and
 * after the last one reading must succeed. */
void fail_each_allocation(const char *format, const char *text, double bandwidth);

#endif

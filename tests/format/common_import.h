/* What the tests of the importers share. */
#ifndef WEIR_TESTS_FORMAT_COMMON_IMPORT_H
#define WEIR_TESTS_FORMAT_COMMON_IMPORT_H

#include "common.h"
#include "format/import.h"

/* Options that give a bandwidth of 1 GB/s. */
extern const struct import_options plain_options;

/* Imports a text as the file "f", which must be accepted; `options` NULL = plain_options. The
 * notes, if they are wanted, are cut to `size` bytes. */
struct notes {
    char text[2048];
};
struct scenario *accept_import(const char *format, const char *text,
                               const struct import_options *options, struct notes *notes);

/* The same for a text that must be refused with exactly this message. */
void refuse_import(const char *format, const char *text, const struct import_options *options,
                   const char *message);

/* Fails unless the application has exactly these iterations, to a relative 1e-6. */
void assert_iterations(const struct app_spec *app, const struct iteration *list, uint32_t count);

/* Lets each allocation of importing the text fail in turn, as fail_each_allocation. */
void fail_each_import(const char *format, const char *text, const struct import_options *options);

/* The whole file at this path below the source tree; skips the test if it is not there. free()
 * frees. */
char *load_or_skip(const char *path, size_t *length);

#endif

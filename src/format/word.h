/* Which texts of a file may become names or be repeated in messages. */
#ifndef WEIR_FORMAT_WORD_H
#define WEIR_FORMAT_WORD_H

#include "base/err.h"
#include <stddef.h>

/* NULL if the text is at most 255 bytes of printable UTF-8 on one line; else what is
 * wrong with it, to be put after its name: "contains a control character". */
const char *word_fault(const char *text, size_t length);
/* The same of a text of any length. */
const char *prose_fault(const char *text, size_t length);

/* Text as it may stand in a message: at most one short line without control characters. */
struct quote {
    char text[48];
};
struct quote quote_text(const char *text, size_t length);

/* States that a `what` of this name is none of those there are, and suggests the nearest, or lists
 * them. `names` ends with NULL. Returns -1. */
int word_unknown(const char *what, const char *name, const char *const *names, struct err *err);

#endif

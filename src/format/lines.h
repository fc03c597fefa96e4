/* The fields of a line, separated by blanks, read in place. */
#ifndef WEIR_FORMAT_LINES_H
#define WEIR_FORMAT_LINES_H

#include "base/text.h"
#include "format/draft.h"
#include <stdbool.h>
#include <stddef.h>

struct lines {
    const char *at, *end; /* what is left of the current line */
    size_t number;        /* of the current line, from 1 */
    const struct draft *draft;
    struct err *err;
};

/* Fails at the current line; returns -1. */
#define lines_fail(lines, ...)                                                                     \
    draft_fail((lines)->draft, (lines)->number, (lines)->err, __VA_ARGS__)

static inline bool lines_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* What comes after the blanks from here on. */
static inline const char *lines_after_blanks(const char *at, const char *end)
{
    while (at < end && lines_is_blank(*at))
        at++;
    return at;
}

/* Moves to the next field of the line, or to its end. */
static inline void lines_skip_blanks(struct lines *lines)
{
    lines->at = lines_after_blanks(lines->at, lines->end);
}

/* Fails because the field that starts here is no such number as lines_number wants; returns -1. */
int lines_refuse_number(struct lines *lines, const char *what, double least, const char *start);

/* The next field as a finite number of at least `least`; `what` names it in messages. 0 or -1.
 * Inline, because reading a trace does little else. */
static inline int lines_number(struct lines *lines, const char *what, double least, double *value)
{
    const char *start = lines->at, *end = lines->end;
    if (text_number(&lines->at, end, value) != 0 || *value < least ||
        (lines->at < end && !lines_is_blank(*lines->at)))
        return lines_refuse_number(lines, what, least, start);
    if (lines->at < end)
        lines->at = lines_after_blanks(lines->at + 1, end);
    return 0;
}

/* The next field as it stands, with which word_fault finds no fault. */
int lines_word(struct lines *lines, const char *what, const char **word, size_t *length);

/* Fails unless the line ends here. */
int lines_finish(struct lines *lines);

/* What is given to a format's parse function. */
struct source {
    const char *text;
    size_t length;
    const char *where;
    const struct format_defaults *defaults;
};

/* Reads a file of one application per line: `read` reads one, `complete` (may be NULL) sees them
 * all before they are validated; both return 0 or -1. Blank lines and comments ('#') are skipped.
 * The file cannot say the total bandwidth, so the defaults must. */
struct scenario *lines_parse(const struct source *source,
                             int (*read)(struct lines *lines, struct app_spec *app),
                             int (*complete)(struct draft *draft, struct err *err),
                             struct err *err);

#endif

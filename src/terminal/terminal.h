/* How a program stands to the terminal that it was started from, and how it ends. */
#ifndef WEIR_TERMINAL_TERMINAL_H
#define WEIR_TERMINAL_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* Exit codes. */
enum status {
    STATUS_DONE = 0,
    STATUS_FAILED = 1, /* the run failed */
    STATUS_MISUSE = 2  /* bad usage or bad input */
};

/* Whether the stream is a terminal that understands control sequences: TERM is set, and not to
 * dumb. */
bool terminal_is_able(FILE *stream);

/* Whether to colour: it is, and NO_COLOR is not set. */
bool terminal_colour(FILE *stream);

#endif

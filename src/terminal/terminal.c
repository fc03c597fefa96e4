#include "terminal/terminal.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool terminal_is_able(FILE *stream)
{
    const char *kind = getenv("TERM");
    return isatty(fileno(stream)) && kind && *kind && strcmp(kind, "dumb") != 0;
}

bool terminal_colour(FILE *stream)
{
    const char *refused = getenv("NO_COLOR"); /* no-color.org: set and not empty */
    return terminal_is_able(stream) && !(refused && *refused);
}

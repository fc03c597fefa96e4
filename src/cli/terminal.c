#include "cli/cli.h"
#include <stdlib.h>
#include <unistd.h>

bool terminal_colour(FILE *stream)
{
    const char *refused = getenv("NO_COLOR"); /* no-color.org: set and not empty */
    return isatty(fileno(stream)) && !(refused && *refused);
}

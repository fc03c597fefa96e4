#include "format/cells.h"
#include "base/mem.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool cells_is_blank(char c, char separator)
{
    return (c == ' ' || c == '\t') && c != separator;
}

char cells_separator(const char *line, size_t length)
{
    bool quoted = false;
    for (size_t i = 0; i < length; i++) {
        quoted ^= line[i] == '"';
        if (!quoted && (line[i] == ',' || line[i] == ';' || line[i] == '\t'))
            return line[i];
    }
    return ',';
}

/* Reads what stands in quotes at `at`, in place. Returns what follows it, or NULL if it does not
 * end, or not at the end of the cell. */
static char *cells_unquote(char *at, char separator)
{
    char *to = at;
    for (at++; *at && !(*at == '"' && at[1] != '"'); at++) {
        at += *at == '"';
        *to++ = *at;
    }
    if (!*at)
        return NULL;
    for (at++; cells_is_blank(*at, separator); at++)
        ;
    if (*at && *at != separator)
        return NULL;
    /* The closing quote lies between, so this cannot overwrite the separator. */
    *to = 0;
    return at;
}

/* Ends a cell before the separator, or the end of the line, at `at`. */
static void cells_trim(const char *start, char *at)
{
    while (at > start && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    *at = 0;
}

int cells_split(struct cells *cells, const char *line, size_t length, char separator,
                const char **fault)
{
    char *buffer = mem_reserve(cells->buffer, &cells->capacity, length + 1, 1);
    if (!buffer)
        return -1;
    cells->buffer = buffer;
    cells->count = 0;
    if (length)
        memcpy(buffer, line, length);
    buffer[length] = 0;
    *fault = memchr(buffer, 0, length) ? "the line contains a 0 byte" : NULL;
    for (char *at = buffer; !*fault;) {
        while (cells_is_blank(*at, separator))
            at++;
        if (cells->count == CELLS_MOST) {
            *fault = "the line has more than 256 columns";
            break;
        }
        char *start = cells->list[cells->count++] = at;
        bool quoted = separator != '|' && *at == '"';
        at = quoted ? cells_unquote(at, separator) : at + strcspn(at, (char[]){separator, 0});
        if (!at) {
            *fault = "a quoted text does not end where its cell ends";
            break;
        }
        bool last = *at == 0;
        if (!quoted)
            cells_trim(start, at);
        if (last)
            break;
        at++;
    }
    return 0;
}

void cells_fini(struct cells *cells)
{
    free(cells->buffer);
    *cells = (struct cells){0};
}

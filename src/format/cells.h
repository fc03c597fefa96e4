/* A line of cells between separators, such as one of a CSV file. */
#ifndef WEIR_FORMAT_CELLS_H
#define WEIR_FORMAT_CELLS_H

#include <stddef.h>

enum { CELLS_MOST = 256 };

/* A zeroed struct is empty; it may be used for one line after the other. */
struct cells {
    char *list[CELLS_MOST]; /* texts without the blanks around them */
    size_t count;
    char *buffer; /* where they are */
    size_t capacity;
};

/* The separator of a line: the first comma, semicolon or tab outside double quotes; a comma if
 * there is none. */
char cells_separator(const char *line, size_t length);

/* Takes a line apart. Unless the separator is a bar, a cell may stand in double quotes, and two of
 * them inside it are one. 0, or -1 when memory is out. *fault is NULL, or what is wrong with the
 * line. */
int cells_split(struct cells *cells, const char *line, size_t length, char separator,
                const char **fault);

void cells_fini(struct cells *cells);

#endif

/* Rows of texts in columns that are as wide as their content, two spaces apart. */
#ifndef WEIR_CLI_GRID_H
#define WEIR_CLI_GRID_H

#include <stddef.h>

enum { GRID_CELL = 128, GRID_MOST = 16 };

struct grid_column {
    const char *heading;
    void (*print)(const void *row, char cell[GRID_CELL]);
};

/* The first column is a name, and starts at the left; the others end at the right. */
struct grid {
    const struct grid_column *columns;
    int column_count; /* at most GRID_MOST */
    const void *rows;
    size_t row_size, row_count;
};

struct grid_layout {
    int count; /* of columns that fit */
    int starts[GRID_MOST], widths[GRID_MOST];
};

/* Finds the columns that fit into this many characters: names give way first, down to 11
 * characters, then the last columns. 0 = no limit. */
void grid_fit(const struct grid *grid, int width, struct grid_layout *layout);

/* The cell of a row, or the heading if it is GRID_HEADING, filled up with spaces to the width of
 * its column; a name that is too long ends with "...". */
#define GRID_HEADING ((size_t)-1)
void grid_print(const struct grid *grid, const struct grid_layout *layout, size_t row, int column,
                char cell[2 * GRID_CELL]);

#endif

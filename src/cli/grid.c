#include "cli/grid.h"
#include "base/text.h"
#include <stdio.h>
#include <string.h>

enum { GAP = 2, NAME_LEAST = 11 };

static void grid_read(const struct grid *grid, size_t row, int column, char cell[GRID_CELL])
{
    if (row == GRID_HEADING)
        snprintf(cell, GRID_CELL, "%s", grid->columns[column].heading);
    else
        grid->columns[column].print((const char *)grid->rows + row * grid->row_size, cell);
}

static int grid_measure(const struct grid *grid, int column)
{
    char cell[GRID_CELL];
    grid_read(grid, GRID_HEADING, column, cell);
    int widest = text_width(cell, strlen(cell));
    for (size_t row = 0; row < grid->row_count; row++) {
        grid_read(grid, row, column, cell);
        int width = text_width(cell, strlen(cell));
        if (width > widest)
            widest = width;
    }
    return widest;
}

void grid_fit(const struct grid *grid, int width, struct grid_layout *layout)
{
    int name = grid_measure(grid, 0);
    int used = name < NAME_LEAST || width == 0 ? name : NAME_LEAST;
    layout->count = 1;
    for (int i = 1; i < grid->column_count; i++) {
        layout->widths[i] = grid_measure(grid, i);
        if (width > 0 && used + GAP + layout->widths[i] > width)
            break;
        used += GAP + layout->widths[i];
        layout->count++;
    }
    int room = width > used ? width - used : 0, least = name < NAME_LEAST ? name : NAME_LEAST;
    layout->widths[0] = width == 0 || least + room > name ? name : least + room;
    layout->starts[0] = 0;
    for (int i = 1; i < layout->count; i++)
        layout->starts[i] = layout->starts[i - 1] + layout->widths[i - 1] + GAP;
}

/* Shortens a text to this many characters, the last three of them dots. */
static void grid_shorten(char *text, int width)
{
    size_t length = strlen(text), most = length;
    if (text_width(text, length) <= width)
        return;
    while (most > 0 && text_width(text, most) > width - 3)
        most = text_cut(text, length, most - 1);
    memcpy(text + most, "...", 4);
}

void grid_print(const struct grid *grid, const struct grid_layout *layout, size_t row, int column,
                char cell[2 * GRID_CELL])
{
    char text[GRID_CELL];
    int width = layout->widths[column];
    grid_read(grid, row, column, text);
    if (column == 0)
        grid_shorten(text, width);
    int fill = width - text_width(text, strlen(text));
    if (fill < 0 || fill > GRID_CELL)
        fill = 0;
    snprintf(cell, 2 * GRID_CELL, "%*s%s%*s", column == 0 ? 0 : fill, "", text,
             column == 0 ? fill : 0, "");
}

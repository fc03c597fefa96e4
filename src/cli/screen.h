/* A snapshot as a screen for people: a headline, a bar of the bandwidth, and the applications.
 * `weir status` prints it, `weir top` shows it again and again. */
#ifndef WEIR_CLI_SCREEN_H
#define WEIR_CLI_SCREEN_H

#include "cli/grid.h"
#include "cli/snapshot.h"

/* How a piece of text is shown: plain, emphasised, dimmed, as a heading, or in one of the colours
 * of applications. */
enum ink { INK_PLAIN, INK_STRONG, INK_DIM, INK_HEADING, INK_FIRST };
enum { INK_COLOURS = 6 };

struct screen {
    int width, height; /* 0 = as wide as the content, as many lines as there are applications */
    /* Shows a text at a place, line by line and from left to right. */
    void (*put)(void *context, int row, int column, enum ink ink, const char *text);
    void *context;
};

struct spot {
    int row, column;
    enum ink ink;
};

/* Shows a text, which is cut to the width; and a row of a grid. */
void screen_put(const struct screen *screen, struct spot spot, char *text);
void screen_put_row(const struct screen *screen, const struct grid *grid,
                    const struct grid_layout *layout, size_t index, struct spot spot);

/* Shows a grid alone, headings first; returns the number of lines. */
int screen_put_grid(const struct screen *screen, const struct grid *grid);

/* Lays it out; returns the number of lines. */
int screen_draw(const struct screen *screen, const struct snapshot *snapshot);

#endif

/* A snapshot as a screen for people: a headline, a bar of the bandwidth, and the applications.
 * `weir status` prints it, `weir top` shows it again and again. */
#ifndef WEIR_CLI_SCREEN_H
#define WEIR_CLI_SCREEN_H

#include "cli/snapshot.h"

/* How a piece of text is shown: plain, emphasised, dimmed, as a heading, or in one of the colours
 * of applications. */
enum ink { INK_PLAIN, INK_STRONG, INK_DIM, INK_HEADING, INK_FIRST };
enum { INK_COLOURS = 6 };

struct screen {
    int width, height; /* height 0 = as many lines as there are applications */
    /* Shows a text at a place, line by line and from left to right. */
    void (*put)(void *context, int row, int column, enum ink ink, const char *text);
    void *context;
};

/* Lays it out; returns the number of lines. */
int screen_draw(const struct screen *screen, const struct snapshot *snapshot);

#endif

/* A screen printed once, instead of shown. */
#ifndef WEIR_CLI_PAGE_H
#define WEIR_CLI_PAGE_H

#include "cli/screen.h"

/* Prints the snapshot to standard output, as `draw` lays it out: as wide as the terminal or, where
 * there is none, as the content. */
void page_print(const struct snapshot *snapshot,
                int (*draw)(const struct screen *screen, const struct snapshot *snapshot));

/* The same with a grid alone: its headings and rows. */
void page_print_grid(const struct grid *grid);

#endif

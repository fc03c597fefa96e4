/* A screen printed once, instead of shown. */
#ifndef WEIR_CLI_PAGE_H
#define WEIR_CLI_PAGE_H

#include "cli/snapshot.h"

/* Prints the snapshot to standard output, as wide as the terminal, or 80 columns. */
void page_print(const struct snapshot *snapshot);

#endif

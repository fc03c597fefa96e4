/* What is in a workload, for people. */
#ifndef WEIR_REPORT_DESCRIPTION_H
#define WEIR_REPORT_DESCRIPTION_H

#include "answer/description.h"
#include "answer/programs.h"
#include <stdio.h>

/* At most 80 columns wide: a table, a summary and a timeline. */
void description_print(const struct description *description, FILE *out);

/* A table of the programs, the largest use first; nothing if each application is one of its own. */
void programs_print(const struct program_use *list, size_t count, size_t applications, FILE *out);

#endif

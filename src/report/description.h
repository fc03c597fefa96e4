/* What is in a workload, for people. */
#ifndef WEIR_REPORT_DESCRIPTION_H
#define WEIR_REPORT_DESCRIPTION_H

#include "answer/description.h"
#include <stdio.h>

/* At most 80 columns wide: a table, a summary and a timeline. */
void description_print(const struct description *description, FILE *out);

#endif

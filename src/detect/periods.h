/* Periods of I/O that the phases of a scenario show. */
#ifndef WEIR_DETECT_PERIODS_H
#define WEIR_DETECT_PERIODS_H

#include "base/err.h"
#include "model/scenario.h"
#include <stdio.h>

/* Of applications whose phases are listed one by one: sets the period of those where it is clear
 * and not known yet. A line on each goes to `notes`, which may be
 * NULL. 0, or -1 when memory is out. */
int periods_declare(struct scenario *scenario, FILE *notes, struct err *err);

/* Turns them into periodic applications, with the work and the I/O of a mean period, as many as
 * take equally long. Lines of the notes begin with `prefix`. 0, or -1 with the name of one without
 * a clear period. */
int periods_fold(struct scenario *scenario, const char *prefix, FILE *notes, struct err *err);

#endif

/* A picture of what ran on a machine: nodes over time as SVG. */
#ifndef WEIR_REPORT_SCHEDULE_GANTT_H
#define WEIR_REPORT_SCHEDULE_GANTT_H

#include "base/err.h"
#include "model/schedule.h"
#include <stdio.h>

/* Draws the jobs, which are sorted, in the colours of their kinds, each on the lowest nodes that
 * are free when it starts, and above them the longest windows. Jobs too short to be distinguished
 * are drawn as one area, so that the file stays small however many there are. 0, or -1 with err. */
int schedule_write_gantt(FILE *out, const struct schedule *schedule, struct err *err);

#endif

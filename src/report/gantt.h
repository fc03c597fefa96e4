/* A picture of what happened: lanes over time as SVG. */
#ifndef WEIR_REPORT_GANTT_H
#define WEIR_REPORT_GANTT_H

#include "base/err.h"
#include "model/timeline.h"
#include "model/workload.h"
#include "report/runs.h"
#include <stddef.h>
#include <stdio.h>

/* One run of the workload. */
struct gantt_panel {
    const struct row *row;
    const struct timeline *timeline;
};

/* Draws the panels below each other on one common time axis, so that they can be compared: a lane
 * per application (of which the area is work, I/O and waiting in true proportion), and a band
 * with the total bandwidth. 0, or -1 when memory is out. */
int gantt_write(FILE *out, const struct workload *workload, const struct gantt_panel *panels,
                size_t count, struct err *err);

#endif

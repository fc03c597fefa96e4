/* A timeline drawn to a scale: per application the cells to paint, and the total bandwidth. */
#ifndef WEIR_REPORT_LANES_H
#define WEIR_REPORT_LANES_H

#include "base/err.h"
#include "model/timeline.h"
#include "model/workload.h"
#include "report/axis.h"
#include <stddef.h>
#include <stdint.h>

/* A stretch of one application's time, in pixels. Of its area, `work` is progress by computing,
 * `io` progress by transferring (bandwidth / bmax), and the rest was lost waiting. Segments too
 * narrow to be seen are merged, so that shares of areas stay true however long the run. */
struct cell {
    double start, end;
    double work, io;
};

struct lane {
    struct cell *cells;
    size_t count, capacity;
    struct cell pending; /* narrow segments not yet a cell; shares are pixels here */
};

struct lanes {
    struct lane *list; /* of the applications */
    uint32_t count;
    double *bandwidth; /* mean bytes/s moved by all applications, per pixel of the axis */
    size_t pixels;
};

/* The first and last time of the timeline; 0 and 0 if it is empty. */
void timeline_extent(const struct timeline *timeline, double *start, double *end);

/* Draws the timeline on the axis: a lane for each application, and the bandwidth of all of them. 0,
 * or -1 when memory is out; lanes_fini frees in both cases. */
int lanes_build(struct lanes *lanes, const struct workload *workload,
                const struct timeline *timeline, const struct axis *axis);
void lanes_fini(struct lanes *lanes);

#endif

/* What the parts of a picture share; private to gantt.c and gantt_lanes.c. */
#ifndef WEIR_REPORT_CANVAS_H
#define WEIR_REPORT_CANVAS_H

#include "model/workload.h"
#include "report/axis.h"
#include "report/lanes.h"
#include "report/runs.h"
#include <stdint.h>
#include <stdio.h>

/* Pixels, unless they count. */
enum {
    WIDTH = 1200,
    MARGIN = 24,
    HEADER = 74,       /* above the first panel */
    PANEL_HEADER = 38, /* name and measures of a run */
    BAND = 48,         /* total bandwidth */
    BAND_GAP = 10,     /* between lanes and band */
    AXIS = 40,         /* tick labels, and space to the next panel */
    YIELD_COLUMN = 48, /* right of the lanes */
    LANES_ROOM = 640,  /* for the lanes of all panels, as far as they stay legible: */
    LEAST_ROOM = 160,  /* for those of one, */
    MOST_ROOM = 24000, /* for all, however many, */
    LEAST_LANE = 4,    /* and for a lane, unless that is too much */
    MOST_LANE = 26,
    LABEL_LENGTH = 34, /* characters of an application's name */
    TEXT_SIZE = 256
};

struct canvas {
    FILE *out;
    const struct workload *workload;
    struct axis axis;
    double left; /* of the lanes */
    double lane; /* height of one, the gap below it included */
};

/* Draws the lanes of a run below `top`, with names at their left and yields at their right. */
void canvas_draw_lanes(const struct canvas *canvas, const struct run *run,
                       const struct lanes *lanes, double top);

#endif

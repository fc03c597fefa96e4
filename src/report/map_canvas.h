/* What the parts of a picture of mapped jobs share; private to map_gantt.c and map_gantt_jobs.c. */
#ifndef WEIR_REPORT_MAP_CANVAS_H
#define WEIR_REPORT_MAP_CANVAS_H

#include "report/axis.h"
#include "report/map_report.h"
#include <stdint.h>
#include <stdio.h>

enum { MAP_LEFT = 96 }; /* pixels at the left of the axis */

struct map_canvas {
    FILE *out;
    const struct workload *workload;
    const struct map_run *run;
    struct axis axis;
    uint32_t panels;
    double height; /* of a panel */
};

static inline double map_canvas_x(const struct map_canvas *canvas, double time)
{
    return MAP_LEFT + axis_position(&canvas->axis, time);
}

/* The areas of a job, or of all, from below. */
enum { MAP_LAYER_IO, MAP_LAYER_WORK, MAP_LAYER_LOST, MAP_LAYERS };
extern const char *const map_layer_class[MAP_LAYERS];

/* Draws the jobs of an I/O node on its panel, whose bottom is given. 0, or -1 with err. */
int map_canvas_draw_jobs(const struct map_canvas *canvas, uint32_t io_node, double bottom,
                         struct err *err);

#endif

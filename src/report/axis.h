/* A time axis: which times get a tick, and how they are written. */
#ifndef WEIR_REPORT_AXIS_H
#define WEIR_REPORT_AXIS_H

#include "model/scenario.h"
#include <stddef.h>

/* From `start` to `end` seconds over `width` pixels; end > start. */
struct axis {
    double start, end, width;
    double step; /* between ticks, set by axis_choose_step */
    /* If not NULL and a date is known there, ticks are at round times of the day. */
    const struct calendar *calendar;
};

/* The shortest round step (1, 2, 5 x 10^k seconds, or a round number of minutes, hours or days)
 * that gives at most `most` steps. */
void axis_choose_step(struct axis *axis, int most);

/* The first tick at or after the start. */
double axis_first(const struct axis *axis);

double axis_position(const struct axis *axis, double time); /* in pixels, 0..width */

/* "40 min", "1.5 h", "0": the time of a tick in a unit that suits the step. Returns `buffer`. */
char *axis_label(const struct axis *axis, double time, char *buffer, size_t size);

#endif

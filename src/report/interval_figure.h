/* A picture of what checkpoint intervals cost. */
#ifndef WEIR_REPORT_INTERVAL_FIGURE_H
#define WEIR_REPORT_INTERVAL_FIGURE_H

#include "base/err.h"
#include "figure/picture.h"
#include <stddef.h>

struct interval_cost {
    double interval; /* seconds */
    double overhead; /* percent by which the work takes longer */
    double others;   /* percent by which the others are delayed; NAN = there are none */
};

struct interval_figure {
    const char *application;
    const struct interval_cost *costs; /* in order of their intervals */
    size_t count, best;                /* the best of them */
};

/* A curve of the overhead over the interval, with the best marked, and one of the others' delay if
 * there are any. Closes the picture. 0, or -1 with err as figure_commit. */
int interval_draw(const struct interval_figure *figure, struct picture *picture, struct err *err);

#endif

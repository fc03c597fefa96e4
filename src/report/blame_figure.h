/* A picture of what makes others wait. */
#ifndef WEIR_REPORT_BLAME_FIGURE_H
#define WEIR_REPORT_BLAME_FIGURE_H

#include "base/err.h"
#include "figure/picture.h"
#include <stddef.h>

/* One application, user or account; seconds. */
struct blame_bar {
    const char *name;
    double caused, suffered;
};

struct blame_figure {
    const char *what; /* application, user or account */
    const struct blame_bar *bars;
    size_t count;
    const double *lost; /* in equal parts of the time from start to end */
    size_t parts;
    double start, end; /* seconds */
};

/* A panel of bars, and one of what is lost over time. Closes the picture. 0, or -1 with err as
 * figure_commit. */
int blame_draw(const struct blame_figure *figure, struct picture *picture, struct err *err);

#endif

/* Figures for papers and pages: curves, bars, boxes and scattered points, one or several panels,
 * one legend. gnuplot draws them; a strategy looks the same in all of them (style.h).
 *
 *     const struct figure_series series[] = {{.name = "fcfs", .points = points, .count = 4}};
 *     const struct figure_panel panel = {.kind = FIGURE_CURVES, .x = {.label = "applications"},
 *                                        .y = {.label = "min_yield"}, .series = series, .count =
 * 1}; figure_save(&(struct figure){.panels = &panel, .count = 1}, "yield.pdf", err);
 *
 * Texts may hold anything: what cannot be printed becomes '?', what is too long is cut. Numbers
 * that are not finite are not drawn. The same figure gives the same bytes. */
#ifndef WEIR_FIGURE_FIGURE_H
#define WEIR_FIGURE_FIGURE_H

#include "base/err.h"
#include "figure/picture.h"
#include "stat/summary.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum figure_kind {
    FIGURE_CURVES,  /* points joined by lines, over numbers */
    FIGURE_SCATTER, /* points alone, over numbers: a trade-off */
    FIGURE_BARS,    /* a bar per group and series */
    FIGURE_BOXES    /* a box per group and series: 25 to 75 %, its whiskers 10 to 90 %, the median
                       as a line */
};

/* A value with its interval, which is drawn if low <= y <= high: {x, y} has none. */
struct figure_point {
    double x; /* ignored by bars: their place is their index */
    double y, low, high;
};

/* The mean of a sample with its 95 % interval, at x. */
struct figure_point figure_mean(double x, const struct summary *summary);

/* What has one entry in the legend, and one style: that of the strategy of this name, or one of its
 * own. The n-th bar or box belongs to the n-th group; with fewer, the last groups have none. */
struct figure_series {
    const char *name;
    const struct figure_point *points; /* of boxes their means, joined by a line; or NULL */
    const struct quantiles *boxes;
    size_t count;
    const double *published; /* `count` values of others, drawn as open diamonds beside ours; NAN =
                                none; NULL = none at all */
};

struct figure_axis {
    const char *label; /* NULL = none */
    bool log;
    double from, to; /* equal = all that is drawn; bars begin at `base` unless this says otherwise */
    double base;
};

struct figure_panel {
    enum figure_kind kind;
    const char *title;         /* NULL = none */
    struct figure_axis x, y;   /* bars and boxes take only the label of x */
    const char *const *groups; /* names of the groups of bars or boxes */
    size_t group_count;
    const struct figure_series *series;
    size_t count;
};

struct figure {
    const char *title; /* NULL = none: papers have a caption */
    const struct figure_panel *panels;
    size_t count;     /* at least one */
    unsigned columns; /* of panels; 0 and 1 = one, as wide as a column of a paper (8.5 cm), more =
                         as wide as its page (17.5 cm) */
    bool wide;        /* one column, each panel as wide as a page and low: for many bars or boxes */
};

/* -1 with err when gnuplot is not installed, naming the package: to be known before anything is
 * computed. */
int figure_check(struct err *err);

/* Draws SVG into a real file. 0, or -1 with err: there is no gnuplot, it fails, or memory is out.
 */
int figure_write(const struct figure *figure, FILE *out, struct err *err);

/* Draws into a picture that was opened before anything was computed, and closes it in any case. 0
 * or -1. */
int figure_commit(const struct figure *figure, struct picture *picture, struct err *err);

/* Makes a file: SVG, or PNG or PDF by its ending (picture.h); "-" is SVG on standard output. A
 * failure (-1 with err) leaves no file and the place unchanged. */
int figure_save(const struct figure *figure, const char *path, struct err *err);

#endif

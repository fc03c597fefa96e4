/* What the parts of a figure share while its script for gnuplot is written; private to this
 * room. Lengths are pixels, from the upper left corner. */
#ifndef WEIR_FIGURE_SHEET_H
#define WEIR_FIGURE_SHEET_H

#include "figure/figure.h"
#include "figure/style.h"
#include <math.h>
#include <stdio.h>

/* 482 pixels are 8.5 cm in print, so that text of 15 pixels is 7.5 points high. */
enum { SHEET_COLUMN = 482, SHEET_PAGE = 992, SHEET_FONT = 15 };

/* Beside a panel: an axis with a label and short labels of its tics, at least; half the label of
 * the last tic. */
enum { SHEET_LEFT = 76, SHEET_RIGHT = 12 };

static inline double sheet_width(const struct figure *figure)
{
    return figure->columns > 1 || figure->wide ? SHEET_PAGE : SHEET_COLUMN;
}

/* The height of what a panel draws in, over its width. */
static inline double sheet_aspect(const struct figure *figure)
{
    return figure->wide ? 0.25 : 0.62;
}

/* A series of the legend: several panels may have one of this name. */
struct sheet_entry {
    const char *name;
    enum figure_kind kind; /* of the first panel that has it */
    struct style style;    /* differs from all others of the figure */
    unsigned pattern;      /* of its areas: 0 = solid, at most SHEET_PATTERNS; others of about the
                              same lightness have another */
};
enum { SHEET_PATTERNS = 6 };

struct sheet {
    FILE *script;
    const struct figure *figure;
    double width, height;
    struct sheet_entry *entries;
    size_t count;
    bool published; /* there are values of others */
};

struct sheet_area {
    double left, top, right, bottom;
};

/* What an axis shows. */
struct sheet_range {
    double from, to;
};

/* A text in quotes, of at most `most` characters. Whatever it is, gnuplot takes it literally. */
void sheet_text(const struct sheet *sheet, const char *text, size_t most);

/* The same for the label of a tic, which is a format. */
void sheet_tic_text(const struct sheet *sheet, const char *text, size_t most);

/* How wide a text of at most `most` characters is, in the widest of the usual fonts; and about how
 * wide an unknown one of this many characters is. */
double sheet_text_extent(const char *text, size_t most);
double sheet_text_width(size_t characters);

/* "screen X,screen Y", as gnuplot wants it: from the lower left corner. */
void sheet_at(const struct sheet *sheet, double x, double y);

/* Fills in entries and published. 0, or -1 when memory is out; free() frees the entries. */
int legend_init(struct sheet *sheet, struct err *err);
const struct sheet_entry *legend_find(const struct sheet *sheet, const char *name);
double legend_height(const struct sheet *sheet);
void legend_draw(const struct sheet *sheet, double top);

/* How fill, lines and points of an entry are written in a plot command. An area is filled, and if
 * the entry has a pattern, drawn once more with that as a hatch. */
void sheet_fill(const struct sheet *sheet, const struct sheet_entry *entry, bool hatch);
void sheet_line(const struct sheet *sheet, const struct style *style);
void sheet_marker(const struct sheet *sheet, const struct style *style);
#define SHEET_PUBLISHED "pt 12 ps 0.9 lw 2 lc rgb '#000000'"

/* The data of the n-th panel, and then what draws it inside an area, with the labels, arrows and
 * objects that were set before: they are drawn once. */
void panel_write_data(const struct sheet *sheet, size_t n);
void panel_draw(const struct sheet *sheet, size_t n, struct sheet_area area);

static inline bool panel_has_groups(const struct figure_panel *panel)
{
    return panel->kind == FIGURE_BARS || panel->kind == FIGURE_BOXES;
}

static inline bool panel_has_interval(const struct figure_point *point)
{
    return isfinite(point->low) && isfinite(point->high) && point->low <= point->y &&
           point->y <= point->high && point->low < point->high;
}

/* What its axes show: what they are told to, or all that is drawn and a little more. */
void panel_find_ranges(const struct figure_panel *panel, struct sheet_range *x,
                       struct sheet_range *y);

/* 1, 2 or 5 times a power of ten, so that the y axis has no more tics than fit. */
double tics_step(const struct figure *figure, struct sheet_range range);

/* The width of the widest label of a tic of y of the n-th panel. */
double tics_width(const struct figure *figure, size_t n);

/* Sets the tics of x where the points are, if these are at a few places: 1, 2, 4 and not 1, 10, or
 * 1, 2 and not 1, 1.2, 1.4. Otherwise they stay as they are. The panel draws in this width. */
void tics_write_places(const struct sheet *sheet, const struct figure_panel *panel, double width);

/* How much room the n-th panel needs around the area that it draws in: at the left the same as all
 * others, below one another. */
struct sheet_area panel_margins(const struct figure *figure, size_t n, double width);

#endif

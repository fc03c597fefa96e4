/* The few SVG elements that figures need. Coordinates are pixels. */
#ifndef WEIR_REPORT_SVG_H
#define WEIR_REPORT_SVG_H

#include <stddef.h>
#include <stdio.h>

struct point {
    double x, y;
};

/* Begins a picture: a white page, and the style that all have in common (text and its classes
 * title, right and mid, lines grid and edge, areas page and frame) followed by `style`. "</svg>"
 * ends it.
 */
void svg_begin(FILE *out, struct point size, const char *style);

/* What a class of areas means, and how much room it takes in a legend. */
struct svg_key {
    const char *class, *text;
    double width;
};

/* A legend in a line that ends at a point, which is its upper right corner. */
void svg_legend(FILE *out, const struct svg_key *keys, size_t count, struct point corner);

/* Text as XML: reserved characters escaped, what XML cannot hold replaced by '?'. */
void svg_escape(FILE *out, const char *text);

/* <text class=...> at a point. */
void svg_text(FILE *out, const char *class, struct point at, const char *text);

/* <rect class=...> from a corner to the opposite one. */
void svg_rect(FILE *out, const char *class, struct point from, struct point to);

/* <line class=...> */
void svg_line(FILE *out, const char *class, struct point from, struct point to);

/* A closed rectangle inside a path's data. */
void svg_path_rect(FILE *out, struct point from, struct point to);

#endif

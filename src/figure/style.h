/* How a strategy looks: the same in every figure. */
#ifndef WEIR_FIGURE_STYLE_H
#define WEIR_FIGURE_STYLE_H

#include <stddef.h>

enum { STYLE_DASHES = 4, STYLE_MARKERS = 15 };

struct style {
    const char *colour; /* see colours.h */
    int dash;           /* 0 to STYLE_DASHES - 1, 0 = solid */
    int marker;         /* gnuplot's point type, 1 to STYLE_MARKERS */
};

/* That of a strategy as a user writes it, "name:key=value,flag": parameters that the table does not
 * have are ignored. Any other name gets a style of its own that depends on the name alone. */
struct style style_of(const char *name);

/* What is left of its colour in greyscale: 0 (black) to 100. */
double style_lightness(const struct style *style);

/* How a line of this dash is drawn, in multiples of its width: "8,4"; "" = solid. */
const char *style_dash(int dash);

#endif

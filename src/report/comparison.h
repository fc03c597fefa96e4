/* What comes out of a comparison, in three ways. */
#ifndef WEIR_REPORT_COMPARISON_H
#define WEIR_REPORT_COMPARISON_H

#include "base/err.h"
#include "compare/compare.h"
#include "figure/picture.h"
#include "report/runs.h"
#include <stdbool.h>
#include <stdio.h>

/* The first few measures of selection_default: those of windows if a case has one, since the others
 * have them too. */
struct selection comparison_selection(const struct comparison *comparison);

/* A table per case and measure: mean and 95 % interval of each strategy, the difference to the
 * baseline with its interval, how often it is better, and '~' where the difference is not
 * significant. 0, or -1 when memory is out. */
int comparison_print(const struct comparison *comparison, const struct selection *selection,
                     bool colour, FILE *out);

/* The header, then one line per case, strategy and measure. */
void comparison_csv(const struct comparison *comparison, const struct selection *selection,
                    FILE *out);

/* How a figure looks, as far as it is not usual. */
struct comparison_look {
    const char *title, *x_label, *y_label; /* NULL = as papers write them */
    double from, to;                       /* of the y axes; equal = all that is drawn */
    bool log_x, log_y;
    unsigned columns; /* of panels, as struct figure has it; 0 = two if there are several */
};

/* A panel per measure with bars, or curves over the values of the only sweep if these are numbers
 * of one unit; then also one per scenario. Closes the picture. 0, or -1 with err as figure_commit.
 */
int comparison_draw(const struct comparison *comparison, const struct selection *selection,
                    const struct comparison_look *look, struct picture *picture, struct err *err);

#endif

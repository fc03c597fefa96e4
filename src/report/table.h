/* An aligned table of named rows and columns of numbers, for people. */
#ifndef WEIR_REPORT_TABLE_H
#define WEIR_REPORT_TABLE_H

#include "base/units.h"
#include "metric/metric.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { TABLE_MAX_COLUMNS = 32 };

struct table_column {
    const char *heading;     /* may be broken in two lines at a '_' */
    enum unit unit;          /* seconds are shown in s, min, h or d, and bytes in B to EB, one for
                                the whole column */
    enum metric_sense sense; /* which value is the best; METRIC_INFO = none */
    int digits;              /* significant ones of the smallest value; whole numbers stay whole */
    bool compact;            /* instead of every value by itself: narrow, decimals not aligned */
};

struct table {
    const char *corner;       /* heading of the names */
    const char *const *names; /* of the rows */
    size_t rows;
    size_t bounds; /* the last rows, which are no results: none of their values is the best */
    const struct table_column *columns;
    size_t count;
    const double *values; /* row by row; NAN is shown as "-" */
    int width;            /* columns that do not fit are left out, the last first; 0 = no limit */
    bool colour;
    bool legend; /* explain the '*' below, if there is one */
};

/* Writes the table. The best values of a column, as many as print alike, bear a '*', unless all
 * do. Returns what was shown. */
struct table_shown {
    size_t columns;
    bool marked; /* there is a '*' */
};
struct table_shown table_print(const struct table *table, FILE *out);

/* The unit that a column of this kind has whose largest value is `high`, and its size; NULL and 1
 * if it has none. */
const char *table_choose_unit(enum unit unit, double high, double *size);

#endif

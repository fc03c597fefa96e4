/* Where the tics of the axes are. */
#include "figure/sheet.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TIC_ROOM = 27,   /* of y, the least */
    TIC_GAP = 10,    /* between two labels of x, the least */
    MOST_PLACES = 8, /* of an axis that has tics where its points are */
    MOST_DIGITS = 4  /* of the label of such a tic */
};

/* How many tics fit beside a panel. */
static double tics_most(const struct figure *figure)
{
    double columns = figure->columns > 1 ? figure->columns : 1;
    double width = sheet_width(figure) / columns - SHEET_LEFT - SHEET_RIGHT;
    return fmax(3, floor(sheet_aspect(figure) * width / TIC_ROOM));
}

double tics_step(const struct figure *figure, struct sheet_range range)
{
    static const double factors[] = {1, 2, 5, 10};
    double least = (range.to - range.from) / tics_most(figure);
    double power = pow(10, floor(log10(least)));
    size_t i = 0;
    while (i < 3 && factors[i] * power < least * (1 - 1e-9))
        i++;
    return factors[i] * power;
}

double tics_width(const struct figure *figure, size_t n)
{
    const struct figure_panel *panel = &figure->panels[n];
    struct sheet_range x, y;
    double widest = 0;
    char label[32];
    panel_find_ranges(panel, &x, &y);
    double step = panel->y.log ? 1 : tics_step(figure, y);
    if (panel->y.log)
        y = (struct sheet_range){floor(log10(y.from)), ceil(log10(y.to))};
    for (double i = ceil(y.from / step); i <= floor(y.to / step); i++) {
        snprintf(label, sizeof label, "%g", panel->y.log ? pow(10, i) : i * step);
        widest = fmax(widest, sheet_text_extent(label, sizeof label));
    }
    return widest;
}

static int tics_by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Where the points are on the x axis, ascending; 0 if at more than a few places. */
static size_t tics_find_places(const struct figure_panel *panel, double places[MOST_PLACES])
{
    size_t count = 0;
    for (size_t s = 0; s < panel->count; s++)
        for (size_t i = 0; i < panel->series[s].count; i++) {
            double x = panel->series[s].points[i].x;
            size_t k = 0;
            while (k < count && places[k] != x)
                k++;
            if (k < count || !isfinite(x))
                continue;
            if (count == MOST_PLACES)
                return 0;
            places[count++] = x;
        }
    qsort(places, count, sizeof *places, tics_by_value);
    return count;
}

/* Whether labels at these places of a linear axis are short, and do not touch each other. */
static bool tics_fit(const double *places, size_t count, const struct figure_panel *panel,
                     double width)
{
    struct sheet_range x, y;
    double end = -INFINITY;
    panel_find_ranges(panel, &x, &y);
    for (size_t k = 0; k < count; k++) {
        char label[32];
        snprintf(label, sizeof label, "%g", places[k]);
        double own = sheet_text_extent(label, sizeof label);
        double centre = (places[k] - x.from) / (x.to - x.from) * width;
        if (strlen(label) > MOST_DIGITS || centre - own / 2 < end + TIC_GAP)
            return false;
        end = centre + own / 2;
    }
    return count > 0;
}

void tics_write_places(const struct sheet *sheet, const struct figure_panel *panel, double width)
{
    double places[MOST_PLACES];
    size_t count = tics_find_places(panel, places);
    if (count == 0 || (!panel->x.log && !tics_fit(places, count, panel, width)))
        return;
    fputs("set mxtics 1\nset xtics (", sheet->script);
    for (size_t k = 0; k < count; k++)
        fprintf(sheet->script, "%s%.9g", k ? ", " : "", places[k]);
    fputs(")\n", sheet->script);
}

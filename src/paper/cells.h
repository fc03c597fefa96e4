/* The samples of a chart, summarised: one cell for each interval of x and each series. */
#ifndef WEIR_PAPER_CELLS_H
#define WEIR_PAPER_CELLS_H

#include "paper/result.h"
#include "stat/summary.h"

struct chart_cell {
    struct summary summary, across; /* of the chart's column, and of the one across */
    struct quantiles quantiles;
};

/* The series that the chart has, the places along x in increasing order, and a cell for each pair,
 * place by place. */
struct chart_cells {
    uint16_t *series;
    size_t series_count;
    double *places; /* middles of intervals */
    size_t place_count;
    struct chart_cell *list;
};

/* 0, or -1 when memory is out; chart_cells_fini frees in both cases. */
int chart_cells_init(struct chart_cells *cells, const struct chart *chart,
                     const struct experiment *experiment, const struct samples *samples,
                     struct err *err);
void chart_cells_fini(struct chart_cells *cells);

static inline const struct chart_cell *chart_cell(const struct chart_cells *cells, size_t place,
                                                  size_t series)
{
    return &cells->list[place * cells->series_count + series];
}

/* Whether a sample belongs to the chart; whether any does. */
bool chart_has(const struct chart *chart, const struct sample *sample);
bool chart_has_any(const struct chart *chart, const struct samples *samples);

#endif

#include "paper/cells.h"
#include "base/mem.h"
#include <math.h>
#include <stdlib.h>

bool chart_has(const struct chart *chart, const struct sample *sample)
{
    return sample->group == chart->group &&
           (chart->series == 0 || chart->series & SERIES(sample->series)) &&
           !isnan(sample->values[chart->column]);
}

bool chart_has_any(const struct chart *chart, const struct samples *samples)
{
    for (size_t i = 0; i < samples->count; i++)
        if (chart_has(chart, &samples->list[i]))
            return true;
    return false;
}

static int cells_by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Intervals that occur, sorted. */
static int cells_find_places(struct chart_cells *cells, const struct chart *chart,
                             const struct experiment *experiment, const struct samples *samples)
{
    size_t count = 0, kept = 0;
    cells->places = mem_alloc(samples->count, sizeof *cells->places);
    if (!cells->places)
        return -1;
    for (size_t i = 0; i < samples->count; i++)
        if (chart_has(chart, &samples->list[i]))
            cells->places[count++] = experiment_interval(experiment, samples->list[i].x);
    qsort(cells->places, count, sizeof *cells->places, cells_by_value);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || cells->places[kept - 1] != cells->places[i])
            cells->places[kept++] = cells->places[i];
    cells->place_count = kept;
    return 0;
}

static int cells_find_series(struct chart_cells *cells, const struct chart *chart,
                             const struct experiment *experiment)
{
    size_t count = 0;
    while (experiment->series[count])
        count++;
    cells->series = mem_alloc(count, sizeof *cells->series);
    if (!cells->series)
        return -1;
    for (uint16_t i = 0; i < count; i++)
        if (chart->series == 0 || chart->series & SERIES(i))
            cells->series[cells->series_count++] = i;
    return 0;
}

static int cells_fill(struct chart_cells *cells, const struct chart *chart,
                      const struct experiment *experiment, const struct samples *samples)
{
    double *values = mem_alloc(samples->count, sizeof *values);
    cells->list = mem_alloc(cells->place_count * cells->series_count, sizeof *cells->list);
    for (size_t p = 0; cells->list && values && p < cells->place_count; p++)
        for (size_t s = 0; s < cells->series_count; s++) {
            struct chart_cell *cell = &cells->list[p * cells->series_count + s];
            size_t count = 0;
            for (size_t i = 0; i < samples->count; i++) {
                const struct sample *sample = &samples->list[i];
                if (sample->series == cells->series[s] && chart_has(chart, sample) &&
                    experiment_interval(experiment, sample->x) == cells->places[p]) {
                    values[count++] = sample->values[chart->column];
                    summary_add(&cell->across, sample->values[chart->across]);
                }
            }
            cell->summary = summary_of(values, count);
            cell->quantiles = quantiles_of(values, count);
        }
    free(values);
    return cells->list && values ? 0 : -1;
}

int chart_cells_init(struct chart_cells *cells, const struct chart *chart,
                     const struct experiment *experiment, const struct samples *samples,
                     struct err *err)
{
    *cells = (struct chart_cells){0};
    if (cells_find_places(cells, chart, experiment, samples) < 0 ||
        cells_find_series(cells, chart, experiment) < 0 ||
        cells_fill(cells, chart, experiment, samples) < 0)
        return err_memory(err);
    for (size_t p = 0; p < cells->place_count; p++)
        cells->places[p] = experiment_middle(experiment, cells->places[p]);
    return 0;
}

void chart_cells_fini(struct chart_cells *cells)
{
    free(cells->series);
    free(cells->places);
    free(cells->list);
}

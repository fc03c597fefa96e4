/* A result's charts as panels of one figure. */
#include "base/mem.h"
#include "base/text.h"
#include "figure/figure.h"
#include "paper/cells.h"
#include "paper/report.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A panel while it is made: everything that it points at. */
struct draw_panel {
    struct chart_cells cells;
    struct figure_series *series;
    struct figure_point *points;
    struct quantiles *boxes;
    char (*labels)[16];
    const char **groups;
};

static void draw_fini(struct draw_panel *panel)
{
    chart_cells_fini(&panel->cells);
    free(panel->series);
    free(panel->points);
    free(panel->boxes);
    free(panel->labels);
    free(panel->groups);
}

/* What differs by rounding alone is equal: an axis cannot be that short. */
static double draw_value(double value)
{
    return text_round(value, 9);
}

/* With fewer samples the interval of a mean says more of Student than of them. */
enum { DRAW_ENOUGH = 5 };

static struct figure_point draw_mean(double x, const struct summary *summary)
{
    struct figure_point point = figure_mean(x, summary);
    if (summary->count < DRAW_ENOUGH)
        return (struct figure_point){x, draw_value(point.y), 1, 0};
    return (struct figure_point){x, draw_value(point.y), draw_value(point.low),
                                 draw_value(point.high)};
}

/* Every sample, series by series. Pictures stay readable, and small, with some hundred. */
enum { DRAW_MOST_POINTS = 150 };

static void draw_scatter(struct draw_panel *panel, const struct chart *chart,
                         const struct samples *samples)
{
    size_t next = 0;
    for (size_t s = 0; s < panel->cells.series_count; s++) {
        struct figure_series *series = &panel->series[s];
        size_t all = 0, seen = 0;
        for (size_t i = 0; i < samples->count; i++)
            all += samples->list[i].series == panel->cells.series[s] &&
                   chart_has(chart, &samples->list[i]);
        size_t step = all / DRAW_MOST_POINTS + 1;
        series->points = &panel->points[next];
        for (size_t i = 0; i < samples->count; i++) {
            const struct sample *sample = &samples->list[i];
            if (sample->series != panel->cells.series[s] || !chart_has(chart, sample) ||
                seen++ % step != 0)
                continue;
            panel->points[next++] =
                (struct figure_point){chart->by_column ? sample->values[chart->across] : sample->x,
                                      sample->values[chart->column], 1, 0};
            series->count++;
        }
    }
}

static void draw_means(struct draw_panel *panel)
{
    size_t places = panel->cells.place_count;
    for (size_t s = 0; s < panel->cells.series_count; s++) {
        panel->series[s].points = &panel->points[s * places];
        panel->series[s].count = places;
        for (size_t p = 0; p < places; p++)
            panel->points[s * places + p] =
                draw_mean(panel->cells.places[p], &chart_cell(&panel->cells, p, s)->summary);
    }
}

/* Two means at each place: no interval, since it would hide the points. */
static void draw_pairs(struct draw_panel *panel)
{
    size_t next = 0;
    for (size_t s = 0; s < panel->cells.series_count; s++) {
        panel->series[s].points = &panel->points[next];
        for (size_t p = 0; p < panel->cells.place_count; p++) {
            const struct chart_cell *cell = chart_cell(&panel->cells, p, s);
            if (cell->summary.count == 0)
                continue;
            panel->points[next++] = (struct figure_point){summary_mean(&cell->across),
                                                          summary_mean(&cell->summary), 1, 0};
            panel->series[s].count++;
        }
    }
}

static void draw_labels(struct draw_panel *panel, const struct experiment *experiment)
{
    for (size_t p = 0; p < panel->cells.place_count; p++) {
        double place = panel->cells.places[p];
        if (experiment->places)
            snprintf(panel->labels[p], sizeof panel->labels[p], "%s",
                     experiment->places[(size_t)place]);
        else if (experiment->x)
            snprintf(panel->labels[p], sizeof panel->labels[p], "%g", place);
        panel->groups[p] = panel->labels[p];
    }
}

/* Boxes at each place, and a line through their means. */
static void draw_boxes(struct draw_panel *panel)
{
    size_t places = panel->cells.place_count;
    draw_means(panel);
    for (size_t s = 0; s < panel->cells.series_count; s++) {
        panel->series[s].boxes = &panel->boxes[s * places];
        for (size_t p = 0; p < places; p++)
            panel->boxes[s * places + p] = chart_cell(&panel->cells, p, s)->quantiles;
    }
}

/* Where there is one place only, the series stand along the axis. */
static void draw_boxes_of_series(struct draw_panel *panel, const struct experiment *experiment,
                                 const struct chart *chart)
{
    panel->series[0] = (struct figure_series){.name = experiment->groups[chart->group],
                                              .boxes = panel->boxes,
                                              .count = panel->cells.series_count};
    for (size_t s = 0; s < panel->cells.series_count; s++) {
        panel->boxes[s] = chart_cell(&panel->cells, 0, s)->quantiles;
        panel->groups[s] = experiment->series[panel->cells.series[s]];
    }
}

static bool draw_has_one_place(const struct chart *chart, const struct experiment *experiment)
{
    return chart->kind == CHART_BOXES && (chart->by_series || !experiment->x);
}

static int draw_init(struct draw_panel *panel, const struct chart *chart,
                     const struct experiment *experiment, const struct samples *samples,
                     struct err *err)
{
    if (chart_cells_init(&panel->cells, chart, experiment, samples, err) < 0)
        return -1;
    size_t series = panel->cells.series_count, places = panel->cells.place_count;
    size_t points = chart->kind == CHART_POINTS ? samples->count : series * places;
    panel->series = mem_alloc(series, sizeof *panel->series);
    panel->points = mem_alloc(points, sizeof *panel->points);
    panel->boxes = mem_alloc(series * places, sizeof *panel->boxes);
    panel->labels = mem_alloc(places, sizeof *panel->labels);
    panel->groups = mem_alloc(places + series, sizeof *panel->groups);
    if (!panel->series || !panel->points || !panel->boxes || !panel->labels || !panel->groups)
        return err_memory(err);
    for (size_t s = 0; s < series; s++)
        panel->series[s].name = experiment->series[panel->cells.series[s]];
    draw_labels(panel, experiment);
    if (chart->kind == CHART_POINTS)
        draw_scatter(panel, chart, samples);
    else if (chart->kind == CHART_MEANS)
        draw_pairs(panel);
    else if (draw_has_one_place(chart, experiment))
        draw_boxes_of_series(panel, experiment, chart);
    else if (chart->kind == CHART_BOXES)
        draw_boxes(panel);
    else
        draw_means(panel);
    return 0;
}

static struct figure_panel draw_panel(const struct draw_panel *panel, const struct chart *chart,
                                      const struct experiment *experiment)
{
    static const enum figure_kind kinds[] = {[CHART_LINES] = FIGURE_CURVES,
                                             [CHART_BOXES] = FIGURE_BOXES,
                                             [CHART_POINTS] = FIGURE_SCATTER,
                                             [CHART_BARS] = FIGURE_BARS,
                                             [CHART_MEANS] = FIGURE_SCATTER};
    bool one = draw_has_one_place(chart, experiment);
    return (struct figure_panel){.kind = kinds[chart->kind],
                                 .title = chart->title,
                                 .x = {.label = chart->by_column || chart->kind == CHART_MEANS
                                                    ? experiment->columns[chart->across]
                                                : chart->x ? chart->x
                                                           : experiment->x,
                                       .from = chart->left,
                                       .to = chart->right},
                                 .y = {.label = chart->y, .from = chart->low, .to = chart->high},
                                 .groups = panel->groups,
                                 .group_count =
                                     one ? panel->cells.series_count : panel->cells.place_count,
                                 .series = panel->series,
                                 .count = one ? 1 : panel->cells.series_count};
}

/* Whether a panel has more bars or boxes than can be told apart in half the width of a page. */
enum { DRAW_MOST_BOXES = 40 };

static bool draw_is_crowded(const struct figure_panel *panels, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if ((panels[i].kind == FIGURE_BOXES || panels[i].kind == FIGURE_BARS) &&
            panels[i].count * panels[i].group_count > DRAW_MOST_BOXES)
            return true;
    return false;
}

bool report_has_figure(const struct result *result, const struct samples *samples)
{
    for (const struct chart *chart = result->charts; chart->title; chart++)
        if (chart_has_any(chart, samples))
            return true;
    return false;
}

int report_draw(const struct result *result, const struct samples *samples, const char *path,
                struct err *err)
{
    const struct experiment *experiment = experiments[result->experiment];
    size_t most = 0, count = 0;
    while (result->charts[most].title)
        most++;
    struct draw_panel *made = mem_alloc(most, sizeof *made);
    struct figure_panel *panels = mem_alloc(most, sizeof *panels);
    int status = made && panels ? 0 : err_memory(err);
    for (const struct chart *chart = result->charts; chart->title && status == 0; chart++) {
        if (!chart_has_any(chart, samples))
            continue;
        status = draw_init(&made[count], chart, experiment, samples, err);
        if (status == 0)
            panels[count] = draw_panel(&made[count], chart, experiment);
        count++;
    }
    bool wide = draw_is_crowded(panels, count);
    const struct figure figure = {
        .panels = panels, .count = count, .columns = count > 1 && !wide ? 2 : 1, .wide = wide};
    if (status == 0)
        status = figure_save(&figure, path, err);
    for (size_t i = 0; made && i < count; i++)
        draw_fini(&made[i]);
    free(made);
    free(panels);
    return status;
}

#include "base/arena.h"
#include "base/text.h"
#include "figure/figure.h"
#include "report/comparison.h"
#include "report/table.h"
#include <math.h>
#include <string.h>

enum { LABEL = 160, MOST_PANELS = 24 };
static const double wide =
    4; /* values that differ by this factor are shown on a logarithmic axis */

/* A figure while it is made; all it consists of is in the arena. */
struct comparison_figure {
    const struct comparison *comparison;
    const struct selection *selection;
    double *places; /* of the values of the only sweep on the x axis; NULL = they are not numbers */
    const char **groups;
    struct arena arena;
};

/* The number that a value begins with, and where its unit begins: 'x', or " GB/s". */
static const char *comparison_read_place(const char *value, double *place)
{
    const char *end = value + strspn(value, "0123456789.");
    return text_number(&value, end, place) == 0 ? value : NULL;
}

/* Fills in places if all values of the only sweep are different numbers of one unit. */
static int comparison_find_places(struct comparison_figure *figure)
{
    const struct compare_task *asked = &figure->comparison->asked;
    const struct sweep *sweep = asked->sweeps;
    const char *unit = NULL;
    if (asked->sweep_count != 1 || sweep->count < 2)
        return 0;
    double *places = arena_alloc(&figure->arena, sweep->count, sizeof *places);
    if (!places)
        return -1;
    for (size_t i = 0; i < sweep->count; i++) {
        const char *rest = comparison_read_place(sweep->values[i], &places[i]);
        if (!rest || (unit && strcmp(rest, unit) != 0))
            return 0;
        unit = rest;
    }
    figure->places = places;
    return 0;
}

static const char *comparison_write(struct comparison_figure *figure, const char *text)
{
    return arena_strndup(&figure->arena, text, strlen(text));
}

/* "bandwidth (x)". NULL when memory is out. */
static const char *comparison_x_label(struct comparison_figure *figure)
{
    const struct sweep *sweep = figure->comparison->asked.sweeps;
    char label[LABEL];
    double place;
    const char *unit = comparison_read_place(sweep->values[0], &place);
    unit += strspn(unit, " ");
    if (*unit)
        snprintf(label, sizeof label, "%s (%s)", sweep->path, unit);
    else
        snprintf(label, sizeof label, "%s", sweep->path);
    return comparison_write(figure, label);
}

/* What a panel shows: `count` cases, of which `first` is the first, in a unit of this size. */
struct comparison_view {
    const struct measure *measure;
    size_t first, count;
    double size;
};

/* The unit that the table has for the largest mean; NULL = none. */
static const char *comparison_choose_unit(const struct comparison *comparison,
                                          struct comparison_view *view)
{
    double high = 0;
    for (size_t i = view->first; i < view->first + view->count; i++)
        for (size_t p = 0; p < comparison->asked.policy_count; p++) {
            struct compare_cell cell = compare_measure(comparison, i, p, view->measure);
            high = fmax(high, summary_mean(&cell.value));
        }
    return table_choose_unit(view->measure->unit, high, &view->size);
}

/* The strategies over the cases. NULL when memory is out. */
static struct figure_series *comparison_series(struct comparison_figure *figure,
                                               const struct comparison_view *view)
{
    const struct comparison *comparison = figure->comparison;
    size_t policies = comparison->asked.policy_count, count = view->count;
    struct figure_series *series = arena_alloc(&figure->arena, policies, sizeof *series);
    for (size_t p = 0; series && p < policies; p++) {
        struct figure_point *points = arena_alloc(&figure->arena, count, sizeof *points);
        if (!points)
            return NULL;
        for (size_t i = 0; i < count; i++) {
            struct compare_cell cell =
                compare_measure(comparison, view->first + i, p, view->measure);
            struct figure_point mean = figure_mean(0, &cell.value);
            points[i] =
                (struct figure_point){figure->places ? figure->places[i] : 0, mean.y / view->size,
                                      mean.low / view->size, mean.high / view->size};
        }
        series[p] = (struct figure_series){
            .name = comparison->asked.policies[p]->name, .points = points, .count = count};
    }
    return series;
}

static bool comparison_is_wide(const double *places, size_t count)
{
    double low = places[0], high = places[0];
    for (size_t i = 1; i < count; i++) {
        low = fmin(low, places[i]);
        high = fmax(high, places[i]);
    }
    return low > 0 && high >= wide * low;
}

static int comparison_fill_panel(struct comparison_figure *figure, size_t source,
                                 const struct measure *measure, struct figure_panel *panel)
{
    const struct comparison *comparison = figure->comparison;
    size_t points = comparison->count / comparison->asked.source_count;
    size_t first = figure->places ? source * points : 0;
    size_t count = figure->places ? points : comparison->count;
    struct comparison_view view = {.measure = measure, .first = first, .count = count};
    const char *unit = comparison_choose_unit(comparison, &view);
    *panel = (struct figure_panel){.kind = figure->places ? FIGURE_CURVES : FIGURE_BARS,
                                   .y = {.label = measure->name},
                                   .groups = figure->groups,
                                   .group_count = figure->places ? 0 : count,
                                   .series = comparison_series(figure, &view),
                                   .count = comparison->asked.policy_count};
    if (figure->places) {
        panel->x.label = comparison_x_label(figure);
        panel->x.log = comparison_is_wide(figure->places, count);
        panel->title =
            comparison->asked.source_count > 1 ? comparison->cases[first].source->name : NULL;
        if (!panel->x.label)
            return -1;
    }
    if (unit) {
        char label[LABEL];
        snprintf(label, sizeof label, "%s (%s)", measure->name, unit);
        panel->y.label = comparison_write(figure, label);
    }
    return panel->series && panel->y.label ? 0 : -1;
}

static int comparison_name_groups(struct comparison_figure *figure)
{
    size_t count = figure->comparison->count;
    figure->groups = arena_alloc(&figure->arena, count, sizeof *figure->groups);
    for (size_t i = 0; figure->groups && i < count; i++) {
        char label[LABEL];
        const char *text = compare_label(figure->comparison, i, true, label, sizeof label);
        figure->groups[i] = comparison_write(figure, text);
        if (!figure->groups[i])
            return -1;
    }
    return figure->groups ? 0 : -1;
}

static int comparison_draw_panels(struct comparison_figure *figure, struct picture *picture,
                                  struct err *err)
{
    struct figure_panel panels[MOST_PANELS];
    size_t sources = figure->places ? figure->comparison->asked.source_count : 1, count = 0;
    for (size_t s = 0; s < sources; s++)
        for (size_t k = 0; k < figure->selection->count; k++) {
            if (count == MOST_PANELS)
                return err_set(err, "a figure has room for %d panels: choose fewer measures",
                               MOST_PANELS);
            if (comparison_fill_panel(figure, s, figure->selection->measures[k], &panels[count++]) <
                0)
                return err_memory(err);
        }
    return figure_commit(
        &(struct figure){.panels = panels, .count = count, .columns = count > 1 ? 2 : 1}, picture,
        err);
}

int comparison_draw(const struct comparison *comparison, const struct selection *selection,
                    struct picture *picture, struct err *err)
{
    struct comparison_figure figure = {.comparison = comparison, .selection = selection};
    int status = 0;
    if (comparison_find_places(&figure) < 0 || comparison_name_groups(&figure) < 0)
        status = err_memory(err);
    if (status == 0)
        status = comparison_draw_panels(&figure, picture, err);
    arena_fini(&figure.arena);
    picture_discard(picture); /* unless it is closed */
    return status;
}

#include "base/arena.h"
#include "base/text.h"
#include "figure/figure.h"
#include "report/comparison.h"
#include "report/table.h"
#include <math.h>
#include <string.h>

enum { LABEL = 160, MOST_PANELS = 24 };
/* How far error bars of neighbours stand apart, as a part of the x axis. */
static const double apart = 0.012;

/* What papers call measures and parameters on their axes. */
static const struct {
    const char *name, *title;
    double base; /* where bars begin: nothing is below it */
} comparison_titles[] = {
    {"min_yield", "MinYield", 0},           {"mean_yield", "mean yield", 0},
    {"efficiency", "Efficiency", 0},        {"utilization", "Utilization", 0},
    {"sys_efficiency", "SysEfficiency", 0}, {"dilation", "Dilation", 1},
    {"max_stretch", "max stretch", 1},      {"mean_stretch", "mean stretch", 1},
    {"io_slowdown", "I/O slowdown", 1},     {"pressure", "I/O pressure W", 0},
    {"io_pressure", "I/O pressure W", 0},   {"progress_age", "age of the progress known", 0},
};

/* A figure while it is made; all it consists of is in the arena. */
struct comparison_figure {
    const struct comparison *comparison;
    const struct selection *selection;
    const struct comparison_look *look;
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

static const char *comparison_title(const char *name, double *base)
{
    for (size_t i = 0; i < sizeof comparison_titles / sizeof *comparison_titles; i++)
        if (strcmp(comparison_titles[i].name, name) == 0) {
            *base = comparison_titles[i].base;
            return comparison_titles[i].title;
        }
    *base = 0;
    return name;
}

/* "bandwidth (x)". NULL when memory is out. */
static const char *comparison_x_label(struct comparison_figure *figure)
{
    const struct sweep *sweep = figure->comparison->asked.sweeps;
    char label[LABEL];
    double place;
    const char *unit = comparison_read_place(sweep->values[0], &place);
    const char *title = figure->look->x_label;
    unit += strspn(unit, " ");
    if (!title)
        title = comparison_title(sweep->path, &place);
    if (*unit && !figure->look->x_label)
        snprintf(label, sizeof label, "%s (%s)", title, unit);
    else
        snprintf(label, sizeof label, "%s", title);
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

/* Where a strategy stands at a place: beside the others, so that no error bar hides another. */
static double comparison_stand(const struct comparison_figure *figure, size_t place, size_t policy)
{
    const struct compare_task *asked = &figure->comparison->asked;
    const double *places = figure->places;
    double low = INFINITY, high = -INFINITY, near = INFINITY;
    if (!places)
        return 0;
    for (size_t i = 0; i < asked->sweeps->count; i++) {
        low = fmin(low, places[i]);
        high = fmax(high, places[i]);
        for (size_t k = 0; k < i; k++)
            near = fmin(near, places[i] != places[k] ? fabs(places[i] - places[k]) : INFINITY);
    }
    double among = (double)asked->policy_count;
    double aside = (double)policy - (among - 1) / 2;
    if (figure->look->log_x && low > 0)
        return places[place] * pow(high / low, apart * aside / 2);
    double step = fmin(apart * (high - low), 0.5 * near / among);
    return places[place] + (isfinite(step) ? step * aside : 0);
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
            points[i] = (struct figure_point){comparison_stand(figure, i, p), mean.y / view->size,
                                              mean.low / view->size, mean.high / view->size};
        }
        series[p] = (struct figure_series){
            .name = comparison->asked.policies[p]->name, .points = points, .count = count};
    }
    return series;
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
    double base;
    const char *own = figure->look->y_label, *title = comparison_title(measure->name, &base);
    title = own ? own : title;
    *panel = (struct figure_panel){.kind = figure->places ? FIGURE_CURVES : FIGURE_BARS,
                                   .y = {.label = title,
                                         .log = figure->look->log_y,
                                         .from = figure->look->from,
                                         .to = figure->look->to,
                                         .base = base / view.size},
                                   .groups = figure->groups,
                                   .group_count = figure->places ? 0 : count,
                                   .series = comparison_series(figure, &view),
                                   .count = comparison->asked.policy_count};
    if (figure->places) {
        panel->x.label = comparison_x_label(figure);
        panel->x.log = figure->look->log_x;
        panel->title =
            comparison->asked.source_count > 1 ? comparison->cases[first].source->name : NULL;
        if (!panel->x.label)
            return -1;
    }
    if (unit && !own) {
        char label[LABEL];
        snprintf(label, sizeof label, "%s (%s)", title, unit);
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
    unsigned columns = figure->look->columns;
    return figure_commit(&(struct figure){.title = figure->look->title,
                                          .panels = panels,
                                          .count = count,
                                          .columns = columns     ? columns
                                                     : count > 1 ? 2
                                                                 : 1},
                         picture, err);
}

int comparison_draw(const struct comparison *comparison, const struct selection *selection,
                    const struct comparison_look *look, struct picture *picture, struct err *err)
{
    struct comparison_figure figure = {
        .comparison = comparison, .selection = selection, .look = look};
    int status = 0;
    if (comparison_find_places(&figure) < 0 || comparison_name_groups(&figure) < 0)
        status = err_memory(err);
    if (status == 0)
        status = comparison_draw_panels(&figure, picture, err);
    arena_fini(&figure.arena);
    picture_discard(picture); /* unless it is closed */
    return status;
}

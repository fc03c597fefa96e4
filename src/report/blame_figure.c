#include "report/blame_figure.h"
#include "base/mem.h"
#include "figure/figure.h"
#include <math.h>
#include <stdlib.h>

enum { BARS, TIME, PANELS };
enum { CAUSED, SUFFERED, KINDS };

/* Seconds in a unit that suits the largest of them. */
struct blame_unit {
    double seconds;
    const char *lost, *time; /* labels */
};

static const struct blame_unit *blame_unit(double largest)
{
    static const struct blame_unit units[] = {{86400, "lost (d)", "time (d)"},
                                              {3600, "lost (h)", "time (h)"},
                                              {60, "lost (min)", "time (min)"},
                                              {1, "lost (s)", "time (s)"}};
    const struct blame_unit *unit = units;
    while (unit->seconds > 1 && largest < 2 * unit->seconds)
        unit++;
    return unit;
}

/* Fills in the points of both panels; `points` has room for all. */
static void blame_fill_points(const struct blame_figure *figure, const struct blame_unit *unit,
                              const struct blame_unit *time, struct figure_point *points)
{
    double length = (figure->end - figure->start) / (double)figure->parts;
    for (size_t i = 0; i < figure->count; i++) {
        const struct blame_bar *bar = &figure->bars[i];
        points[i] = (struct figure_point){0, bar->caused / unit->seconds, NAN, NAN};
        points[figure->count + i] =
            (struct figure_point){0, bar->suffered / unit->seconds, NAN, NAN};
    }
    for (size_t i = 0; i < figure->parts; i++) {
        double middle = figure->start + ((double)i + 0.5) * length;
        points[KINDS * figure->count + i] = (struct figure_point){
            middle / time->seconds, figure->lost[i] / unit->seconds, NAN, NAN};
    }
}

int blame_draw(const struct blame_figure *figure, struct picture *picture, struct err *err)
{
    struct figure_point *points = mem_alloc(KINDS * figure->count + figure->parts, sizeof *points);
    const char **names = mem_alloc(figure->count, sizeof *names);
    double largest = 0;
    if (!points || !names) {
        free(points);
        free(names);
        picture_discard(picture);
        return err_memory(err);
    }
    for (size_t i = 0; i < figure->count; i++) {
        names[i] = figure->bars[i].name;
        largest = fmax(largest, fmax(figure->bars[i].caused, figure->bars[i].suffered));
    }
    const struct blame_unit *unit = blame_unit(largest), *time = blame_unit(figure->end);
    blame_fill_points(figure, unit, time, points);
    const struct figure_series bars[KINDS] = {
        {.name = "caused", .points = points, .count = figure->count},
        {.name = "suffered", .points = points + figure->count, .count = figure->count}};
    const struct figure_series lost = {
        .name = "lost by all", .points = points + KINDS * figure->count, .count = figure->parts};
    const struct figure_panel panels[PANELS] = {[BARS] = {.kind = FIGURE_BARS,
                                                          .x = {.label = figure->what},
                                                          .y = {.label = unit->lost},
                                                          .groups = names,
                                                          .group_count = figure->count,
                                                          .series = bars,
                                                          .count = KINDS},
                                                [TIME] = {.kind = FIGURE_CURVES,
                                                          .x = {.label = time->time},
                                                          .y = {.label = unit->lost},
                                                          .series = &lost,
                                                          .count = 1}};
    int status = figure_commit(&(struct figure){.panels = panels, .count = PANELS, .columns = 1},
                               picture, err);
    free(points);
    free(names);
    return status;
}

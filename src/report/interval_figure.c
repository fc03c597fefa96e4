#include "report/interval_figure.h"
#include "base/mem.h"
#include "figure/figure.h"
#include <math.h>
#include <stdlib.h>

enum { OVERHEAD, OTHERS, PANELS };

static double interval_value(const struct interval_cost *cost, int panel)
{
    return panel == OVERHEAD ? cost->overhead : cost->others;
}

int interval_draw(const struct interval_figure *figure, struct picture *picture, struct err *err)
{
    static const char *const labels[] = {"overhead (%)", "others delayed (%)"};
    struct figure_point *points = mem_alloc(figure->count * PANELS, sizeof *points);
    struct figure_point best[PANELS];
    struct figure_series series[PANELS][2];
    struct figure_panel panels[PANELS];
    if (!points) {
        picture_discard(picture);
        return err_memory(err);
    }
    for (int panel = 0; panel < PANELS; panel++) {
        struct figure_point *own = &points[(size_t)panel * figure->count];
        for (size_t i = 0; i < figure->count; i++) {
            double y = interval_value(&figure->costs[i], panel);
            own[i] = (struct figure_point){figure->costs[i].interval / 60, y, NAN, NAN};
        }
        best[panel] = own[figure->best];
        series[panel][0] = (struct figure_series){
            .name = figure->application, .points = own, .count = figure->count};
        series[panel][1] =
            (struct figure_series){.name = "best", .points = &best[panel], .count = 1};
        panels[panel] = (struct figure_panel){.kind = FIGURE_CURVES,
                                              .x = {.label = "interval (min)", .log = true},
                                              .y = {.label = labels[panel]},
                                              .series = series[panel],
                                              .count = 2};
    }
    size_t count = figure->count > 0 && isnan(figure->costs[0].others) ? 1 : PANELS;
    int status = figure_commit(
        &(struct figure){.panels = panels, .count = count, .columns = count > 1 ? 2 : 1}, picture,
        err);
    free(points);
    return status;
}

#include "figure/sheet.h"
#include <math.h>

static void range_include(struct sheet_range *range, const struct figure_axis *axis, double value)
{
    if (!isfinite(value) || (axis->log && value <= 0))
        return;
    range->from = fmin(range->from, value);
    range->to = fmax(range->to, value);
}

static void range_include_series(struct sheet_range *x, struct sheet_range *y,
                                 const struct figure_panel *panel, const struct figure_series *s)
{
    for (size_t i = 0; i < s->count; i++) {
        if (panel->kind == FIGURE_BOXES) {
            range_include(y, &panel->y, s->boxes[i].p10);
            range_include(y, &panel->y, s->boxes[i].p90);
        } else {
            range_include(x, &panel->x, s->points[i].x);
            range_include(y, &panel->y, s->points[i].y);
            if (panel_has_interval(&s->points[i])) {
                range_include(y, &panel->y, s->points[i].low);
                range_include(y, &panel->y, s->points[i].high);
            }
        }
        if (s->published)
            range_include(y, &panel->y, s->published[i]);
    }
}

/* A little more than what is drawn, so that nothing sticks to the frame; never empty. */
static void range_widen(struct sheet_range *range, const struct figure_axis *axis)
{
    const double part = 0.05;
    if (range->from > range->to)
        *range = (struct sheet_range){1, 2};
    if (axis->log) {
        double step = fmax(pow(range->to / range->from, part), 1.02);
        *range = (struct sheet_range){range->from / step, range->to * step};
    } else {
        double step = range->from < range->to ? (range->to - range->from) * part
                                              : fmax(fabs(range->to), 1) * 0.1;
        *range = (struct sheet_range){range->from - step, range->to + step};
    }
}

void panel_find_ranges(const struct figure_panel *panel, struct sheet_range *x,
                       struct sheet_range *y)
{
    *x = *y = (struct sheet_range){INFINITY, -INFINITY};
    for (size_t s = 0; s < panel->count; s++)
        range_include_series(x, y, panel, &panel->series[s]);
    double base = panel->y.base;
    bool from_zero = panel->kind == FIGURE_BARS && !panel->y.log;
    if (from_zero)
        range_include(y, &panel->y, base);
    bool at_zero = from_zero && y->from == base, below_zero = from_zero && y->to == base;
    range_widen(y, &panel->y);
    if (at_zero)
        y->from = base;
    else if (below_zero)
        y->to = base;
    range_widen(x, &panel->x);
    if (panel_has_groups(panel))
        *x = (struct sheet_range){-0.6, (double)panel->group_count - 0.4};
    if (panel->x.from < panel->x.to && !panel_has_groups(panel))
        *x = (struct sheet_range){panel->x.from, panel->x.to};
    if (panel->y.from < panel->y.to)
        *y = (struct sheet_range){panel->y.from, panel->y.to};
}

#include "figure/sheet.h"
#include <math.h>
#include <string.h>

enum {
    BESIDE = 36, /* of an axis besides the labels of its tics */
    TOP = 9,
    LINE = 24,  /* of text */
    TICS = 36,  /* the labels of the tics of x, upright */
    SLOPE = 35, /* degrees, of labels that do not fit side by side */
    GAP = 6,    /* below all */
    CAP = 4,    /* half the bar at the end of an interval */
    LONGEST_GROUP = 24
};
static const double box_width = 0.8;   /* of a box, 1 = no gap to the next */
static const double group_width = 0.8; /* of all bars of a group, 1 = no gap to the next */

/* --- margins --------------------------------------------------------------------------------- */

/* What a panel needs at its left if it is alone. */
static double panel_own_left(const struct figure *figure, size_t n)
{
    return fmax(SHEET_LEFT, BESIDE + tics_width(figure, n));
}

static double panel_left(const struct figure *figure)
{
    double left = SHEET_LEFT;
    for (size_t n = 0; n < figure->count; n++)
        left = fmax(left, panel_own_left(figure, n));
    return left;
}

/* The room of a group, in pixels, where a panel draws in this width. */
static double panel_group_room(const struct figure_panel *panel, double width)
{
    size_t count = panel->group_count > 0 ? panel->group_count : 1;
    return width / (double)count - 8;
}

/* What the name of a group may have: what fits, or else what is acceptable if it is sloped. */
static size_t panel_group_most(const struct figure_panel *panel, double width)
{
    double fits = panel_group_room(panel, width) / sheet_text_width(1);
    return fits > LONGEST_GROUP ? (size_t)fits : LONGEST_GROUP;
}

static double panel_widest_group(const struct figure_panel *panel, double width)
{
    double widest = 0;
    for (size_t i = 0; i < panel->group_count; i++)
        widest = fmax(widest, sheet_text_extent(panel->groups[i], panel_group_most(panel, width)));
    return widest;
}

static bool panel_is_sloped(const struct figure_panel *panel, double width)
{
    return panel_has_groups(panel) &&
           panel_widest_group(panel, width) > panel_group_room(panel, width);
}

struct sheet_area panel_margins(const struct figure *figure, size_t n, double width)
{
    const struct figure_panel *panel = &figure->panels[n];
    struct sheet_area margins = {
        .left = panel_left(figure), .top = TOP, .right = SHEET_RIGHT, .bottom = TICS};
    width -= margins.left + margins.right;
    if (panel->title)
        margins.top += LINE;
    if (panel->x.label)
        margins.bottom += LINE;
    if (panel_is_sloped(panel, width)) {
        double widest = panel_widest_group(panel, width);
        double centre = (panel_group_room(panel, width) + 8) / 2;
        margins.bottom += widest * sin(SLOPE / 57.3) - 4;
        margins.left = fmax(margins.left, widest * cos(SLOPE / 57.3) - centre);
    }
    return margins;
}

/* --- data ------------------------------------------------------------------------------------ */

static double panel_bar_width(const struct figure_panel *panel)
{
    return group_width / (double)panel->count;
}

/* Where on the x axis the i-th value of a series is. */
static double panel_place(const struct figure_panel *panel, size_t s, size_t i)
{
    if (!panel_has_groups(panel))
        return panel->series[s].points[i].x;
    return (double)i + ((double)s - ((double)panel->count - 1) / 2) * panel_bar_width(panel);
}

static void panel_write_numbers(FILE *script, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (isfinite(numbers[i]))
            fprintf(script, "%s%.9g", i ? " " : "", numbers[i]);
        else
            fprintf(script, "%sNaN", i ? " " : "");
    fputc('\n', script);
}

/* Three blocks: $v values, $e intervals, or means of boxes, $q published values, which do not cover
 * our interval. A block has at least one line. */
static void panel_write_series(const struct sheet *sheet, size_t n, size_t s)
{
    const struct figure_panel *panel = &sheet->figure->panels[n];
    const struct figure_series *series = &panel->series[s];
    double aside = panel_has_groups(panel) ? panel_bar_width(panel) * 0.25 : 0;
    FILE *script = sheet->script;
    fprintf(script, "$v%zu_%zu << EOD\n", n, s);
    for (size_t i = 0; i < series->count; i++) {
        double x = panel_place(panel, s, i);
        if (panel->kind == FIGURE_BOXES) {
            const struct quantiles *q = &series->boxes[i];
            panel_write_numbers(script, (double[]){x, q->p10, q->p25, q->p50, q->p75, q->p90}, 6);
        } else {
            panel_write_numbers(script, (double[]){x, series->points[i].y}, 2);
        }
    }
    fprintf(script, "NaN NaN\nEOD\n$e%zu_%zu << EOD\n", n, s);
    for (size_t i = 0; i < series->count && series->points; i++) {
        const struct figure_point *point = &series->points[i];
        if (panel->kind == FIGURE_BOXES)
            panel_write_numbers(script, (double[]){panel_place(panel, s, i), point->y, NAN}, 3);
        else if (panel_has_interval(point))
            panel_write_numbers(script,
                                (double[]){panel_place(panel, s, i), point->low, point->high}, 3);
    }
    fprintf(script, "NaN NaN NaN\nEOD\n$q%zu_%zu << EOD\n", n, s);
    for (size_t i = 0; i < series->count && series->published; i++)
        panel_write_numbers(script,
                            (double[]){panel_place(panel, s, i) + aside, series->published[i]}, 2);
    fputs("NaN NaN\nEOD\n", script);
}

void panel_write_data(const struct sheet *sheet, size_t n)
{
    for (size_t s = 0; s < sheet->figure->panels[n].count; s++)
        panel_write_series(sheet, n, s);
}

/* --- axes ------------------------------------------------------------------------------------ */

static void panel_write_groups(const struct sheet *sheet, const struct figure_panel *panel,
                               double width)
{
    FILE *script = sheet->script;
    if (panel_is_sloped(panel, width))
        fprintf(script, "set xtics rotate by %d right offset 0.7,0\n", SLOPE);
    fputs("set xtics scale 0 (", script);
    for (size_t i = 0; i < panel->group_count; i++) {
        fputs(i ? ", " : "", script);
        sheet_tic_text(sheet, panel->groups[i], panel_group_most(panel, width));
        fprintf(script, " %zu", i);
    }
    fputs(")\n", script);
}

static void panel_write_axes(const struct sheet *sheet, const struct figure_panel *panel,
                             double width)
{
    FILE *script = sheet->script;
    struct sheet_range x, y;
    panel_find_ranges(panel, &x, &y);
    fputs(
        "unset logscale\nset xtics autofreq norotate scale 0.5 offset 0,0.3\nset mxtics default\n",
        script);
    if (panel_has_groups(panel))
        panel_write_groups(sheet, panel, width);
    else
        tics_write_places(sheet, panel, width);
    if (panel->x.log && !panel_has_groups(panel))
        fputs("set logscale x\n", script);
    if (panel->y.log)
        fputs("set logscale y\n", script);
    fputs("set ytics ", script);
    if (panel->y.log)
        fputs("autofreq\n", script);
    else
        fprintf(script, "%.9g\n", tics_step(sheet->figure, y));
    fprintf(script, "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n", x.from, x.to, y.from, y.to);
}

/* --- plots ----------------------------------------------------------------------------------- */

/* Lines on areas are black, with a light edge that makes them visible on dark ones. */
static const char black[] = "#000000", halo[] = "#ffffff";

/* How a line is drawn, and how wide what it belongs to is, in pixels. */
struct panel_pen {
    double thickness;
    const char *colour;
    double room;
};

/* Lines on narrow areas are thinner, and have no edge: else nothing of the area would be seen. */
enum { NARROW = 12 };
static struct panel_pen panel_choose_pen(double thickness, const char *colour, double room)
{
    double fine = fmax(0.4, fmin(1, room / NARROW));
    return (struct panel_pen){thickness * fine, colour, room};
}

/* Arrows whose heads are bars: error bars would leave a hole where a point might be. */
static void panel_plot_intervals(const struct sheet *sheet, size_t n, size_t s,
                                 struct panel_pen pen)
{
    fprintf(sheet->script,
            ", $e%zu_%zu using 1:2:(0):($3-$2) with vectors heads size screen %.6g,90 fixed "
            "lw %.2g lc rgb '%s'",
            n, s, fmin(CAP, pen.room / 2) / sheet->width, pen.thickness, pen.colour);
}

static void panel_plot_median(const struct sheet *sheet, size_t n, size_t s, struct panel_pen pen)
{
    double width = panel_bar_width(&sheet->figure->panels[n]) * box_width;
    fprintf(sheet->script,
            ", $v%zu_%zu using ($1-%.6g):4:(%.6g):(0) with vectors nohead lw %.2g lc rgb '%s'", n,
            s, width / 2, width, pen.thickness, pen.colour);
}

static void panel_plot_bars(const struct sheet *sheet, size_t n, size_t s,
                            const struct sheet_entry *entry, double room)
{
    double width = panel_bar_width(&sheet->figure->panels[n]);
    for (int hatch = 0; hatch <= (entry->pattern > 0); hatch++) {
        fprintf(sheet->script, ", $v%zu_%zu using 1:2:(%.6g) with boxes lw %.2g lc ", n, s,
                width * 0.92, panel_choose_pen(1, NULL, room).thickness);
        sheet_fill(sheet, entry, hatch);
    }
    if (room >= NARROW)
        panel_plot_intervals(sheet, n, s, panel_choose_pen(3.5, halo, room));
    panel_plot_intervals(sheet, n, s, panel_choose_pen(1.5, black, room));
}

static void panel_plot_boxes(const struct sheet *sheet, size_t n, size_t s,
                             const struct sheet_entry *entry, double room)
{
    double width = panel_bar_width(&sheet->figure->panels[n]) * box_width;
    bool dark = style_lightness(&entry->style) < 30;
    for (int hatch = 0; hatch <= (entry->pattern > 0); hatch++) {
        fprintf(sheet->script,
                ", $v%zu_%zu using 1:3:2:6:5:(%.6g) with candlesticks whiskerbars 0.5 lw %.2g lc ",
                n, s, width, panel_choose_pen(1.5, NULL, room).thickness);
        sheet_fill(sheet, entry, hatch);
    }
    if (room >= NARROW)
        panel_plot_median(sheet, n, s, panel_choose_pen(5, halo, room));
    panel_plot_median(sheet, n, s, panel_choose_pen(2.5, black, room));
    if (room < NARROW && dark)
        panel_plot_median(sheet, n, s, panel_choose_pen(1, halo, room));
}

static void panel_plot_points(const struct sheet *sheet, size_t n, size_t s,
                              const struct sheet_entry *entry)
{
    FILE *script = sheet->script;
    bool joined = sheet->figure->panels[n].kind == FIGURE_CURVES;
    panel_plot_intervals(sheet, n, s, (struct panel_pen){1.5, entry->style.colour, 2 * CAP});
    if (joined) {
        fprintf(script, ", $v%zu_%zu using 1:2 with lines ", n, s);
        sheet_line(sheet, &entry->style);
    }
    fprintf(script, ", $v%zu_%zu using 1:2 with points ", n, s);
    sheet_marker(sheet, &entry->style);
}

/* The line through the means of boxes, over all boxes. */
static void panel_plot_means(const struct sheet *sheet, size_t n, size_t s)
{
    const struct figure_series *series = &sheet->figure->panels[n].series[s];
    fprintf(sheet->script, ", $e%zu_%zu using 1:2 with lines ", n, s);
    sheet_line(sheet, &legend_find(sheet, series->name)->style);
}

/* A median or a bar of another series must not cover a published value: those come last. */
static void panel_plot(const struct sheet *sheet, size_t n, double width)
{
    const struct figure_panel *panel = &sheet->figure->panels[n];
    double room = width / ((double)panel->group_count + 0.2) * panel_bar_width(panel);
    fputs("plot NaN", sheet->script);
    for (size_t s = 0; s < panel->count; s++) {
        const struct sheet_entry *entry = legend_find(sheet, panel->series[s].name);
        if (panel->kind == FIGURE_BARS)
            panel_plot_bars(sheet, n, s, entry, room);
        else if (panel->kind == FIGURE_BOXES)
            panel_plot_boxes(sheet, n, s, entry, room * box_width);
        else
            panel_plot_points(sheet, n, s, entry);
    }
    for (size_t s = 0; s < panel->count && panel->kind == FIGURE_BOXES; s++)
        if (panel->series[s].points)
            panel_plot_means(sheet, n, s);
    for (size_t s = 0; s < panel->count; s++)
        if (panel->series[s].published)
            fprintf(sheet->script, ", $q%zu_%zu using 1:2 with points " SHEET_PUBLISHED, n, s);
    fputc('\n', sheet->script);
}

/* Labels are put in their places here: gnuplot puts them beside the labels of the tics, and leaves
 * out what it then thinks is outside of the page. */
static void panel_write_label(const struct sheet *sheet, const char *text, size_t most,
                              struct sheet_area at)
{
    bool upwards = at.right - at.left < at.bottom - at.top;
    if (!text)
        return;
    fputs("set label ", sheet->script);
    sheet_text(sheet, text, most);
    fputs(" at ", sheet->script);
    sheet_at(sheet, (at.left + at.right) / 2, (at.top + at.bottom) / 2);
    fprintf(sheet->script, " center%s\n", upwards ? " rotate by 90" : "");
}

static void panel_write_labels(const struct sheet *sheet, size_t n, struct sheet_area area,
                               struct sheet_area inner)
{
    const struct figure_panel *panel = &sheet->figure->panels[n];
    double beside = inner.left - panel_own_left(sheet->figure, n);
    size_t across = (size_t)((inner.right - inner.left) / sheet_text_width(1));
    size_t up = (size_t)((area.bottom - area.top) / sheet_text_width(1));
    panel_write_label(sheet, panel->title, across,
                      (struct sheet_area){inner.left, area.top, inner.right, inner.top});
    panel_write_label(
        sheet, panel->x.label, across,
        (struct sheet_area){inner.left, area.bottom - LINE - GAP, inner.right, area.bottom - GAP});
    panel_write_label(sheet, panel->y.label, up,
                      (struct sheet_area){beside, inner.top, beside + LINE - 4, inner.bottom});
}

void panel_draw(const struct sheet *sheet, size_t n, struct sheet_area area)
{
    const struct figure_panel *panel = &sheet->figure->panels[n];
    double width = area.right - area.left;
    struct sheet_area margins = panel_margins(sheet->figure, n, width);
    struct sheet_area inner = {area.left + margins.left, area.top + margins.top,
                               area.right - margins.right, area.bottom - margins.bottom};
    fprintf(sheet->script,
            "set lmargin at screen %.6g\nset rmargin at screen %.6g\n"
            "set tmargin at screen %.6g\nset bmargin at screen %.6g\n",
            inner.left / sheet->width, inner.right / sheet->width, 1 - inner.top / sheet->height,
            1 - inner.bottom / sheet->height);
    panel_write_labels(sheet, n, area, inner);
    panel_write_axes(sheet, panel, inner.right - inner.left);
    panel_plot(sheet, n, inner.right - inner.left);
    fputs("unset label\nunset arrow\nunset object\n", sheet->script);
}

#include "report/gantt.h"
#include "base/text.h"
#include "figure/colours.h"
#include "report/axis.h"
#include "report/canvas.h"
#include "report/lanes.h"
#include "report/svg.h"
#include <math.h>
#include <string.h>

static const char style[] =
    ".run{font-size:14px;font-weight:600;fill:" COLOUR_INK "}.small{font-size:9px}\n"
    ".work{fill:" COLOUR_PALE "}.io{fill:" COLOUR_BLUE "}.lost{fill:" COLOUR_ORANGE "}\n"
    ".hit{fill:none;pointer-events:all}.mark{stroke:" COLOUR_INK ";stroke-dasharray:4 3}\n";

static int gantt_width_of(const char *text)
{
    return text_width(text, strlen(text));
}

static double gantt_bottom_of_lanes(const struct canvas *canvas, double top)
{
    return top + PANEL_HEADER + canvas->lane * canvas->workload->count;
}

static double gantt_panel_height(const struct canvas *canvas)
{
    return gantt_bottom_of_lanes(canvas, 0) + BAND_GAP + BAND + AXIS;
}

/* The height of a lane: of several panels each is lower, but not too low to be read; and thousands
 * of lanes become thinner rather than a picture that no program opens. */
static double gantt_choose_lane(uint32_t lanes, size_t panels)
{
    double room = fmax(LANES_ROOM / (double)panels, LEAST_ROOM);
    double lane = fmin(fmax(floor(room / lanes), LEAST_LANE), MOST_LANE);
    return fmin(lane, MOST_ROOM / (double)lanes / (double)panels);
}

static void gantt_lay_out(struct canvas *canvas, const struct gantt_panel *panels, size_t count)
{
    const struct workload *workload = canvas->workload;
    canvas->lane = gantt_choose_lane(workload->count, count);
    double longest = 10;
    for (uint32_t i = 0; i < workload->count; i++) {
        char label[TEXT_SIZE];
        longest = fmax(longest, gantt_width_of(app_label(&workload->apps[i], label, sizeof label)));
    }
    canvas->left = MARGIN + 6.4 * fmin(longest, LABEL_LENGTH) + 10;

    struct axis *axis = &canvas->axis;
    *axis =
        (struct axis){.start = INFINITY, .end = -INFINITY, .calendar = &canvas->workload->calendar};
    for (size_t i = 0; i < count; i++) {
        double start, end;
        timeline_extent(panels[i].timeline, &start, &end);
        axis->start = fmin(axis->start, start);
        axis->end = fmax(axis->end, end);
    }
    if (!(axis->end > axis->start))
        axis->end = axis->start + 1;
    axis->width = floor(WIDTH - MARGIN - YIELD_COLUMN - canvas->left);
    axis_choose_step(axis, 12);
}

static void gantt_draw_legend(const struct canvas *canvas)
{
    static const struct svg_key keys[] = {{"work", "work", 62},
                                          {"io", "I/O, height = share of its full speed", 224},
                                          {"lost", "waiting", 70}};
    svg_legend(canvas->out, keys, sizeof keys / sizeof *keys, (struct point){WIDTH - MARGIN, 31});
}

static void gantt_draw_header(const struct canvas *canvas)
{
    const struct workload *workload = canvas->workload;
    char rate[64], text[TEXT_SIZE];
    snprintf(text, sizeof text, "%s", workload->name);
    text_clip(text, 60);
    svg_text(canvas->out, "title", (struct point){MARGIN, 40}, text);
    snprintf(text, sizeof text, "%u application%s, file system %s, I/O pressure %.2f",
             (unsigned)workload->count, workload->count == 1 ? "" : "s",
             units_print(workload->platform.bandwidth, UNIT_RATE, rate, sizeof rate),
             workload->io_pressure);
    svg_text(canvas->out, "", (struct point){MARGIN, 60}, text);
    gantt_draw_legend(canvas);
}

/* "dilation 1.79 · ...": the measures that a table shows first. */
static void gantt_describe_run(const struct canvas *canvas, const struct row *row, char *text,
                               size_t size)
{
    struct selection selection = selection_default(&canvas->workload->window);
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < selection.count; i++) {
        const struct measure *measure = selection.measures[i];
        double value = measure_of(measure, &row->metrics);
        char number[64];
        if (isnan(value))
            continue;
        if (measure->unit == UNIT_NONE)
            snprintf(number, sizeof number, "%.4f", value);
        else
            units_print(value, measure->unit, number, sizeof number);
        int n = snprintf(text + used, size - used, "%s%s %s", used ? "  ·  " : "", measure->name,
                         number);
        if (n < 0 || (size_t)n >= size - used)
            return;
        used += (size_t)n;
    }
}

static void gantt_draw_grid(const struct canvas *canvas, double top)
{
    const struct axis *axis = &canvas->axis;
    double bottom = gantt_bottom_of_lanes(canvas, top) + BAND_GAP + BAND;
    double first = axis_first(axis);
    for (double k = 0; first + k * axis->step <= axis->end + 1e-9 * axis->step; k++) {
        char label[64];
        double x = canvas->left + axis_position(axis, first + k * axis->step);
        svg_line(canvas->out, "grid", (struct point){x, top + PANEL_HEADER},
                 (struct point){x, bottom + 4});
        svg_text(canvas->out, "mid", (struct point){x, bottom + 17},
                 axis_label(axis, first + k * axis->step, label, sizeof label));
    }
}

static void gantt_draw_band(const struct canvas *canvas, const struct lanes *lanes, double top)
{
    double bottom = top + BAND, limit = canvas->workload->platform.bandwidth;
    double right = canvas->left + canvas->axis.width;
    char text[64];
    svg_rect(canvas->out, "frame", (struct point){canvas->left, top},
             (struct point){right, bottom});
    fprintf(canvas->out, "<path class=\"io\" d=\"M%.2f %.2f", canvas->left, bottom);
    for (size_t i = 0; i < lanes->pixels; i++)
        fprintf(canvas->out, "V%.2fh1", bottom - BAND * fmin(lanes->bandwidth[i] / limit, 1));
    fprintf(canvas->out, "V%.2fz\"/>\n", bottom);
    svg_line(canvas->out, "edge", (struct point){canvas->left, top}, (struct point){right, top});
    svg_line(canvas->out, "edge", (struct point){canvas->left, bottom},
             (struct point){right, bottom});
    svg_text(canvas->out, "right", (struct point){canvas->left - 8, top + 8},
             units_print(limit, UNIT_RATE, text, sizeof text));
    svg_text(canvas->out, "right", (struct point){canvas->left - 8, top + BAND / 2.0 + 6},
             "bandwidth");
    svg_text(canvas->out, "right", (struct point){canvas->left - 8, bottom + 2}, "0");
}

static void gantt_draw_window(const struct canvas *canvas, double top)
{
    const struct window *window = &canvas->workload->window;
    if (window->kind != WINDOW_FIXED || window->start <= canvas->axis.start)
        return;
    double x = canvas->left + axis_position(&canvas->axis, window->start);
    svg_line(canvas->out, "mark", (struct point){x, top + PANEL_HEADER - 4},
             (struct point){x, gantt_bottom_of_lanes(canvas, top) + BAND_GAP + BAND});
    svg_text(canvas->out, "", (struct point){x + 4, top + PANEL_HEADER - 6}, "window starts");
}

static int gantt_draw_panel(const struct canvas *canvas, const struct gantt_panel *panel,
                            double top)
{
    struct lanes lanes;
    char text[TEXT_SIZE];
    int status = lanes_build(&lanes, canvas->workload, panel->timeline, &canvas->axis);
    if (status == 0) {
        svg_text(canvas->out, "run", (struct point){MARGIN, top + 14}, panel->row->policy);
        gantt_describe_run(canvas, panel->row, text, sizeof text);
        svg_text(canvas->out, "",
                 (struct point){MARGIN + 24 + 9.2 * gantt_width_of(panel->row->policy), top + 14},
                 text);
        gantt_draw_grid(canvas, top);
        canvas_draw_lanes(canvas, panel->row, &lanes, top + PANEL_HEADER);
        gantt_draw_band(canvas, &lanes, gantt_bottom_of_lanes(canvas, top) + BAND_GAP);
        gantt_draw_window(canvas, top);
    }
    lanes_fini(&lanes);
    return status;
}

int gantt_write(FILE *out, const struct workload *workload, const struct gantt_panel *panels,
                size_t count, struct err *err)
{
    struct canvas canvas = {.out = out, .workload = workload};
    gantt_lay_out(&canvas, panels, count);
    double height = HEADER + gantt_panel_height(&canvas) * (double)count;
    svg_begin(out, (struct point){WIDTH, height}, style);
    gantt_draw_header(&canvas);
    int status = 0;
    for (size_t i = 0; i < count && status == 0; i++)
        status =
            gantt_draw_panel(&canvas, &panels[i], HEADER + gantt_panel_height(&canvas) * (double)i);
    fputs("</svg>\n", out);
    return status < 0 ? err_memory(err) : 0;
}

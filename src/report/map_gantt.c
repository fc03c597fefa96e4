#include "base/maths.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "figure/colours.h"
#include "report/axis.h"
#include "report/map_canvas.h"
#include "report/map_report.h"
#include "report/svg.h"
#include <math.h>
#include <stdlib.h>

/* Pixels, unless they count. */
enum {
    WIDTH = 1200,
    RIGHT = 24,
    HEADER = 84,
    GAP = 14, /* between panels */
    BAND = 72,
    AXIS = 30,
    PANELS = 640,      /* all of them together, if they are few */
    LEAST_PANEL = 90,  /* one of many */
    MOST_PANELS = 12,  /* more show nothing new */
    MOST_JOBS = 10000, /* beyond them only the beginning is drawn */
    MOST_NODES = 10000000
};

static const char style[] =
    ".work{fill:" COLOUR_MIST "}.io{fill:" COLOUR_BLUE "}.lost{fill:" COLOUR_ORANGE "}\n"
    ".outline{fill:none;stroke:#fff;stroke-width:.6}.hit{fill:none;pointer-events:all}\n"
    ".mark{stroke:" COLOUR_INK ";stroke-width:.8;stroke-dasharray:4 3}\n";

static double top_of(const struct map_canvas *canvas, uint32_t panel)
{
    return HEADER + panel * (canvas->height + GAP);
}

/* --- panels ---------------------------------------------------------------------------------- */

/* Lines where packs begin, which are numbered in that order, as far as they can be distinguished.
 */
static int draw_marks(const struct map_canvas *canvas, uint32_t io_node, double top,
                      struct err *err)
{
    const double apart = 4;
    double last = MAP_LEFT;
    const struct mapping *mapping = canvas->run->mapping;
    if (mapping->packs == 0)
        return 0;
    double *starts = mem_alloc(mapping->packs, sizeof *starts);
    if (!starts)
        return err_memory(err);
    for (uint32_t i = 0; i < mapping->packs; i++)
        starts[i] = INFINITY;
    for (uint32_t i = 0; i < mapping->count; i++) {
        const struct placed_job *job = &mapping->jobs[i];
        if (job->io_node == io_node)
            starts[job->pack] = maths_min(starts[job->pack], job->start);
    }
    for (uint32_t i = 0; i < mapping->packs; i++) {
        double x = map_canvas_x(canvas, maths_min(starts[i], canvas->axis.end));
        if (!(starts[i] < canvas->axis.end) || x - last < apart)
            continue;
        svg_line(canvas->out, "mark", (struct point){x, top},
                 (struct point){x, top + canvas->height});
        last = x;
    }
    free(starts);
    return 0;
}

/* What lies below everything else. */
static void map_gantt_draw_grid(const struct map_canvas *canvas, double bottom)
{
    const struct axis *axis = &canvas->axis;
    double right = MAP_LEFT + axis->width;
    for (uint32_t i = 0; i < canvas->panels; i++)
        svg_rect(canvas->out, "frame", (struct point){MAP_LEFT, top_of(canvas, i)},
                 (struct point){right, top_of(canvas, i) + canvas->height});
    svg_rect(canvas->out, "frame", (struct point){MAP_LEFT, bottom - BAND},
             (struct point){right, bottom});
    for (double k = ceil(axis->start / axis->step * (1 - 1e-9));
         k * axis->step <= axis->end * (1 + 1e-9); k++) {
        char label[64];
        double x = map_canvas_x(canvas, k * axis->step);
        svg_line(canvas->out, "grid", (struct point){x, HEADER}, (struct point){x, bottom + 4});
        svg_text(canvas->out, "mid", (struct point){x, bottom + 17},
                 axis_label(axis, k * axis->step, label, sizeof label));
    }
}

static int map_gantt_draw_panel(const struct map_canvas *canvas, uint32_t io_node, struct err *err)
{
    double top = top_of(canvas, io_node), bottom = top + canvas->height;
    char label[64];
    if (map_canvas_draw_jobs(canvas, io_node, bottom, err) != 0 ||
        draw_marks(canvas, io_node, top, err) != 0)
        return -1;
    snprintf(label, sizeof label, "I/O node %u", (unsigned)io_node);
    svg_text(canvas->out, "right", (struct point){MAP_LEFT - 8, (top + bottom) / 2 + 4}, label);
    snprintf(label, sizeof label, "%.15g nodes", canvas->workload->platform.nodes);
    svg_text(canvas->out, "right", (struct point){MAP_LEFT - 8, top + 9}, label);
    svg_text(canvas->out, "right", (struct point){MAP_LEFT - 8, bottom}, "0");
    return 0;
}

/* What the nodes behind all I/O nodes do, stacked: I/O, work, delay; the rest is idle. */
static void map_gantt_draw_band(const struct map_canvas *canvas, double top)
{
    static const enum usage_kind kinds[] = {USAGE_IO, USAGE_WORK, USAGE_DELAYED};
    const struct mapping *mapping = canvas->run->mapping;
    double start = mapping->usage.start, width = mapping->usage.width, bottom = top + BAND;
    for (int layer = MAP_LAYER_IO; layer <= MAP_LAYER_LOST; layer++) {
        fprintf(canvas->out, "<path class=\"%s\" d=\"", map_layer_class[layer]);
        for (uint32_t i = 0; i < USAGE_PARTS && start + i * width < canvas->axis.end; i++) {
            const double span[] = {start + i * width,
                                   maths_min(start + (i + 1) * width, mapping->makespan)};
            double shares[USAGE_KINDS], below = 0;
            map_usage(canvas->workload, mapping, span, shares);
            for (int k = 0; k < layer; k++)
                below += shares[kinds[k]];
            svg_path_rect(
                canvas->out, (struct point){map_canvas_x(canvas, span[0]), bottom - BAND * below},
                (struct point){map_canvas_x(canvas, span[1]),
                               bottom - BAND * maths_min(1, below + shares[kinds[layer]])});
        }
        fputs("\"/>\n", canvas->out);
    }
    svg_text(canvas->out, "right", (struct point){MAP_LEFT - 8, top + 9}, "all nodes");
    svg_text(canvas->out, "right", (struct point){MAP_LEFT - 8, bottom}, "0");
}

/* --- all of it ------------------------------------------------------------------------------- */

static void map_gantt_draw_header(const struct map_canvas *canvas)
{
    const struct map_run *run = canvas->run;
    static const struct svg_key keys[] = {
        {"work", "work", 62}, {"io", "I/O", 52}, {"lost", "delayed", 70}};
    char text[256], span[64];
    snprintf(text, sizeof text, "%s", canvas->workload->name);
    text_clip(text, 60);
    svg_text(canvas->out, "title", (struct point){RIGHT, 38}, text);
    snprintf(text, sizeof text,
             "%u jobs by %s, order %s, I/O by %s: makespan %s, stretch up to %.3f, mean %.3f; "
             "nodes %.1f %% useful, %.1f %% delayed",
             (unsigned)canvas->workload->count, map_method_names[run->rules.method],
             map_order_names[run->ordered], run->policy,
             units_print(run->measured.makespan, UNIT_SECONDS, span, sizeof span),
             run->measured.max_stretch, run->measured.mean_stretch, 100 * run->measured.efficiency,
             100 * run->measured.delayed / (run->measured.makespan - run->mapping->usage.start));
    svg_text(canvas->out, "", (struct point){RIGHT, 60}, text);
    svg_legend(canvas->out, keys, sizeof keys / sizeof *keys, (struct point){WIDTH - RIGHT, 29});
}

/* Says what is not there: the rest of a long run, and of many I/O nodes. */
static void draw_limits(const struct map_canvas *canvas)
{
    const struct map_run *run = canvas->run;
    char text[96], span[64];
    if (canvas->axis.end < run->measured.makespan) {
        snprintf(
            text, sizeof text, "only the first %s are drawn",
            units_print(canvas->axis.end - canvas->axis.start, UNIT_SECONDS, span, sizeof span));
        svg_text(canvas->out, "right", (struct point){WIDTH - RIGHT, 60}, text);
    }
    if (canvas->panels < run->rules.io_nodes) {
        snprintf(text, sizeof text, "only %u of %u I/O nodes are drawn", (unsigned)canvas->panels,
                 (unsigned)run->rules.io_nodes);
        svg_text(canvas->out, "right", (struct point){WIDTH - RIGHT, 76}, text);
    }
}

static int map_gantt_compare_times(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The end of the drawing: the last start among the first jobs, or the end of the run. -1 when
 * memory is out. */
static double find_end(const struct mapping *mapping)
{
    if (mapping->count <= MOST_JOBS)
        return mapping->makespan;
    double *starts = mem_alloc(mapping->count, sizeof *starts);
    if (!starts)
        return -1;
    for (uint32_t i = 0; i < mapping->count; i++)
        starts[i] = mapping->jobs[i].start;
    qsort(starts, mapping->count, sizeof *starts, map_gantt_compare_times);
    double end = starts[MOST_JOBS] > mapping->usage.start ? starts[MOST_JOBS] : mapping->makespan;
    free(starts);
    return end;
}

int map_write_gantt(FILE *out, const struct workload *workload, const struct map_run *run,
                    struct err *err)
{
    struct map_canvas canvas = {.out = out, .workload = workload, .run = run};
    uint32_t io_nodes = run->rules.io_nodes;
    if (workload->platform.nodes > MOST_NODES)
        return err_set(err, "%.15g nodes are too many for a picture, expected at most %d",
                       workload->platform.nodes, MOST_NODES);
    canvas.axis = (struct axis){.start = run->mapping->usage.start,
                                .end = find_end(run->mapping),
                                .width = WIDTH - MAP_LEFT - RIGHT};
    if (canvas.axis.end < 0)
        return err_memory(err);
    axis_choose_step(&canvas.axis, 12);
    canvas.panels = io_nodes < MOST_PANELS ? io_nodes : MOST_PANELS;
    canvas.height = maths_max(LEAST_PANEL, floor(PANELS / (double)canvas.panels));
    double band = top_of(&canvas, canvas.panels), height = band + BAND + AXIS;
    svg_begin(out, (struct point){WIDTH, height}, style);
    map_gantt_draw_header(&canvas);
    draw_limits(&canvas);
    map_gantt_draw_grid(&canvas, band + BAND);
    int status = 0;
    for (uint32_t i = 0; i < canvas.panels && status == 0; i++)
        status = map_gantt_draw_panel(&canvas, i, err);
    map_gantt_draw_band(&canvas, band);
    fputs("</svg>\n", out);
    return status;
}

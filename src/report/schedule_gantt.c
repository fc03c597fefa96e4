#include "report/schedule_gantt.h"
#include "base/mem.h"
#include "base/units.h"
#include "figure/colours.h"
#include "report/axis.h"
#include "report/svg.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Pixels. */
enum {
    WIDTH = 1200,
    LEFT = 84,
    RIGHT = 24,
    TOP = 126,
    STRIP = 12, /* with the windows, above the nodes */
    COLUMNS = WIDTH - LEFT - RIGHT,
    MOST_ROWS = 520,
    BOTTOM = 44,
    NARROW = 4 /* jobs of a kind that is shorter flow together */
};

static const char style[] =
    ".k0{fill:" COLOUR_BLUE "}.k1{fill:" COLOUR_ORANGE "}.k2{fill:" COLOUR_GREEN
    "}.k3{fill:" COLOUR_PLUM "}.k4{fill:" COLOUR_SKY "}"
    ".k5{fill:" COLOUR_BROWN "}.k6{fill:" COLOUR_YELLOW "}.k7{fill:" COLOUR_GREY "}\n"
    ".window{fill:" COLOUR_INK "}\n";
enum { COLOURS = 8 };

/* --- pixels ---------------------------------------------------------------------------------- */

/* What each pixel shows: 0 nothing, up to the number of jobs a job, and above that a kind. */
struct raster {
    const struct schedule *schedule;
    uint32_t *pixels;
    uint32_t rows;
    double end;
    bool *narrow; /* of each kind */
};

static uint32_t kind_of(const struct raster *raster, uint32_t key)
{
    size_t count = raster->schedule->count;
    return key > count ? (uint32_t)(key - count - 1) : raster->schedule->jobs[key - 1].kind;
}

/* The first of `count` pixels whose middle is not before `value` of `total`. */
static uint32_t schedule_gantt_pixel(double value, double total, uint32_t count)
{
    return (uint32_t)fmin(fmax(ceil(value / total * count - 0.5), 0), count);
}

static int schedule_gantt_paint(const struct schedule_place *place, void *context)
{
    struct raster *raster = context;
    const struct schedule *schedule = raster->schedule;
    const struct schedule_job *job = place->job;
    double nodes = schedule->platform.nodes;
    uint32_t left = schedule_gantt_pixel(job->start, raster->end, COLUMNS);
    uint32_t right = schedule_gantt_pixel(job->end, raster->end, COLUMNS);
    uint32_t low = schedule_gantt_pixel(place->first, nodes, raster->rows);
    uint32_t high = schedule_gantt_pixel(place->first + (double)place->count, nodes, raster->rows);
    uint32_t key = raster->narrow[job->kind] ? (uint32_t)schedule->count + 1 + job->kind
                                             : (uint32_t)(job - schedule->jobs) + 1;
    for (uint32_t row = low; row < high; row++)
        for (uint32_t column = left; column < right; column++)
            raster->pixels[(size_t)row * COLUMNS + column] = key;
    return 0;
}

static void find_narrow(struct raster *raster, uint32_t kinds)
{
    const struct schedule *schedule = raster->schedule;
    for (uint32_t kind = 0; kind < kinds; kind++)
        raster->narrow[kind] = true;
    for (size_t i = 0; i < schedule->count; i++) {
        const struct schedule_job *job = &schedule->jobs[i];
        if ((job->end - job->start) / raster->end * COLUMNS >= NARROW)
            raster->narrow[job->kind] = false;
    }
}

/* --- rectangles ------------------------------------------------------------------------------ */

/* How many pixels from here on belong to the same. */
static uint32_t run_at(const uint32_t *row, uint32_t column)
{
    uint32_t end = column;
    while (end < COLUMNS && row[end] == row[column])
        end++;
    return end - column;
}

static bool has_run(const uint32_t *row, uint32_t column, uint32_t length, uint32_t key)
{
    return (column == 0 || row[column - 1] != key) && row[column] == key &&
           run_at(row, column) == length;
}

/* Takes the largest block of rows with this same run out of the raster, and draws it. */
static void draw_block(const struct raster *raster, FILE *out, uint32_t row, uint32_t column)
{
    uint32_t *first = &raster->pixels[(size_t)row * COLUMNS];
    uint32_t key = first[column], length = run_at(first, column), end = row;
    uint32_t *at = first;
    for (; end < raster->rows && has_run(at, column, length, key); end++, at += COLUMNS)
        memset(&at[column], 0, length * sizeof *at);
    double x = LEFT + (double)column, bottom = TOP + (double)(raster->rows - row);
    double top = TOP + (double)(raster->rows - end);
    /* A thin gap separates neighbours. */
    double right = x + length - (length >= NARROW ? 0.7 : 0);
    svg_path_rect(out, (struct point){x, top + (end - row >= NARROW ? 0.7 : 0)},
                  (struct point){right, bottom});
}

static void draw_kind(const struct raster *raster, FILE *out, uint32_t kind)
{
    fprintf(out, "<path class=\"k%u\" d=\"", kind % COLOURS);
    for (uint32_t row = 0; row < raster->rows; row++)
        for (uint32_t column = 0; column < COLUMNS; column++) {
            uint32_t key = raster->pixels[(size_t)row * COLUMNS + column];
            if (key != 0 && kind_of(raster, key) == kind)
                draw_block(raster, out, row, column);
        }
    fputs("\"/>\n", out);
}

/* --- all of it ------------------------------------------------------------------------------- */

static void schedule_gantt_draw_header(const struct schedule *schedule, FILE *out, uint32_t kinds)
{
    char text[160], end[32];
    double x = LEFT;
    svg_text(out, "title", (struct point){LEFT, 38}, schedule->name);
    snprintf(text, sizeof text, "%zu jobs on %.15g nodes in %s, %.1f %% of the node hours used",
             schedule->count, schedule->platform.nodes,
             units_print(schedule_end(schedule), UNIT_SECONDS, end, sizeof end),
             100 * schedule_utilization(schedule));
    svg_text(out, "", (struct point){LEFT, 58}, text);
    for (uint32_t kind = 0; kind < kinds; kind++) {
        char class[16];
        snprintf(class, sizeof class, "k%u", kind % COLOURS);
        svg_rect(out, class, (struct point){x, 70}, (struct point){x + 13, 81});
        svg_text(out, "", (struct point){x + 18, 80}, schedule->kinds[kind]);
        x += 34 + 7.0 * (double)strlen(schedule->kinds[kind]);
    }
}

static void draw_frame(const struct raster *raster, FILE *out)
{
    struct axis axis = {.start = 0, .end = raster->end, .width = COLUMNS};
    double bottom = TOP + (double)raster->rows;
    char label[64];
    svg_rect(out, "frame", (struct point){LEFT, TOP}, (struct point){LEFT + COLUMNS, bottom});
    axis_choose_step(&axis, 12);
    for (double k = 0; k * axis.step <= axis.end; k++) {
        double x = LEFT + axis_position(&axis, k * axis.step);
        svg_line(out, "grid", (struct point){x, TOP}, (struct point){x, bottom + 4});
        svg_text(out, "mid", (struct point){x, bottom + 17},
                 axis_label(&axis, k * axis.step, label, sizeof label));
    }
    for (int quarter = 0; quarter <= 4; quarter++) {
        double nodes = round(raster->schedule->platform.nodes * quarter / 4);
        snprintf(label, sizeof label, "%.15g%s", nodes, quarter == 4 ? " nodes" : "");
        svg_text(out, "right",
                 (struct point){LEFT - 8, bottom + 4 - (double)raster->rows * quarter / 4}, label);
    }
}

static int draw_windows(const struct raster *raster, FILE *out, struct err *err)
{
    struct span windows[SCHEDULE_WINDOWS];
    int count = schedule_find_windows(raster->schedule, windows, err);
    double bottom = TOP - 14, scale = COLUMNS / raster->end;
    for (int i = 0; i < count; i++)
        svg_rect(out, "window", (struct point){LEFT + windows[i].start * scale, bottom - STRIP},
                 (struct point){LEFT + windows[i].end * scale, bottom});
    svg_text(out, "right", (struct point){LEFT - 8, bottom - 2}, "windows");
    return count < 0 ? -1 : 0;
}

static int schedule_gantt_draw(const struct raster *raster, FILE *out, uint32_t kinds,
                               struct err *err)
{
    double height = TOP + (double)raster->rows + BOTTOM;
    svg_begin(out, (struct point){WIDTH, height}, style);
    schedule_gantt_draw_header(raster->schedule, out, kinds);
    draw_frame(raster, out);
    for (uint32_t kind = 0; kind < kinds; kind++)
        draw_kind(raster, out, kind);
    int status = draw_windows(raster, out, err);
    fputs("</svg>\n", out);
    return status;
}

int schedule_write_gantt(FILE *out, const struct schedule *schedule, struct err *err)
{
    struct raster raster = {.schedule = schedule,
                            .rows = (uint32_t)fmin(schedule->platform.nodes, MOST_ROWS),
                            .end = fmax(schedule_end(schedule), 1)};
    uint32_t kinds = 0;
    while (schedule->kinds[kinds])
        kinds++;
    raster.pixels = mem_alloc((size_t)raster.rows * COLUMNS, sizeof *raster.pixels);
    raster.narrow = mem_alloc(kinds, sizeof *raster.narrow);
    int status = -1;
    if (!raster.pixels || !raster.narrow) {
        err_memory(err);
    } else {
        find_narrow(&raster, kinds);
        status = schedule_assign(schedule, schedule_gantt_paint, &raster, err);
        if (status == 0)
            status = schedule_gantt_draw(&raster, out, kinds, err);
    }
    free(raster.pixels);
    free(raster.narrow);
    return status;
}

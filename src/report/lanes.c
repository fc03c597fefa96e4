#include "report/lanes.h"
#include "base/mem.h"
#include <math.h>
#include <stdlib.h>

/* In pixels: narrower segments are merged, into cells at least this wide. */
static const double narrow = 0.5, cell_width = 1.0;

void timeline_extent(const struct timeline *timeline, double *start, double *end)
{
    *start = timeline->count ? INFINITY : 0;
    *end = timeline->count ? -INFINITY : 0;
    for (size_t i = 0; i < timeline->count; i++) {
        *start = fmin(*start, timeline->segments[i].start);
        *end = fmax(*end, timeline->segments[i].end);
    }
}

/* Appends a cell, or widens the last one if it looks the same and touches. */
static int lanes_append(struct lane *lane, struct cell cell)
{
    struct cell *last = lane->count ? &lane->cells[lane->count - 1] : NULL;
    if (last && last->work == cell.work && last->io == cell.io && cell.start - last->end < 1e-9) {
        last->end = cell.end;
        return 0;
    }
    struct cell *cells =
        mem_reserve(lane->cells, &lane->capacity, lane->count + 1, sizeof *lane->cells);
    if (!cells)
        return -1;
    lane->cells = cells;
    lane->cells[lane->count++] = cell;
    return 0;
}

static int lanes_flush(struct lane *lane)
{
    struct cell cell = lane->pending;
    double width = cell.end - cell.start;
    lane->pending = (struct cell){0};
    if (width <= 0)
        return 0;
    cell.work /= width;
    cell.io /= width;
    return lanes_append(lane, cell);
}

static int lanes_add_cell(struct lane *lane, struct cell cell)
{
    double width = cell.end - cell.start;
    struct cell *pending = &lane->pending;
    bool gap = pending->end > pending->start && cell.start - pending->end > 1e-6;
    if ((width >= narrow || gap) && lanes_flush(lane) < 0)
        return -1;
    if (width >= narrow)
        return lanes_append(lane, cell);
    if (pending->end <= pending->start)
        pending->start = cell.start;
    pending->end = cell.end;
    pending->work += cell.work * width;
    pending->io += cell.io * width;
    return pending->end - pending->start >= cell_width ? lanes_flush(lane) : 0;
}

static struct cell lanes_draw(const struct segment *segment, double bmax, const struct axis *axis)
{
    struct cell cell = {.start = axis_position(axis, segment->start),
                        .end = axis_position(axis, segment->end)};
    if (segment->kind == SEGMENT_WORK)
        cell.work = 1;
    else if (segment->kind == SEGMENT_IO)
        cell.io = fmin(segment->rate / bmax, 1);
    return cell;
}

/* Spreads a rate over the pixels it covers: partly at both ends. `slope` holds differences
 * between neighbouring pixels, so that a long segment costs no more than a short one. */
static void lanes_add_bandwidth(double *slope, double *partial, struct cell cell, double rate)
{
    size_t first = (size_t)cell.start, last = (size_t)cell.end;
    if (first == last) {
        partial[first] += rate * (cell.end - cell.start);
        return;
    }
    partial[first] += rate * ((double)first + 1 - cell.start);
    partial[last] += rate * (cell.end - (double)last);
    slope[first + 1] += rate;
    slope[last] -= rate;
}

int lanes_build(struct lanes *lanes, const struct workload *workload,
                const struct timeline *timeline, const struct axis *axis)
{
    size_t pixels = (size_t)axis->width;
    *lanes = (struct lanes){.count = workload->count, .pixels = pixels};
    lanes->list = mem_alloc(lanes->count, sizeof *lanes->list);
    lanes->bandwidth = mem_alloc(pixels + 2, sizeof *lanes->bandwidth);
    double *slope = mem_alloc(pixels + 2, sizeof *slope);
    int status = lanes->list && lanes->bandwidth && slope ? 0 : -1;

    for (size_t i = 0; i < timeline->count && status == 0; i++) {
        const struct segment *segment = &timeline->segments[i];
        struct cell cell = lanes_draw(segment, workload->apps[segment->app].facts.bmax, axis);
        status = lanes_add_cell(&lanes->list[segment->app], cell);
        if (segment->kind == SEGMENT_IO)
            lanes_add_bandwidth(slope, lanes->bandwidth, cell, segment->rate);
    }
    for (uint32_t i = 0; i < lanes->count && status == 0; i++)
        status = lanes_flush(&lanes->list[i]);
    double level = 0;
    for (size_t i = 0; i < pixels && status == 0; i++) {
        level += slope[i];
        lanes->bandwidth[i] += level;
    }
    free(slope);
    return status;
}

void lanes_fini(struct lanes *lanes)
{
    for (uint32_t i = 0; lanes->list && i < lanes->count; i++)
        free(lanes->list[i].cells);
    free(lanes->list);
    free(lanes->bandwidth);
    *lanes = (struct lanes){0};
}

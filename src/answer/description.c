#include "answer/description.h"
#include "base/maths.h"
#include "base/mem.h"
#include <math.h>
#include <stdlib.h>

/* --- applications ---------------------------------------------------------------------------- */

static double period_of(const struct app *app)
{
    return app->facts.period > 0 ? app->facts.period : app_ideal(app) / app->facts.iterations;
}

static void add_replica(struct description_row *row, const struct app *app)
{
    const struct weir_app *facts = &app->facts;
    double iterations = facts->iterations;
    row->count++;
    row->nodes += facts->nodes;
    row->bmax += facts->bmax;
    row->iterations += iterations;
    row->work += facts->total_work / iterations;
    row->volume += app_volume(app) / iterations;
    row->period += period_of(app);
    row->ideal += app_ideal(app);
}

/* Turns the sums over the replicas into means. */
static void description_divide(struct description_row *row, bool nodes_known)
{
    row->nodes = nodes_known ? row->nodes / row->count : NAN;
    row->bmax /= row->count;
    row->iterations /= row->count;
    row->work /= row->count;
    row->volume /= row->count;
    row->period /= row->count;
    row->ideal /= row->count;
}

/* Phases that are all the same need no detection. */
static int description_detect(struct description_row *row, const struct app *app, struct err *err)
{
    return app->stride > 0 ? period_detect(app, &row->detected, err) : 0;
}

/* Replicas follow each other and are numbered from 1 on. */
static int fill_rows(struct description *description, struct err *err)
{
    const struct workload *workload = description->workload;
    for (uint32_t i = 0; i < workload->count; i++) {
        const struct app *app = &workload->apps[i];
        if (app->replica <= 1) {
            struct description_row *row = &description->rows[description->row_count++];
            row->name = app->name;
            if (description_detect(row, app, err) < 0)
                return -1;
        }
        add_replica(&description->rows[description->row_count - 1], app);
    }
    for (size_t i = 0; i < description->row_count; i++)
        description_divide(&description->rows[i], workload->nodes_known);
    return 0;
}

static void add_period(struct description *description, double period)
{
    description->sets[magnitude_of(period) - MAGNITUDE_FIRST]++;
    description->shortest = fmin(description->shortest, period);
    description->longest = fmax(description->longest, period);
}

static void add_totals(struct description *description)
{
    struct sum volume = {0};
    for (uint32_t i = 0; i < description->workload->count; i++) {
        const struct app *app = &description->workload->apps[i];
        sum_add(&volume, app_volume(app));
        if (app->facts.total_io > 0)
            add_period(description, period_of(app));
    }
    description->volume = sum_value(&volume);
}

/* --- demand ---------------------------------------------------------------------------------- */

static void find_span(struct description *description)
{
    const struct workload *workload = description->workload;
    description->start = INFINITY;
    for (uint32_t i = 0; i < workload->count; i++) {
        double start = app_start(&workload->apps[i]);
        description->start = fmin(description->start, start);
        description->end = fmax(description->end, start + app_ideal(&workload->apps[i]));
    }
    if (workload->window.kind == WINDOW_FIXED) {
        description->start = workload->window.start;
        description->end = workload->window.end;
    }
}

/* Spreads a transfer over the parts of the timeline, each of which is `step` long. */
static void add_transfer(struct description *description, double step, double from, double to,
                         double share)
{
    from = fmax(from, description->start) - description->start;
    to = fmin(to, description->end) - description->start;
    for (int part = (int)fmin(from / step, DESCRIPTION_PARTS); part < DESCRIPTION_PARTS; part++) {
        double inside = fmin(to, (part + 1) * step) - fmax(from, part * step);
        if (part * step >= to)
            break;
        description->demand[part] += fmax(inside, 0) / step * share;
    }
}

static void description_add_demand(struct description *description, const struct app *app)
{
    double step = (description->end - description->start) / DESCRIPTION_PARTS;
    const struct workload *workload = description->workload;
    struct sum time = {app_start(app), 0};
    for (uint32_t k = 0; k < app->facts.iterations; k++) {
        struct iteration iteration = app_iteration(app, k);
        sum_add(&time, iteration.work);
        double posted = sum_value(&time);
        if (posted >= description->end)
            return;
        double bmax = app_bmax(app, k);
        sum_add(&time, iteration.volume / bmax);
        add_transfer(description, step, posted, sum_value(&time),
                     bmax / workload_bandwidth(workload, app_channel(app, k)));
    }
}

int description_init(struct description *description, const struct workload *workload,
                     struct err *err)
{
    *description = (struct description){.workload = workload, .shortest = INFINITY};
    description->congested = NAN;
    description->rows = mem_alloc(workload->count, sizeof *description->rows);
    if (!description->rows)
        return err_memory(err);
    if (fill_rows(description, err) < 0)
        return -1;
    add_totals(description);
    find_span(description);
    for (uint32_t i = 0; i < workload->count; i++)
        description_add_demand(description, &workload->apps[i]);
    const double span[] = {description->start, description->end};
    if (workload_busiest(workload, span, 3600, &description->busiest) < 0 ||
        workload_io_weight(workload, &description->io_weight) < 0)
        return err_memory(err);
    return 0;
}

void description_fini(struct description *description)
{
    free(description->rows);
    *description = (struct description){0};
}

/* --- congestion ------------------------------------------------------------------------------ */

const char *description_obstacle(const struct description *description)
{
    static const double most_iterations = 1e6;
    const struct workload *workload = description->workload;
    double iterations = 0;
    for (uint32_t i = 0; i < workload->count; i++)
        iterations += workload->apps[i].facts.iterations;
    /* Jobs of a log seem to overlap for moments: the mean tells whether they can have run so. */
    if (workload->occupancy.mean > workload->platform.nodes * (1 + 1e-9))
        return "too few nodes for all applications";
    return iterations > most_iterations ? "there are too many iterations" : NULL;
}

/* The demand while the workload runs under fair-share: all transfers slow down when it exceeds the
 * bandwidth, and none otherwise. */
static void congestion_elapse(struct congestion *congestion, double now)
{
    double from = fmax(congestion->now, congestion->start), to = fmin(now, congestion->end);
    if (to > from && congestion->demand > congestion->bandwidth * (1 + 1e-9))
        congestion->seconds += to - from;
    congestion->now = now;
}

static void congestion_leave(void *context, double now, uint32_t app)
{
    struct congestion *congestion = context;
    congestion_elapse(congestion, now);
    if (!congestion->moving[app])
        return;
    congestion->moving[app] = false;
    congestion->count--;
    congestion->demand -= congestion->workload->apps[app].facts.bmax;
    if (congestion->count == 0)
        congestion->demand = 0; /* without what rounding has left */
}

static void congestion_enter(void *context, double now, struct segment next)
{
    struct congestion *congestion = context;
    congestion_leave(context, now, next.app);
    if (next.kind == SEGMENT_WORK)
        return;
    congestion->moving[next.app] = true;
    congestion->count++;
    congestion->demand += congestion->workload->apps[next.app].facts.bmax;
}

int congestion_init(struct congestion *congestion, const struct workload *workload, struct err *err)
{
    bool whole = workload->window.kind != WINDOW_FIXED;
    *congestion = (struct congestion){.workload = workload,
                                      .bandwidth = workload->platform.bandwidth,
                                      .start = whole ? 0 : workload->window.start,
                                      .end = whole ? INFINITY : workload->window.end,
                                      .moving = mem_alloc(workload->count, 1)};
    return congestion->moving ? 0 : err_memory(err);
}

void congestion_fini(struct congestion *congestion)
{
    free(congestion->moving);
}

struct watcher congestion_watcher(struct congestion *congestion)
{
    return (struct watcher){.enter = congestion_enter,
                            .leave = congestion_leave,
                            .context = congestion,
                            .coarse = true};
}

void description_add_run(struct description *description, const struct row *row,
                         const struct congestion *congestion)
{
    bool whole = congestion->end == INFINITY;
    double from = whole ? description->start : congestion->start;
    double to = whole ? congestion->now : congestion->end;
    description->row = row;
    description->congested = to > from ? congestion->seconds / (to - from) : 0;
}

#include "report/description.h"
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
    row->volume += facts->total_io * facts->bmax / iterations;
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
        sum_add(&volume, app->facts.total_io * app->facts.bmax);
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
    double share = app->facts.bmax / description->workload->platform.bandwidth;
    struct sum date = {app_start(app), 0};
    for (uint32_t k = 0; k < app->facts.iterations; k++) {
        struct iteration iteration = app_iteration(app, k);
        sum_add(&date, iteration.work);
        double posted = sum_value(&date);
        if (posted >= description->end)
            return;
        sum_add(&date, iteration.volume / app->facts.bmax);
        add_transfer(description, step, posted, sum_value(&date), share);
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

struct interval {
    double start, end;
};

/* Adds an interval that ends no earlier than any in the list, and joins those that it touches. So
 * the list stays disjoint and in order, without sorting. */
static size_t description_join(struct interval *list, size_t count, struct interval more)
{
    while (count > 0 && list[count - 1].end >= more.start)
        more.start = fmin(more.start, list[--count].start);
    list[count] = more;
    return count + 1;
}

int description_add_run(struct description *description, const struct run *run,
                        const struct timeline *timeline, struct err *err)
{
    const struct window *window = &description->workload->window;
    bool whole = window->kind != WINDOW_FIXED;
    double start = whole ? 0 : window->start, end = whole ? INFINITY : window->end, last = start;
    struct interval *slow = mem_alloc(timeline->count, sizeof *slow);
    size_t count = 0;
    if (!slow)
        return err_memory(err);
    for (size_t i = 0; i < timeline->count; i++) {
        const struct segment *segment = &timeline->segments[i];
        double bmax = description->workload->apps[segment->app].facts.bmax;
        struct interval part = {fmax(segment->start, start), fmin(segment->end, end)};
        last = fmax(last, part.end);
        if (segment->kind != SEGMENT_WORK && segment->rate < bmax * (1 - 1e-9) &&
            part.start < part.end)
            count = description_join(slow, count, part);
    }
    double congested = 0;
    for (size_t i = 0; i < count; i++)
        congested += slow[i].end - slow[i].start;
    double from = whole ? description->start : start, to = whole ? last : end;
    description->run = run;
    description->congested = to > from ? congested / (to - from) : 0;
    free(slow);
    return 0;
}

/* Bounds on fairness and on the makespan.
 *
 * Alone, application i demands A_i(x) bytes until the time x. If it has lost l seconds until then
 * it has moved A_i(x - l), since it does what it would do alone, but later. At most S(x) bytes can
 * have been moved by all: what a queue that is served at the most that they can move together
 * (most.h) and fed by the sum of the A_i has let through. So a yield y, at which i may lose D_i(y),
 * is out of reach as soon as the sum of A_i(x - D_i(y)) exceeds S(x) at some x. The largest y that
 * is not is found by bisection. */
#include "bound/bound.h"
#include "base/mem.h"
#include "bound/queue.h"
#include <stdlib.h>

/* Part of the bytes by which rounding may make two equal sums differ. */
#define SLACK 1e-9

/* Halvings of the interval that holds the yield: more than a double can tell. */
enum { HALVINGS = 50 };

struct bound_search {
    const struct workload *workload;
    double end; /* of the window, or INFINITY */
    double *delays;
    struct most most;
    struct demand_walk early; /* each alone, */
    struct demand_walk late;  /* and as late as it may be */
};

double bound_end(const struct workload *workload)
{
    return workload->window.kind == WINDOW_FIXED ? workload->window.end : INFINITY;
}

double bound_budget(const struct workload *workload, uint32_t id, double y)
{
    const struct app *app = &workload->apps[id];
    double total = app->facts.progress + app_ideal(app);
    double life = bound_end(workload) - app->facts.release;
    double before = maths_max(0, -app->facts.release - app->facts.progress);
    if (life <= 0)
        return INFINITY;
    /* It ends before the window does, or it need not: then only its age there counts. */
    double budget = y * life > total ? total * (1 - y) / y : (1 - y) * life;
    /* One that ends before the window begins does not count. */
    if (workload->window.kind == WINDOW_FIXED)
        budget = maths_max(budget, workload->window.start - app->facts.release - total);
    return budget - before;
}

/* Whether no time proves that this yield is out of reach. */
static bool bound_allows(struct bound_search *search, double y)
{
    struct queue queue = queue_start(&search->most);
    double served = 0, needed = 0, rounding = 0; /* that of times, in bytes */
    for (uint32_t id = 0; id < search->workload->count; id++) {
        search->delays[id] = bound_budget(search->workload, id, y);
        if (search->delays[id] < 0)
            return false;
    }
    demand_rewind(&search->early);
    demand_rewind(&search->late);
    while (queue.time < search->end) {
        double early = demand_rate(&search->early), late = demand_rate(&search->late);
        double change = maths_min(demand_next(&search->early), demand_next(&search->late));
        double next = maths_min(change, queue_drained(&queue, early));
        next = maths_min(maths_min(next, search->end), queue_change(&queue));
        bool over = change == INFINITY && early == 0 && late == 0 && queue.backlog <= 0;
        if (over || next == INFINITY)
            break;
        served += queue_service(&queue, early) * (next - queue.time);
        needed += late * (next - queue.time);
        rounding += late * MATHS_ROUNDING * next;
        queue_advance(&queue, early, next);
        if (needed > served * (1 + SLACK) + rounding)
            return false;
        while (demand_next(&search->early) <= next)
            demand_step(&search->early);
        while (demand_next(&search->late) <= next)
            demand_step(&search->late);
    }
    return true;
}

static double bound_min_yield(struct bound_search *search)
{
    double allowed = 0, refused = 1;
    if (bound_allows(search, 1))
        return 1;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (allowed + refused) / 2;
        if (bound_allows(search, middle))
            allowed = middle;
        else
            refused = middle;
    }
    return refused;
}

/* When the last application ends alone, or the last byte can be moved. */
static double bound_makespan(struct bound_search *search)
{
    const struct workload *workload = search->workload;
    struct queue queue = queue_start(&search->most);
    double last = 0;
    for (uint32_t id = 0; id < workload->count; id++)
        last = maths_max(last, app_start(&workload->apps[id]) + app_ideal(&workload->apps[id]));
    demand_rewind(&search->early);
    for (double next; (next = demand_next(&search->early)) < INFINITY;) {
        queue_pass(&queue, demand_rate(&search->early), next);
        demand_step(&search->early);
    }
    return maths_max(last, queue_end(&queue));
}

static int search_init(struct bound_search *search, const struct workload *workload,
                       struct err *err)
{
    *search = (struct bound_search){.workload = workload, .end = bound_end(workload)};
    search->delays = mem_alloc(workload->count, sizeof *search->delays);
    if (!search->delays || demand_init(&search->early, workload, NULL) != 0 ||
        demand_init(&search->late, workload, search->delays) != 0)
        return err_memory(err);
    return 0;
}

/* Looks at another channel; 0 or -1. */
static int search_go(struct bound_search *search, uint32_t channel, struct err *err)
{
    search->early.channel = search->late.channel = channel;
    most_fini(&search->most);
    return most_init(&search->most, search->workload, channel, err);
}

static void search_fini(struct bound_search *search)
{
    free(search->delays);
    most_fini(&search->most);
    demand_fini(&search->early);
    demand_fini(&search->late);
}

int bounds_find(const struct workload *workload, struct bounds *bounds, struct err *err)
{
    struct bound_search search;
    int status = search_init(&search, workload, err);
    *bounds = (struct bounds){NAN, NAN, NAN, NAN};
    /* A yield, or an end, that is out of reach on any channel is so for all of them. */
    for (uint32_t s = 0; status == 0 && s < workload_channels(workload); s++) {
        if ((status = search_go(&search, s, err)) != 0)
            break;
        bounds->min_yield = fmin(bounds->min_yield, bound_min_yield(&search));
        if (workload->window.kind != WINDOW_FIXED)
            bounds->makespan = fmax(bounds->makespan, bound_makespan(&search));
    }
    if (status == 0 && workload->window.kind == WINDOW_FIXED)
        status = bounds_efficiency(workload, 0, &bounds->efficiency, err);
    else if (status == 0) {
        double progress = 0, first = INFINITY;
        bounds->max_stretch = 1 / bounds->min_yield;
        for (uint32_t id = 0; id < workload->count; id++) {
            progress += workload->apps[id].facts.nodes * app_ideal(&workload->apps[id]);
            first = maths_min(first, app_start(&workload->apps[id]));
        }
        double held = workload->occupancy.nodes * (bounds->makespan - first);
        bounds->efficiency = maths_min(1, progress / held);
    }
    search_fini(&search);
    return status;
}

struct weir_metrics bounds_as_metrics(const struct bounds *bounds)
{
#define X(name, unit, sense, help) .name = NAN,
    struct weir_metrics metrics = {WEIR_METRICS(X)};
#undef X
    metrics.min_yield = bounds->min_yield;
    metrics.efficiency = bounds->efficiency;
    metrics.makespan = bounds->makespan;
    metrics.max_stretch = bounds->max_stretch;
    return metrics;
}

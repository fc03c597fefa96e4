#include "policy/pacing.h"
#include "base/maths.h"
#include "policy/habit.h"
#include <float.h>

/* A mean is that of about as many of the last iterations: habits may change. */
#define PACING_MEMORY 32

/* Means that have moved by this part of an iteration ask for other rates; so do other applications.
 */
#define PACING_MOVED 0.01
#define PACING_USES  16

/* Applications whose means differ by less are of one kind. */
#define PACING_ALIKE 0.1

/* The part of a delay that the next I/O makes up for. */
#define PACING_CATCH 0.9

/* Work that is less than this part of an iteration counts as such: an application without work
 * gains nothing, and would never be served. */
#define PACING_LEAST 1e-3

/* An I/O of less than this part of the mean is part of the work: live, a program may write a line
 * between two checkpoints. */
#define PACING_CRUMB 0.01

/* The most kinds that an application is compared with. */
enum { PACING_KINDS = 16 };

void pacing_init(struct pacing *pacing, void *room, uint32_t capacity)
{
    pacing->pacers = room;
    pacing->items = (struct greedy_item *)(pacing->pacers + capacity);
    pacing->here = (uint32_t *)(pacing->items + capacity);
}

/* --- rates ------------------------------------------------------------------------------------ */

static double pacing_gain(const struct pacer *pacer, const struct weir_app *app)
{
    return app->nodes * maths_max(pacer->work, PACING_LEAST * pacing_ideal(pacer, app));
}

/* Sorts the applications by decreasing p w / v into the items; returns the bandwidth that they
 * would use at their full rates. */
static double pacing_sort(struct pacing *pacing, const struct weir_view *view)
{
    uint32_t left = pacing->count;
    double demand = 0;
    for (uint32_t i = 0; i < left; i++) {
        uint32_t id = pacing->here[i];
        const struct pacer *pacer = &pacing->pacers[id];
        const struct weir_app *app = view->runs[id].app;
        demand += pacer->volume / pacing_ideal(pacer, app);
        pacing->items[i] =
            (struct greedy_item){.key = -pacing_gain(pacer, app) / pacer->volume, .app = id};
    }
    greedy_heapify(pacing->items, left);
    while (left > 0) { /* from the end, which the heap leaves free */
        struct greedy_item first = greedy_pop(pacing->items, &left);
        pacing->items[left] = first;
    }
    return demand;
}

static bool pacing_is_same_kind(const struct pacing *pacing, const struct weir_view *view,
                                uint32_t a, uint32_t b)
{
    const struct weir_app *one = view->runs[a].app, *other = view->runs[b].app;
    const struct pacer *x = &pacing->pacers[a], *y = &pacing->pacers[b];
    return one->nodes == other->nodes && one->bmax == other->bmax &&
           habit_is_like((struct iterated){x->work, x->volume},
                         (struct iterated){y->work, y->volume}, one->bmax, PACING_ALIKE);
}

/* Adds an application with its yield to its kind, one of the last few; or to one of its own. */
static void pacing_unite(struct pacing *pacing, const struct weir_view *view, uint32_t id,
                         double yield)
{
    struct pacer *pacer = &pacing->pacers[id];
    uint32_t kinds = 0, kind = id, last = UINT32_MAX;
    pacer->yields = 0;
    pacer->members = 0;
    for (uint32_t i = pacing->count; i-- > 0 && kinds < PACING_KINDS && kind == id;) {
        uint32_t other = pacing->items[i].app;
        if (pacing->items[i].rank == 0 || pacing->pacers[other].kind == last)
            continue;
        last = pacing->pacers[other].kind;
        kinds++;
        if (pacing_is_same_kind(pacing, view, last, id))
            kind = last;
    }
    pacer->kind = kind;
    pacing->pacers[kind].yields += yield;
    pacing->pacers[kind].members++;
}

/* The most that those who are there can move together, each taken to have their mean bmax. */
static double pacing_bandwidth(const struct pacing *pacing, const struct weir_view *view)
{
    double total = 0, best = 0;
    if (!view->curve)
        return view->bandwidth;
    for (uint32_t i = 0; i < pacing->count; i++)
        total += view->runs[pacing->here[i]].app->bmax;
    for (uint32_t k = 1; k <= pacing->count; k++)
        best = maths_max(best, maths_min(total * k / pacing->count, weir_bandwidth(view, k)));
    return best;
}

static void pacing_solve(struct pacing *pacing, const struct weir_view *view)
{
    double bandwidth = pacing_bandwidth(pacing, view);
    if (!(bandwidth > 0)) /* an outage: until it is over, all wait */
        return;
    double demand = pacing_sort(pacing, view);
    double most = pacing->limit * maths_max(1, demand / bandwidth);
    double left = bandwidth - demand / most;
    /* The largest gain is last. Those that have their yield are marked by their ranks. */
    for (uint32_t i = pacing->count; i-- > 0;) {
        uint32_t id = pacing->items[i].app;
        const struct pacer *pacer = &pacing->pacers[id];
        double full = pacer->volume / pacing_ideal(pacer, view->runs[id].app);
        double more = maths_min(full * (1 - 1 / most), maths_max(left, 0));
        left -= more;
        pacing_unite(pacing, view, id, 1 / most + more / full);
        pacing->items[i].rank = 1;
    }
    for (uint32_t i = 0; i < pacing->count; i++) {
        struct pacer *pacer = &pacing->pacers[pacing->here[i]];
        const struct pacer *kind = &pacing->pacers[pacer->kind];
        pacer->length =
            pacing_ideal(pacer, view->runs[pacing->here[i]].app) * kind->members / kind->yields;
        pacer->solved_work = pacer->work;
        pacer->solved_volume = pacer->volume;
    }
    pacing->stale = pacing->changed = false;
    pacing->uses = pacing->count / PACING_USES;
}

/* Finds other rates, if they are asked for and not too often. */
static void pacing_refresh(struct pacing *pacing, const struct weir_view *view)
{
    if (pacing->changed || (pacing->stale && pacing->uses == 0))
        pacing_solve(pacing, view);
}

/* --- what happens ----------------------------------------------------------------------------- */

void pacing_joined(struct pacing *pacing, const struct weir_view *view, uint32_t app)
{
    pacing->pacers[app] = (struct pacer){.posted = -INFINITY, .done = view->runs[app].done_work};
}

static void pacing_admit(struct pacing *pacing, uint32_t app)
{
    pacing->here[pacing->count++] = app;
    pacing->pacers[app].place = pacing->count;
    pacing->changed = true;
}

void pacing_left(struct pacing *pacing, uint32_t app)
{
    uint32_t place = pacing->pacers[app].place;
    if (place == 0)
        return;
    uint32_t last = pacing->here[--pacing->count];
    pacing->here[place - 1] = last;
    pacing->pacers[last].place = place;
    pacing->pacers[app].place = 0;
    pacing->changed = true;
}

void pacing_posted(struct pacing *pacing, const struct weir_view *view, uint32_t app)
{
    struct pacer *pacer = &pacing->pacers[app];
    const struct weir_run *run = &view->runs[app];
    if (pacer->posted == run->posted) /* the same I/O goes on */
        return;
    pacer->posted = run->posted;
    if (pacer->count == 0) { /* all that is known */
        pacer->work = run->done_work + run->work - pacer->done;
        pacer->volume = run->volume;
    }
    if (pacer->place == 0)
        pacing_admit(pacing, app);
    if (pacing->uses > 0)
        pacing->uses--;
    /* While all fit nobody is asked to wait, and rates do not matter. */
    if (view->active_bmax > weir_bandwidth(view, view->active_count))
        pacing_refresh(pacing, view);
    double io = pacing_io(pacer, run->app);
    pacer->deadline = run->posted + maths_max(pacer->length - pacer->work, io) +
                      (run->volume - pacer->volume) / run->app->bmax - PACING_CATCH * pacer->lag;
}

bool pacing_completed(struct pacing *pacing, const struct weir_view *view, uint32_t app)
{
    struct pacer *pacer = &pacing->pacers[app];
    const struct weir_run *run = &view->runs[app];
    if (run->remaining > 0) /* it only pauses */
        return true;
    if (pacer->count > 0 && run->volume < PACING_CRUMB * pacer->volume)
        return false;
    double done = run->done_work + run->work;
    double part = 1 / maths_min(++pacer->count, PACING_MEMORY);
    pacer->work += part * (done - pacer->done - pacer->work);
    pacer->volume += part * (run->volume - pacer->volume);
    pacer->done = done;
    pacer->lag = maths_max(view->now - pacer->deadline, 0);
    if (!habit_is_like((struct iterated){pacer->solved_work, pacer->solved_volume},
                       (struct iterated){pacer->work, pacer->volume}, run->app->bmax, PACING_MOVED))
        pacing->stale = true;
    return true;
}

/* --- serving ---------------------------------------------------------------------------------- */

double pacing_key(const struct weir_view *view, const struct weir_run *run,
                  const struct pacer *pacer, double patience)
{
    const struct weir_app *app = run->app;
    double rest = maths_max(weir_expected(view, run), DBL_MIN);
    double slack = pacer->deadline - view->now - rest / app->bmax;
    return slack / (patience * pacing_ideal(pacer, app)) -
           maths_log(pacing_gain(pacer, app) / (pacer->length * rest));
}

void pacing_serve(struct pacing *pacing, const struct weir_view *view, struct weir_grants *grants)
{
    if (greedy_grant_all(view, grants))
        return;
    /* They may have come to compete without a post, as when the bandwidth has changed. */
    if (pacing->changed)
        pacing_solve(pacing, view);
    for (uint32_t i = 0; i < view->active_count; i++) {
        uint32_t id = view->active[i];
        pacing->items[i] = (struct greedy_item){
            .key = pacing_key(view, &view->runs[id], &pacing->pacers[id], pacing->patience),
            .app = id};
    }
    greedy_serve(view, grants, pacing->items, view->active_count);
}

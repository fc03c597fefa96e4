/* The bound on Efficiency.
 *
 * At a time x the queue of bound.c holds Q(x) bytes. So any schedule has lost l_i seconds of each
 * application i by then such that the sum of A_i(x) - A_i(x - l_i) is at least Q(x). What is lost
 * costs nodes * l_i of node time, apart from what an application could lose and still end within
 * the window. The least cost is that of a fractional knapsack once each A_i(x) - A_i(x - l), a
 * staircase in l, is replaced by its concave envelope, which is never below it: take the pieces of
 * all envelopes by bytes per node second until Q(x) is reached. Every x gives a bound; the best of
 * a few is taken. */
#include "base/mem.h"
#include "bound/bound.h"
#include "bound/queue.h"
#include <stdlib.h>
#include <string.h>

/* Times that are looked at, evenly over the window. */
enum { SAMPLES = 128 };

/* A straight piece of an envelope. */
struct hull_piece {
    double bytes, cost; /* node seconds */
};

struct vertex {
    double lost, bytes;
};

/* Where an application is, alone, `since` seconds after its start. */
struct hull_place {
    uint32_t iteration;
    double begun; /* when that iteration began */
};

struct envelopes {
    const struct workload *workload;
    double end, min_yield;
    struct hull_place *places;
    struct vertex *hull; /* of one application */
    struct hull_piece *pieces;
    size_t count, capacity;
    uint32_t channel; /* whose bytes are to be lost */
    struct most most;
};

static double envelope_length(const struct app *app, uint32_t k, struct iteration iteration)
{
    return iteration.work + iteration.volume / app_bmax(app, k);
}

static void place_advance(const struct app *app, struct hull_place *place, double since)
{
    while (place->iteration + 1 < app->facts.iterations) {
        double length =
            envelope_length(app, place->iteration, app_iteration(app, place->iteration));
        if (place->begun + length > since)
            return;
        place->begun += length;
        place->iteration++;
    }
}

/* Adds a vertex further right, and drops those that it leaves below the envelope. */
static uint32_t hull_add(struct vertex *hull, uint32_t count, struct vertex next)
{
    while (count > 1) {
        struct vertex a = hull[count - 2], b = hull[count - 1];
        if ((b.bytes - a.bytes) * (next.lost - b.lost) > (next.bytes - b.bytes) * (b.lost - a.lost))
            break;
        count--;
    }
    hull[count] = next;
    return count + 1;
}

/* The envelope of the bytes that the application demands alone in the last l seconds before
 * `since`, for l up to `most`: walked backwards, I/O by I/O. */
static uint32_t hull_build(const struct envelopes *all, uint32_t id, double since, double most)
{
    const struct app *app = &all->workload->apps[id];
    struct hull_place place = all->places[id];
    struct vertex *hull = all->hull;
    double bytes = 0, lost = 0;
    uint32_t count = hull_add(hull, 0, (struct vertex){0, 0});
    for (uint32_t k = place.iteration; lost < most; k--) {
        struct iteration now = app_iteration(app, k);
        double whole = envelope_length(app, k, now);
        double length = k == place.iteration ? since - place.begun : whole;
        length = maths_min(length, whole);
        /* After the end of the last iteration nothing is demanded. */
        if (k == place.iteration)
            lost += maths_max(0, since - place.begun - length);
        double io = maths_min(maths_max(0, length - now.work), maths_max(0, most - lost));
        bool counts = app_channel(app, k) == all->channel;
        bytes += counts ? io * app_bmax(app, k) : 0;
        if (io > 0 && counts)
            count = hull_add(hull, count, (struct vertex){lost + io, bytes});
        lost += length;
        if (k == 0)
            break;
    }
    return count;
}

static int envelope_store(struct envelopes *all, const struct vertex *hull, uint32_t count,
                          double nodes)
{
    struct hull_piece *pieces =
        mem_reserve(all->pieces, &all->capacity, all->count + count, sizeof *pieces);
    if (!pieces)
        return -1;
    all->pieces = pieces;
    for (uint32_t i = 1; i < count; i++)
        all->pieces[all->count++] = (struct hull_piece){hull[i].bytes - hull[i - 1].bytes,
                                                        nodes * (hull[i].lost - hull[i - 1].lost)};
    return 0;
}

/* Adds the envelope of an application at the time x; *bytes, which are to be lost, become less by
 * what it can lose for nothing. */
static int envelope_add(struct envelopes *all, uint32_t id, double x, double *bytes)
{
    const struct app *app = &all->workload->apps[id];
    double start = app_start(app), since = x - start;
    double budget = all->min_yield > 0 ? bound_budget(all->workload, id, all->min_yield) : INFINITY;
    double spare = maths_max(0, all->end - start - app_ideal(app));
    double most = maths_min(budget, since), slack = maths_min(spare, most);
    if (since <= 0 || most <= 0)
        return 0;
    place_advance(app, &all->places[id], since);
    uint32_t count = hull_build(all, id, since, most);
    /* What lies within the slack is free: cut the envelope there. */
    uint32_t first = 1;
    struct vertex cut = all->hull[0];
    for (; first < count && all->hull[first].lost <= slack; first++)
        cut = all->hull[first];
    if (first < count && slack > cut.lost) {
        struct vertex next = all->hull[first];
        cut.bytes += (next.bytes - cut.bytes) * (slack - cut.lost) / (next.lost - cut.lost);
        cut.lost = slack;
    }
    *bytes -= cut.bytes;
    all->hull[first - 1] = cut;
    return envelope_store(all, all->hull + first - 1, count - first + 1, app->facts.nodes);
}

static int envelope_compare(const void *a, const void *b)
{
    const struct hull_piece *x = a, *y = b;
    double left = x->bytes * y->cost, right = y->bytes * x->cost;
    return (left < right) - (left > right);
}

/* The least node seconds that are lost by the time x, at which the queue holds `bytes`; INFINITY =
 * the yield is out of reach; NAN = memory is out. */
static double envelope_cost(struct envelopes *all, double x, double bytes)
{
    double cost = 0, slack = 1e-9 * bytes;
    all->count = 0;
    for (uint32_t id = 0; id < all->workload->count; id++)
        if (envelope_add(all, id, x, &bytes) != 0)
            return NAN;
    if (all->count > 0)
        qsort(all->pieces, all->count, sizeof *all->pieces, envelope_compare);
    for (size_t i = 0; i < all->count && bytes > 0; i++) {
        struct hull_piece piece = all->pieces[i];
        cost += piece.bytes > bytes ? piece.cost * (bytes / piece.bytes) : piece.cost;
        bytes -= piece.bytes;
    }
    return bytes > slack ? INFINITY : cost;
}

static int envelopes_init(struct envelopes *all, const struct workload *workload, double min_yield)
{
    uint32_t most = 0;
    *all = (struct envelopes){
        .workload = workload, .end = bound_end(workload), .min_yield = min_yield};
    for (uint32_t id = 0; id < workload->count; id++)
        if (workload->apps[id].facts.iterations > most)
            most = workload->apps[id].facts.iterations;
    all->places = mem_alloc(workload->count, sizeof *all->places);
    all->hull = mem_alloc((size_t)most + 1, sizeof *all->hull);
    return all->places && all->hull ? 0 : -1;
}

static void envelopes_fini(struct envelopes *all)
{
    free(all->places);
    free(all->hull);
    free(all->pieces);
    most_fini(&all->most);
}

/* The largest of the costs at the sampled times; NAN = memory is out. */
static double envelopes_most(struct envelopes *all, struct demand_walk *demand)
{
    double most = 0;
    all->channel = demand->channel;
    most_fini(&all->most);
    if (most_init(&all->most, all->workload, demand->channel, NULL) != 0)
        return NAN;
    struct queue queue = queue_start(&all->most);
    memset(all->places, 0, all->workload->count * sizeof *all->places);
    demand_rewind(demand);
    for (int i = 1; i <= SAMPLES; i++) {
        double x = all->end * i / SAMPLES;
        for (double next; (next = demand_next(demand)) <= x; demand_step(demand))
            queue_pass(&queue, demand_rate(demand), next);
        queue_pass(&queue, demand_rate(demand), x);
        double cost = queue.backlog > 0 ? envelope_cost(all, x, queue.backlog) : 0;
        if (isnan(cost))
            return NAN;
        most = maths_max(most, cost);
    }
    return most;
}

int bounds_efficiency(const struct workload *workload, double min_yield, double *efficiency,
                      struct err *err)
{
    struct envelopes all = {0};
    struct demand_walk demand = {0};
    double gain = 0, lost = 0, end = bound_end(workload);
    *efficiency = NAN;
    if (workload->window.kind != WINDOW_FIXED || workload->window.start > 0)
        return 0;
    if (envelopes_init(&all, workload, min_yield) != 0 || demand_init(&demand, workload, NULL) != 0)
        lost = NAN;
    /* Not their sum: a second that is lost delays the demand on all channels. */
    for (; !isnan(lost) && demand.channel < workload_channels(workload); demand.channel++) {
        double cost = envelopes_most(&all, &demand);
        lost = isnan(cost) ? NAN : maths_max(lost, cost);
    }
    envelopes_fini(&all);
    demand_fini(&demand);
    if (isnan(lost))
        return err_memory(err);
    for (uint32_t id = 0; id < workload->count; id++) {
        const struct app *app = &workload->apps[id];
        double there = maths_max(0, end - app_start(app));
        gain += app->facts.nodes * maths_min(there, app_ideal(app));
    }
    if (lost < INFINITY)
        *efficiency = maths_min(1, (gain - lost) / (workload->occupancy.nodes * end));
    return 0;
}

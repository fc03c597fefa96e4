#include "answer/lengths.h"
#include "base/mem.h"
#include <math.h>
#include <stdlib.h>

/* Where an application is. */
struct lengths_place {
    size_t first;    /* of its I/Os in the list */
    uint32_t next;   /* iteration whose I/O is posted next */
    uint32_t within; /* iteration whose I/O is under way, if `posted` is not NAN */
    double posted;
    double sum; /* of all that have ended */
};

struct lengths {
    const struct workload *workload;
    struct lengths_place *places;
    double *list; /* of all iterations of all applications that store each */
};

/* A periodic application stores a single iteration: only the sum is kept. */
static bool lengths_are_kept(const struct app *app)
{
    return app->stride > 0;
}

struct lengths *lengths_new(const struct workload *workload, struct err *err)
{
    struct lengths *lengths = mem_alloc(1, sizeof *lengths);
    size_t count = 0;
    if (!lengths) {
        err_memory(err);
        return NULL;
    }
    lengths->workload = workload;
    lengths->places = mem_alloc(workload->count, sizeof *lengths->places);
    for (uint32_t id = 0; lengths->places && id < workload->count; id++) {
        lengths->places[id] = (struct lengths_place){.first = count, .posted = NAN};
        count += lengths_are_kept(&workload->apps[id]) ? workload->apps[id].facts.iterations : 0;
    }
    lengths->list = mem_alloc(count, sizeof *lengths->list);
    if (lengths->places && lengths->list) {
        for (size_t i = 0; i < count; i++)
            lengths->list[i] = NAN;
        return lengths;
    }
    err_memory(err);
    lengths_free(lengths);
    return NULL;
}

void lengths_free(struct lengths *lengths)
{
    if (!lengths)
        return;
    free(lengths->places);
    free(lengths->list);
    free(lengths);
}

static void lengths_leave(void *context, double now, uint32_t id)
{
    struct lengths *lengths = context;
    struct lengths_place *place = &lengths->places[id];
    if (isnan(place->posted))
        return;
    double length = now - place->posted;
    if (lengths_are_kept(&lengths->workload->apps[id]))
        lengths->list[place->first + place->within] = length;
    place->sum += length;
    place->posted = NAN;
}

/* The next iteration that has an I/O. */
static uint32_t lengths_next(const struct app *app, uint32_t k)
{
    while (lengths_are_kept(app) && k + 1 < app->facts.iterations &&
           !(app_iteration(app, k).volume > 0))
        k++;
    return k;
}

static void lengths_enter(void *context, double now, struct segment next)
{
    struct lengths *lengths = context;
    struct lengths_place *place = &lengths->places[next.app];
    const struct app *app = &lengths->workload->apps[next.app];
    lengths_leave(context, now, next.app); /* whatever comes next, the I/O before it has ended */
    if (next.kind == SEGMENT_WORK || place->next >= app->facts.iterations)
        return;
    place->within = lengths_next(app, place->next);
    place->next = place->within + 1;
    place->posted = now;
}

struct watcher lengths_watcher(struct lengths *lengths)
{
    return (struct watcher){
        .enter = lengths_enter, .leave = lengths_leave, .context = lengths, .coarse = true};
}

double lengths_of(const struct lengths *lengths, const struct observed_io *io)
{
    const struct lengths_place *place = &lengths->places[io->app];
    const struct app *app = &lengths->workload->apps[io->app];
    if (io->totals || !lengths_are_kept(app))
        return place->sum;
    return io->iteration < app->facts.iterations ? lengths->list[place->first + io->iteration]
                                                 : NAN;
}

#include "bound/optimum_states.h"
#include "base/maths.h"
#include "base/mem.h"
#include "bound/bound.h"
#include <stdlib.h>
#include <string.h>

/* Times that differ by less than this part of the longest are the same. */
#define INSTANT 1e-10

/* The most bytes for the states on the way. */
#define MOST_MEMORY (256u << 20)

/* --- the I/Os of a yield ---------------------------------------------------------------------- */

/* What is due of the I/O that begins at `start` alone and may be this late; its length is 0 if
 * nothing is. */
static struct optimum_io optimum_due(const struct optimum_states *states, double start,
                                     double length, double late)
{
    struct optimum_io io = {start, length, start + length + late};
    if (io.due > states->end) {
        io.length = maths_max(0, states->end - late - start);
        io.due = states->end;
    }
    return io;
}

static void optimum_aim_app(struct optimum_states *states, uint32_t id, double late)
{
    const struct app *app = &states->workload->apps[id];
    struct optimum_chain *chain = &states->chains[id];
    double now = app_start(app);
    chain->count = 0;
    for (uint32_t k = 0; k < app->facts.iterations; k++) {
        struct iteration it = app_iteration(app, k);
        double length = it.volume / states->workload->platform.bandwidth;
        struct optimum_io io = optimum_due(states, now + it.work, length, late);
        now += it.work + length;
        if (io.length > 0)
            chain->ios[chain->count++] = io;
        if (io.due >= states->end)
            return; /* nothing after it is due */
    }
}

bool optimum_aim(struct optimum_states *states, double y)
{
    for (uint32_t id = 0; id < states->count; id++) {
        double late = bound_budget(states->workload, id, y);
        if (late < 0)
            return false;
        optimum_aim_app(states, id, late);
    }
    return true;
}

/* --- states ----------------------------------------------------------------------------------- */

struct optimum_level *optimum_level(const struct optimum_states *states)
{
    return &states->levels[states->depth];
}

struct optimum_place *optimum_places(const struct optimum_states *states)
{
    return &states->places[states->depth * states->count];
}

const struct optimum_io *optimum_io(const struct optimum_states *states,
                                    const struct optimum_place *place, uint32_t id)
{
    const struct optimum_chain *chain = &states->chains[id];
    return place->next < chain->count ? &chain->ios[place->next] : NULL;
}

double optimum_progress(const struct optimum_states *states, const struct optimum_place *place,
                        uint32_t id, double now)
{
    const struct optimum_io *io = optimum_io(states, place, id);
    if (!io)
        return INFINITY;
    return place->active ? io->start + io->length - place->left : io->start - (place->at - now);
}

void optimum_start(struct optimum_states *states)
{
    states->depth = 0;
    *optimum_level(states) = (struct optimum_level){0};
    for (uint32_t id = 0; id < states->count; id++) {
        struct optimum_place *place = &optimum_places(states)[id];
        *place = (struct optimum_place){0};
        const struct optimum_io *io = optimum_io(states, place, id);
        place->at = io ? io->start : INFINITY;
    }
}

int optimum_push(struct optimum_states *states)
{
    size_t need = states->depth + 2, places = need * states->count;
    if (places > MOST_MEMORY / sizeof *states->places)
        return -1;
    struct optimum_level *levels =
        mem_reserve(states->levels, &states->levels_capacity, need, sizeof *levels);
    states->levels = levels ? levels : states->levels;
    struct optimum_place *list =
        mem_reserve(states->places, &states->places_capacity, places, sizeof *list);
    states->places = list ? list : states->places;
    if (!levels || !list)
        return -1;
    levels[states->depth + 1] = levels[states->depth];
    memcpy(&list[(states->depth + 1) * states->count], &list[states->depth * states->count],
           states->count * sizeof *list);
    states->depth++;
    return 0;
}

bool optimum_settle(struct optimum_states *states, uint64_t *active, double *soonest)
{
    struct optimum_level *level = optimum_level(states);
    for (;;) {
        *active = 0;
        *soonest = INFINITY;
        for (uint32_t id = 0; id < states->count; id++) {
            struct optimum_place *place = &optimum_places(states)[id];
            const struct optimum_io *io = optimum_io(states, place, id);
            if (!io)
                continue;
            if (!place->active && place->at <= level->now + states->instant) {
                place->active = true;
                place->left = io->length;
                place->after = 0;
            }
            if (place->active)
                *active |= UINT64_C(1) << id;
            else
                *soonest = maths_min(*soonest, place->at);
        }
        if (*active || *soonest == INFINITY)
            return *active;
        level->now = *soonest;
    }
}

void optimum_serve(struct optimum_states *states, uint32_t id, double soonest)
{
    struct optimum_level *level = optimum_level(states);
    struct optimum_place *places = optimum_places(states), *place = &places[id];
    uint64_t self = UINT64_C(1) << id;
    double until = maths_min(soonest, level->now + place->left);
    place->left -= until - level->now;
    level->now = until;
    level->open = false;
    bool ends = place->left <= states->instant;
    for (uint32_t other = 0; other < states->count; other++)
        places[other].after = ends ? places[other].after & ~self : places[other].after | self;
    place->after &= ~self;
    if (!ends)
        return;
    const struct optimum_io *io = optimum_io(states, place, id);
    double lost = until - (io->start + io->length);
    place->active = false;
    place->next++;
    io = optimum_io(states, place, id);
    place->at = io ? io->start + lost : INFINITY;
}

/* --- making and freeing ----------------------------------------------------------------------- */

int optimum_states_init(struct optimum_states *states, const struct workload *workload,
                        struct err *err)
{
    uint32_t count = workload->count;
    size_t ios = 0;
    double last = 0;
    *states =
        (struct optimum_states){.workload = workload, .count = count, .end = bound_end(workload)};
    for (uint32_t id = 0; id < count; id++) {
        ios += workload->apps[id].facts.iterations;
        last = maths_max(last, app_start(&workload->apps[id]) + app_ideal(&workload->apps[id]));
    }
    states->instant = INSTANT * maths_min(states->end, last);
    states->chains = mem_alloc(count, sizeof *states->chains);
    states->ios = mem_alloc(ios, sizeof *states->ios);
    states->levels = mem_reserve(NULL, &states->levels_capacity, 1, sizeof *states->levels);
    states->places = mem_reserve(NULL, &states->places_capacity, count, sizeof *states->places);
    if (!states->chains || !states->ios || !states->levels || !states->places)
        return err_memory(err);
    struct optimum_io *room = states->ios;
    for (uint32_t id = 0; id < count; room += workload->apps[id++].facts.iterations)
        states->chains[id].ios = room;
    return 0;
}

void optimum_states_fini(struct optimum_states *states)
{
    free(states->chains);
    free(states->ios);
    free(states->levels);
    free(states->places);
}

/* Branch and bound over schedules.
 *
 * For a given yield y, application i may lose D_i(y) seconds. So each of its I/Os is due D_i(y)
 * after it would end alone, and of one that would reach beyond the end of the window only a part is
 * due at that end. The question is whether a schedule meets all of these; bisection over y does the
 * rest.
 *
 * Schedules that serve one I/O at a time and decide only when one is posted or ends are enough, and
 * the one that is served is that of all active ones which ends first: an exchange of bytes makes
 * any other schedule such a one, and no I/O ends later (docs/explanation/bounds.md). So once an I/O was
 * preferred to another, the other is not served before it ends.
 *
 * A state is out of the question if earliest-deadline-first misses a deadline although every later
 * I/O is posted as early as it still can be; or if one was that had made as much progress in all
 * applications by the same time. */
#include "bound/optimum.h"
#include "base/maths.h"
#include "base/mem.h"
#include "bound/bound.h"
#include "bound/optimum_failures.h"
#include "bound/optimum_states.h"
#include <stdlib.h>

/* How often the caller hears of the progress, in decisions. */
enum { PROGRESS_EVERY = 4096 };

struct optimum_search {
    struct optimum_states states;
    struct optimum_failures failures;
    /* What may still happen to one of the states, and the delay of each application at least. */
    struct optimum_place *future;
    double *delays;
    const struct optimum_effort *effort;
    uint64_t nodes, most; /* of this question, */
    uint64_t before;      /* and of those before it */
};

enum optimum_answer { OPTIMUM_NO, OPTIMUM_YES, OPTIMUM_UNKNOWN };

/* --- what cannot succeed ---------------------------------------------------------------------- */

/* Fills in what may still happen at best: each I/O is posted as if nothing but what has been lost
 * so far delayed those before it. */
static void optimum_hope(struct optimum_search *search)
{
    double now = optimum_level(&search->states)->now;
    for (uint32_t id = 0; id < search->states.count; id++) {
        struct optimum_place place = optimum_places(&search->states)[id];
        const struct optimum_io *io = optimum_io(&search->states, &place, id);
        search->future[id] = place;
        if (!io)
            continue;
        if (!place.active)
            search->future[id].left = io->length;
        else
            search->future[id].at = now;
        double ends = search->future[id].at + search->future[id].left;
        search->delays[id] = ends - (io->start + io->length);
    }
}

/* The I/O that is due first of those that are posted, or UINT32_MAX; when the next one is. */
static uint32_t optimum_first_due(const struct optimum_search *search, double now, double *soonest)
{
    uint32_t first = UINT32_MAX;
    double due = INFINITY;
    *soonest = INFINITY;
    for (uint32_t id = 0; id < search->states.count; id++) {
        const struct optimum_place *place = &search->future[id];
        const struct optimum_io *io = optimum_io(&search->states, place, id);
        if (io && place->at > now + search->states.instant) {
            *soonest = maths_min(*soonest, place->at);
        } else if (io && io->due < due) {
            first = id;
            due = io->due;
        }
    }
    return first;
}

/* Whether all that may still happen at best can be in time: earliest deadline first finds out. */
static bool optimum_is_hopeful(struct optimum_search *search)
{
    double now = optimum_level(&search->states)->now, soonest;
    optimum_hope(search);
    for (;;) {
        uint32_t id = optimum_first_due(search, now, &soonest);
        if (id == UINT32_MAX && soonest == INFINITY)
            return true;
        if (id == UINT32_MAX) {
            now = soonest;
            continue;
        }
        struct optimum_place *place = &search->future[id];
        double until = maths_min(soonest, now + place->left);
        place->left -= until - now;
        now = until;
        if (now + place->left >
            optimum_io(&search->states, place, id)->due + search->states.instant)
            return false;
        if (place->left > search->states.instant)
            continue;
        place->next++;
        const struct optimum_io *io = optimum_io(&search->states, place, id);
        if (io) {
            place->left = io->length;
            place->at = io->start + search->delays[id];
        }
    }
}

/* --- the search ------------------------------------------------------------------------------- */

/* What can be served: active ones that none of the others has been preferred to. */
static uint64_t optimum_choices(const struct optimum_search *search, uint64_t active)
{
    uint64_t choices = 0;
    for (uint32_t id = 0; id < search->states.count; id++)
        if ((active >> id & 1) && !(optimum_places(&search->states)[id].after & active))
            choices |= UINT64_C(1) << id;
    return choices;
}

/* Of these, the one that is due first. */
static uint32_t optimum_choose(const struct optimum_search *search, uint64_t choices)
{
    uint32_t first = UINT32_MAX;
    double due = INFINITY;
    for (uint32_t id = 0; id < search->states.count; id++) {
        const struct optimum_io *io =
            optimum_io(&search->states, &optimum_places(&search->states)[id], id);
        if ((choices >> id & 1) && io->due < due) {
            first = id;
            due = io->due;
        }
    }
    return first;
}

/* Leaves the state that is looked at, which has no schedule. False if that was the root. */
static bool optimum_pop(struct optimum_search *search)
{
    failures_add(&search->failures);
    return search->states.depth-- > 0;
}

/* Whether a schedule has all I/Os in time. */
static enum optimum_answer optimum_search_for(struct optimum_search *search)
{
    uint64_t active;
    double soonest;
    optimum_start(&search->states);
    failures_clear(&search->failures);
    for (;;) {
        struct optimum_level *level = optimum_level(&search->states);
        if (!optimum_settle(&search->states, &active, &soonest))
            return OPTIMUM_YES;
        if (!level->open) {
            if (search->nodes == search->most)
                return OPTIMUM_UNKNOWN;
            if (++search->nodes % PROGRESS_EVERY == 0 && search->effort->progress)
                search->effort->progress(search->effort->context,
                                         (double)(search->before + search->nodes) /
                                             (double)search->effort->most);
            level->open = true;
            level->choices = optimum_choices(search, active);
            if (failures_include(&search->failures) || !optimum_is_hopeful(search))
                level->choices = 0;
        }
        if (level->choices == 0) {
            if (!optimum_pop(search))
                return OPTIMUM_NO;
            continue;
        }
        uint32_t id = optimum_choose(search, level->choices);
        level->choices &= ~(UINT64_C(1) << id);
        /* The last choice needs no copy to return to. */
        if (level->choices != 0 && optimum_push(&search->states) != 0)
            return OPTIMUM_UNKNOWN;
        optimum_serve(&search->states, id, soonest);
    }
}

static enum optimum_answer optimum_allows(struct optimum_search *search, double y)
{
    return optimum_aim(&search->states, y) ? optimum_search_for(search) : OPTIMUM_NO;
}

/* Halves the interval between what is reached and what is not, as long as the search answers; then
 * only what is out of reach can be lowered further, from above. */
static void optimum_narrow(struct optimum_search *search, struct optimum *optimum)
{
    uint64_t most = search->effort->most;
    double unclear = optimum->reached;
    while (optimum->bound - unclear > OPTIMUM_GAP && optimum->nodes < most) {
        double middle = (unclear + optimum->bound) / 2;
        search->nodes = 0;
        search->before = optimum->nodes;
        search->most = (most - optimum->nodes) / 2 + 1; /* some are left for the next question */
        enum optimum_answer answer = optimum_allows(search, middle);
        optimum->nodes += search->nodes;
        if (answer == OPTIMUM_NO)
            optimum->bound = middle;
        else
            unclear = middle;
        if (answer == OPTIMUM_YES)
            optimum->reached = middle;
    }
    optimum->proved = optimum->bound - optimum->reached <= OPTIMUM_GAP;
}

/* --- making and freeing ----------------------------------------------------------------------- */

static int optimum_check(const struct workload *workload, struct err *err)
{
    if (workload->count > OPTIMUM_APPLICATIONS)
        return err_set(err, "%u applications are too many to search, expected at most %d",
                       workload->count, OPTIMUM_APPLICATIONS);
    if (workload_check_one_store(workload, err) != 0)
        return -1;
    if (platform_health(&workload->platform))
        return err_set(err, "schedules on a store whose 'health' varies are not searched");
    for (uint32_t id = 0; id < workload->count; id++)
        if (workload->apps[id].facts.bmax < workload->platform.bandwidth)
            return err_set(err,
                           "application '%s' cannot use the whole bandwidth by itself: schedules "
                           "that give it a part are not searched",
                           workload->apps[id].name);
    return 0;
}

static int optimum_init(struct optimum_search *search, const struct workload *workload,
                        struct err *err)
{
    *search = (struct optimum_search){.future = mem_alloc(workload->count, sizeof *search->future),
                                      .delays = mem_alloc(workload->count, sizeof *search->delays)};
    if (!search->future || !search->delays)
        return err_memory(err);
    return optimum_states_init(&search->states, workload, err) == 0
               ? failures_init(&search->failures, &search->states, err)
               : -1;
}

static void optimum_fini(struct optimum_search *search)
{
    optimum_states_fini(&search->states);
    failures_fini(&search->failures);
    free(search->future);
    free(search->delays);
}

int optimum_find(const struct workload *workload, const struct optimum_effort *effort,
                 struct optimum *optimum, struct err *err)
{
    struct optimum_search search;
    struct bounds bounds;
    *optimum = (struct optimum){.bound = 1};
    if (optimum_check(workload, err) != 0 || bounds_find(workload, &bounds, err) != 0)
        return -1;
    int status = optimum_init(&search, workload, err);
    if (status == 0) {
        optimum->bound = bounds.min_yield;
        optimum->reached = maths_min(effort->reached, bounds.min_yield);
        search.effort = effort;
        optimum_narrow(&search, optimum);
    }
    optimum_fini(&search);
    return status;
}

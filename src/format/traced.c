#include "format/traced.h"
#include "base/maths.h"
#include "base/mem.h"
#include "base/units.h"
#include "format/phases.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A phase ends when it ended; its pauses are work before it. */
static int traced_add_phases(struct import *import, const struct traced *traced,
                             struct phases *phases)
{
    double now = 0;
    for (size_t i = 0; i < traced->bursts.count; i++) {
        const struct burst *burst = &traced->bursts.list[i];
        double work = maths_max(burst->end - now - burst->busy, 0);
        if (phases_add_work(phases, work, import->err) != 0 ||
            phases_add_io(phases, burst->volume, import->err) != 0)
            return -1;
        now = burst->end;
    }
    if (traced->run_time <= now)
        return 0;
    return phases_add_work(phases, traced->run_time - now, import->err);
}

/* The mean while accesses were under way. */
static double traced_pace(const struct bursts *bursts)
{
    double volume = 0, busy = 0;
    for (size_t i = 0; i < bursts->count; i++) {
        volume += bursts->list[i].volume;
        busy += bursts->list[i].busy;
    }
    return busy > 0 ? volume / busy : 0;
}

int traced_add(struct traced *traced, double start, double end, double volume)
{
    traffic_add(&traced->traffic, start, end, volume);
    return bursts_add(&traced->bursts, start, end, volume);
}

/* Divides the phases into pieces of one rate. 0 or -1. */
static int traced_divide(const struct traced *traced, struct traced_way *way, struct import *import)
{
    struct burst *pieces = mem_alloc(TRAFFIC_PARTS, sizeof *pieces);
    struct traced_piece *list = NULL;
    size_t capacity = 0;
    int status = pieces ? 0 : -1;
    for (size_t i = 0; i < traced->bursts.count && status == 0; i++) {
        size_t count =
            traffic_divide(&traced->traffic, &traced->bursts.list[i], pieces, TRAFFIC_PARTS);
        struct traced_piece *more = mem_reserve(list, &capacity, way->pieces + count, sizeof *list);
        status = more ? 0 : -1;
        list = more ? more : list;
        for (size_t k = 0; k < count && status == 0; k++)
            list[way->pieces++] = (struct traced_piece){pieces[k], (uint32_t)i};
    }
    struct traced_piece *kept =
        status == 0 ? arena_alloc(&import->draft.scenario->arena, way->pieces, sizeof *kept) : NULL;
    if (kept && way->pieces)
        memcpy(kept, list, way->pieces * sizeof *kept);
    way->list = kept;
    free(list);
    free(pieces);
    return kept ? 0 : err_memory(import->err);
}

int traced_give(struct traced *traced, struct app_spec *app, struct import *import,
                struct traced_way *way)
{
    struct phases phases = {0};
    *way = (struct traced_way){.accesses = traced->accesses,
                               .gap = {.length = import->options->gap, .above = INFINITY}};
    if (way->gap.length == 0 && bursts_find_gap(&traced->bursts, &way->gap) != 0)
        return err_memory(import->err);
    way->used = maths_max(way->gap.length, traced->bursts.joined);
    bursts_cluster(&traced->bursts, way->used);
    way->phases = traced->bursts.count;
    way->pace = traced_pace(&traced->bursts);
    int status = traced_divide(traced, way, import);
    if (status == 0)
        status = traced_add_phases(import, traced, &phases);
    if (status == 0)
        status = phases_take(&phases, app, &import->draft.scenario->arena, import->err);
    phases_fini(&phases);
    return status;
}

int traced_observe(struct import *import, const struct traced_way *way)
{
    uint32_t app = (uint32_t)import->draft.count - 1;
    double release = import->draft.apps[app].release;
    for (size_t i = 0; i < way->pieces; i++) {
        const struct burst *burst = &way->list[i].burst;
        const struct observed_io io = {.app = app,
                                       .iteration = way->list[i].phase,
                                       .start = release + burst->start,
                                       .end = release + burst->end,
                                       .busy = burst->busy,
                                       .volume = burst->volume};
        if (observed_add(&import->observed, io) != 0)
            return err_memory(import->err);
    }
    return 0;
}

/* A step that does not stand out. */
static bool traced_is_vague(const struct traced_way *way)
{
    return isfinite(way->gap.above) && way->gap.above < 2 * way->gap.below;
}

void traced_note(struct import *import, const struct app_spec *app, const struct traced_way *way)
{
    const struct gap *gap = &way->gap;
    char length[32], below[32], above[32], pace[32], how[256];
    units_print(way->used, UNIT_SECONDS, length, sizeof length);
    units_print(gap->below, UNIT_SECONDS, below, sizeof below);
    units_print(gap->above, UNIT_SECONDS, above, sizeof above);
    units_print(way->pace, UNIT_RATE, pace, sizeof pace);
    if (way->used > gap->length)
        snprintf(how, sizeof how,
                 "apart by more than %s: there are too many shorter pauses to tell them apart",
                 length);
    else if (import->options->gap > 0)
        snprintf(how, sizeof how, "apart by more than %s as asked", length);
    else if (isinf(gap->above))
        snprintf(how, sizeof how, "no pause is longer than %s", length);
    else
        snprintf(how, sizeof how,
                 "apart by more than %s: in between, pauses jump from %s to %s%s (--gap TIME "
                 "chooses another)",
                 length, below, above,
                 traced_is_vague(way) ? ", by less than a factor of 2: the phases are a guess"
                                      : "");
    import_note(import, "%s: %llu accesses at %s in %zu I/O phase%s, %s", app->name,
                (unsigned long long)way->accesses, pace, way->phases, way->phases == 1 ? "" : "s",
                how);
}

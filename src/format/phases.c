#include "format/phases.h"
#include "base/mem.h"
#include "format/draft.h"
#include <stdlib.h>
#include <string.h>

static int begin_iteration(struct phases *phases, struct err *err)
{
    if (phases->count == FORMAT_MAX_ITERATIONS)
        return err_set(err, "more than %d phases", FORMAT_MAX_ITERATIONS);
    void *items =
        mem_reserve(phases->items, &phases->capacity, phases->count + 1, sizeof *phases->items);
    if (!items)
        return err_memory(err);
    phases->items = items;
    phases->items[phases->count++] = (struct iteration){0};
    phases->open = true;
    return 0;
}

int phases_add_work(struct phases *phases, double seconds, struct err *err)
{
    if (!phases->open && begin_iteration(phases, err) != 0)
        return -1;
    phases->items[phases->count - 1].work += seconds;
    return 0;
}

int phases_add_io(struct phases *phases, double bytes, struct err *err)
{
    if (!phases->open && begin_iteration(phases, err) != 0)
        return -1;
    phases->items[phases->count - 1].volume = bytes;
    phases->open = false;
    return 0;
}

/* Room for the places of all, which say nothing at first. */
static uint8_t *phases_reserve_places(struct phases *phases)
{
    size_t before = phases->places_capacity;
    uint8_t *places = mem_reserve(phases->places, &phases->places_capacity, phases->capacity, 1);
    if (places && phases->places_capacity > before)
        memset(places + before, 0, phases->places_capacity - before);
    return places;
}

int phases_add_io_at(struct phases *phases, double bytes, uint8_t place, struct err *err)
{
    if (phases_add_io(phases, bytes, err) != 0)
        return -1;
    if (place == 0 && !phases->places)
        return 0;
    uint8_t *places = phases_reserve_places(phases);
    if (!places)
        return err_memory(err);
    phases->places = places;
    places[phases->count - 1] = place;
    return 0;
}

/* Gives the application the places, if there are any; 0 or -1. */
static int phases_take_places(struct phases *phases, struct app_spec *app, struct arena *arena)
{
    if (!phases->places)
        return 0;
    uint8_t *source = phases_reserve_places(phases);
    struct app_extra *extra = (struct app_extra *)app->extra;
    uint8_t *copy = arena_alloc(arena, phases->count, 1);
    if (!extra)
        app->extra = extra = arena_alloc(arena, 1, sizeof *extra);
    if (!source || !copy || !extra)
        return -1;
    phases->places = source;
    memcpy(copy, source, phases->count);
    extra->places = copy;
    memset(source, 0, phases->places_capacity);
    return 0;
}

int phases_take(struct phases *phases, struct app_spec *app, struct arena *arena, struct err *err)
{
    size_t count = phases->count;
    struct iteration *copy = arena_alloc(arena, count, sizeof *copy);
    if (!copy || phases_take_places(phases, app, arena) != 0)
        return err_memory(err);
    if (count)
        memcpy(copy, phases->items, count * sizeof *copy);
    app->explicit_iterations = copy;
    app->iterations = (uint32_t)count;
    phases->count = 0;
    phases->open = false;
    return 0;
}

void phases_fini(struct phases *phases)
{
    free(phases->items);
    free(phases->places);
    *phases = (struct phases){0};
}

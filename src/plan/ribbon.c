#include "plan/ribbon.h"
#include "base/mem.h"
#include <stdlib.h>
#include <string.h>

/* Two arrays of 512 bytes each: a split moves a few cache lines, and patterns of up to 64 slots are
 * one flat array. */
enum { BLOCK_SLOTS = 64 };

struct ribbon_block {
    uint32_t count;
    double start[BLOCK_SLOTS], free[BLOCK_SLOTS];
};

/* One more block after the last one in use. Blocks of earlier patterns are kept and used again,
 * since a search fills thousands of patterns one after the other. */
static struct ribbon_block *ribbon_new_block(struct ribbon *ribbon)
{
    if (ribbon->count == ribbon->capacity) {
        size_t capacity = ribbon->capacity;
        void *grown =
            mem_reserve(ribbon->blocks, &capacity, ribbon->count + 1, sizeof(*ribbon->blocks));
        if (!grown)
            return NULL;
        ribbon->blocks = grown;
        memset(ribbon->blocks + ribbon->capacity, 0,
               (capacity - ribbon->capacity) * sizeof(*ribbon->blocks));
        ribbon->capacity = capacity;
    }
    struct ribbon_block **place = &ribbon->blocks[ribbon->count];
    if (!*place)
        *place = mem_alloc(1, sizeof(**place));
    if (*place)
        ribbon->count++;
    return *place;
}

void ribbon_reset(struct ribbon *ribbon, double period, double width)
{
    ribbon->period = period;
    ribbon->count = 0;
    ribbon->failed = false;
    struct ribbon_block *block = ribbon_new_block(ribbon);
    if (!block) {
        ribbon->failed = true;
        return;
    }
    block->count = 1;
    block->start[0] = 0;
    block->free[0] = width;
}

void ribbon_fini(struct ribbon *ribbon)
{
    for (size_t i = 0; i < ribbon->capacity; i++)
        free(ribbon->blocks[i]);
    free(ribbon->blocks);
    *ribbon = (struct ribbon){0};
}

struct ribbon_place ribbon_find(const struct ribbon *ribbon, double time)
{
    size_t low = 0, high = ribbon->count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (ribbon->blocks[middle]->start[0] <= time)
            low = middle;
        else
            high = middle;
    }
    const struct ribbon_block *block = ribbon->blocks[low];
    uint32_t first = 0, last = block->count;
    while (last - first > 1) {
        uint32_t middle = (first + last) / 2;
        if (block->start[middle] <= time)
            first = middle;
        else
            last = middle;
    }
    return (struct ribbon_place){low, first};
}

bool ribbon_next(const struct ribbon *ribbon, struct ribbon_place *place)
{
    if (place->slot + 1 < ribbon->blocks[place->block]->count) {
        place->slot++;
        return true;
    }
    if (place->block + 1 == ribbon->count)
        return false;
    place->block++;
    place->slot = 0;
    return true;
}

double ribbon_start(const struct ribbon *ribbon, struct ribbon_place place)
{
    return ribbon->blocks[place.block]->start[place.slot];
}

double ribbon_end(const struct ribbon *ribbon, struct ribbon_place place)
{
    return ribbon_next(ribbon, &place) ? ribbon_start(ribbon, place) : ribbon->period;
}

double ribbon_free(const struct ribbon *ribbon, struct ribbon_place place)
{
    return ribbon->blocks[place.block]->free[place.slot];
}

/* Moves the second half of a full block into a new one after it, as a B-tree does. */
static bool ribbon_halve(struct ribbon *ribbon, size_t index)
{
    struct ribbon_block *upper = ribbon_new_block(ribbon);
    if (!upper) {
        ribbon->failed = true;
        return false;
    }
    memmove(ribbon->blocks + index + 2, ribbon->blocks + index + 1,
            (ribbon->count - index - 2) * sizeof(*ribbon->blocks));
    ribbon->blocks[index + 1] = upper;
    struct ribbon_block *lower = ribbon->blocks[index];
    upper->count = BLOCK_SLOTS / 2;
    lower->count = BLOCK_SLOTS - BLOCK_SLOTS / 2;
    memcpy(upper->start, lower->start + lower->count, upper->count * sizeof(double));
    memcpy(upper->free, lower->free + lower->count, upper->count * sizeof(double));
    return true;
}

/* Cuts a slot in two at a time inside it; returns the second part. */
static struct ribbon_place ribbon_split(struct ribbon *ribbon, struct ribbon_place place,
                                        double time)
{
    if (ribbon->blocks[place.block]->count == BLOCK_SLOTS) {
        /* Out of memory the place does not matter: `failed` makes the whole pattern void. */
        if (!ribbon_halve(ribbon, place.block))
            return (struct ribbon_place){place.block, place.slot + 1};
        uint32_t lower = ribbon->blocks[place.block]->count;
        if (place.slot >= lower)
            place = (struct ribbon_place){place.block + 1, place.slot - lower};
    }
    struct ribbon_block *block = ribbon->blocks[place.block];
    uint32_t after = place.slot + 1, moved = block->count - after;
    memmove(block->start + after + 1, block->start + after, moved * sizeof(double));
    memmove(block->free + after + 1, block->free + after, moved * sizeof(double));
    block->start[after] = time;
    block->free[after] = block->free[place.slot];
    block->count++;
    place.slot = after;
    return place;
}

void ribbon_cut(struct ribbon *ribbon, double time)
{
    struct ribbon_place place = ribbon_find(ribbon, time);
    if (time > ribbon_start(ribbon, place) + RIBBON_SAME &&
        time < ribbon_end(ribbon, place) - RIBBON_SAME)
        ribbon_split(ribbon, place, time);
}

struct ribbon_place ribbon_take(struct ribbon *ribbon, struct ribbon_place place, double from,
                                double to, double rate)
{
    /* The end first: cutting the start first would move the slot that holds the end. */
    if (to < ribbon_end(ribbon, place) - RIBBON_SAME) {
        struct ribbon_place rest = ribbon_split(ribbon, place, to);
        place = (struct ribbon_place){rest.block, rest.slot - 1};
    }
    /* Parts shorter than the tolerance are given away: slots that short would only cost time. */
    if (from > ribbon_start(ribbon, place) + RIBBON_SAME)
        place = ribbon_split(ribbon, place, from);
    ribbon->blocks[place.block]->free[place.slot] -= rate;
    return place;
}

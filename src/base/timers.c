#include "base/timers.h"
#include "base/mem.h"
#include <stdlib.h>

int timers_init(struct timers *timers, uint32_t slots)
{
    *timers = (struct timers){0};
    timers->heap = mem_alloc((size_t)slots + 2, sizeof *timers->heap);
    timers->place = mem_alloc(slots, sizeof *timers->place);
    if (!timers->heap || !timers->place) {
        timers_fini(timers);
        return -1;
    }
    timers->heap[1] = (struct timer){.date = INFINITY};
    return 0;
}

void timers_fini(struct timers *timers)
{
    free(timers->heap);
    free(timers->place);
    *timers = (struct timers){0};
}

static bool timers_before(struct timer a, struct timer b)
{
    return a.date < b.date || (a.date == b.date && a.slot < b.slot);
}

static void timers_put(struct timers *timers, uint32_t place, struct timer timer)
{
    timers->heap[place] = timer;
    timers->place[timer.slot] = place;
}

/* Puts a timer where it belongs on the way up or down from a place that is free for it. */
static void timers_sift(struct timers *timers, uint32_t place, struct timer timer)
{
    struct timer *heap = timers->heap;
    for (; place > 1 && timers_before(timer, heap[place / 2]); place /= 2)
        timers_put(timers, place, heap[place / 2]);
    for (uint32_t child; (child = 2 * place) <= timers->count; place = child) {
        child += child < timers->count && timers_before(heap[child + 1], heap[child]);
        if (!timers_before(heap[child], timer))
            break;
        timers_put(timers, place, heap[child]);
    }
    timers_put(timers, place, timer);
}

static void timers_take(struct timers *timers, uint32_t place)
{
    struct timer last = timers->heap[timers->count--];
    timers->place[timers->heap[place].slot] = 0;
    if (place <= timers->count)
        timers_sift(timers, place, last);
    if (timers->count == 0)
        timers->heap[1] = (struct timer){.date = INFINITY};
}

void timers_set(struct timers *timers, uint32_t slot, double date)
{
    uint32_t place = timers->place[slot];
    if (date < INFINITY)
        timers_sift(timers, place ? place : ++timers->count, (struct timer){date, slot});
    else if (place)
        timers_take(timers, place);
}

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
    timers->heap[1] = (struct timer){.time = INFINITY};
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
    return a.time < b.time || (a.time == b.time && a.slot < b.slot);
}

static void timers_put(struct timers *timers, uint32_t place, struct timer timer)
{
    timers->heap[place] = timer;
    timers->place[timer.slot] = place;
}

/* Makes way for a timer on the way up from a place that is free for it; returns where it may go. */
static inline uint32_t timers_rise(struct timers *timers, uint32_t place, struct timer timer)
{
    struct timer *heap = timers->heap;
    for (; place > 1 && timers_before(timer, heap[place / 2]); place /= 2)
        timers_put(timers, place, heap[place / 2]);
    return place;
}

/* Puts a timer where it belongs on the way up or down from a place that is free for it, in a heap
 * of this many. */
static void timers_sift(struct timers *timers, uint32_t count, uint32_t place, struct timer timer)
{
    struct timer *heap = timers->heap;
    place = timers_rise(timers, place, timer);
    for (uint32_t child; (child = 2 * place) <= count; place = child) {
        child += child < count && timers_before(heap[child + 1], heap[child]);
        if (!timers_before(heap[child], timer))
            break;
        timers_put(timers, place, heap[child]);
    }
    timers_put(timers, place, timer);
}

void timers_clear(struct timers *timers, uint32_t slot)
{
    uint32_t place = timers->place[slot], count = timers->count;
    if (place == 0)
        return;
    timers->place[slot] = 0;
    timers->count = --count;
    if (place <= count)
        timers_sift(timers, count, place, timers->heap[count + 1]);
    else if (count == 0)
        timers->heap[1].time = INFINITY;
}

void timers_set(struct timers *timers, uint32_t slot, double time)
{
    uint32_t place = timers->place[slot];
    struct timer timer = {time, slot};
    if (!(time < INFINITY))
        timers_clear(timers, slot);
    else if (place == 0) /* below the last place there is nothing */
        timers_put(timers, timers_rise(timers, ++timers->count, timer), timer);
    else
        timers_sift(timers, timers->count, place, timer);
}

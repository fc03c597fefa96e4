/* Timers: a time per slot where few slots have one, and at any moment the slot with the earliest.
 *
 * A binary heap of those that are set, equal times going to the lower slot; so a change costs what
 * there is to compare with, not what there could be, unlike in an agenda (base/agenda.h), which is
 * for times that most slots have. Nothing is allocated after timers_init, and memory is touched as
 * timers are set. */
#ifndef WEIR_BASE_TIMERS_H
#define WEIR_BASE_TIMERS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

struct timer {
    double time;
    uint32_t slot;
};

struct timers {
    struct timer *heap; /* from 1 on; the first of none is of slot 0 and never */
    uint32_t *place;    /* by slot: its place in the heap, 0 = not set */
    uint32_t count;
};

/* No timer is set. Returns 0, or -1 when memory is out. */
int timers_init(struct timers *timers, uint32_t slots);
void timers_fini(struct timers *timers);

/* The slot with the earliest time (any slot if none is set), and that time, or INFINITY. */
static inline uint32_t timers_first(const struct timers *timers)
{
    return timers->heap[1].slot;
}
static inline double timers_time(const struct timers *timers)
{
    return timers->heap[1].time;
}

/* Gives a slot a new time; INFINITY takes its time away. */
void timers_set(struct timers *timers, uint32_t slot, double time);

/* Takes a slot's time away, if it has one. */
void timers_clear(struct timers *timers, uint32_t slot);

#endif

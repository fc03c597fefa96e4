/* The cheapest way for an application to do its I/Os, where bandwidth has a price in each slot of
 * time.
 *
 * Time is cut into slots. Alone, the application demands certain bytes in each of its own slots; a
 * delay of k slots moves them to a slot k later. Its delay never falls. Within own slot j, whose
 * delay is k at first and k' at the end, bytes can be moved in the slots j + k to j + k' + 1: one
 * more, since neither begins with its slot. All of them are given the cheapest of these. So no real
 * schedule costs less, and a way is what a schedule does but for one slot. */
#ifndef WEIR_BOUND_WAYS_H
#define WEIR_BOUND_WAYS_H

#include "model/workload.h"
#include <stdint.h>

struct ways {
    uint32_t slots;
    double width;    /* of a slot in seconds */
    double *bytes;   /* [application][own slot], in parts of what B moves in a slot */
    double *prices;  /* [slot], with as many more that are 0: after the last slot all is free */
    double *costs;   /* [delay]: of the own slots so far, with a delay of at most so many slots */
    double *next;    /* the same with one more own slot */
    uint32_t *moves; /* [own slot][delay]: how the cost came about */
};

/* Cuts the time from 0 to `end`. 0, or -1 when memory is out; ways_fini in both cases. */
int ways_init(struct ways *ways, const struct workload *workload, uint32_t slots, double end);
void ways_fini(struct ways *ways);

/* Fills in costs[0..slots] of an application: what its I/Os cost at the least, with a delay of at
 * most k slots at the end. */
void ways_find(struct ways *ways, uint32_t app);

/* After ways_find: adds to `usage` by slot what the way of this delay uses. */
void ways_use(const struct ways *ways, uint32_t app, uint32_t delay, double *usage);

#endif

/* Which applications are there when: how many nodes are in use at once, and for how long any are.
 */
#ifndef WEIR_MODEL_PRESENCE_H
#define WEIR_MODEL_PRESENCE_H

#include <stdbool.h>
#include <stdint.h>

/* One application that holds its nodes from `start` until just before `end`. */
struct presence {
    double start, end, nodes; /* end <= start: it is never there */
};

/* The part of a presence between two times. */
struct presence presence_clip(struct presence presence, double start, double end);

/* Whether an application is there at a time; see occupancy_measure. */
bool presence_covers(const struct presence *presence, double time);

struct occupancy {
    double nodes;  /* the largest number in use at once */
    double since;  /* the first time they are */
    double busy;   /* seconds in which at least one application is there */
    double mean;   /* nodes in use, over these seconds */
    bool together; /* at that time everything is there that ever is */
};

/* Measures a list, in O(n log n). Times are from 0 on; those closer than 1e-12, relative, are one
 * instant, so applications that touch never run together. `nodes` is the sum of those present
 * in the order of the list. 0, or -1 when memory is out. */
int occupancy_measure(struct occupancy *occupancy, const struct presence *list, uint32_t count);

#endif

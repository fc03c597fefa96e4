/* Jobs that wait, in an order, searched for the first that fits into the free resources.
 *
 * A tree of minima: a search skips every part of the order in which no job is small enough in some
 * respect. */
#ifndef WEIR_MAP_BACKLOG_H
#define WEIR_MAP_BACKLOG_H

#include <stdint.h>

#define BACKLOG_NONE UINT32_MAX

/* What a job needs, or what is free: nodes, seconds, and I/O (bytes or bytes/s). */
struct job_demand {
    double nodes, time, io;
};

struct backlog {
    struct job_demand *least; /* root at 1, leaf i at leaves + i; INFINITY = empty */
    uint32_t leaves;
};

/* An empty backlog with places 0 .. count-1 of the order. 0, or -1 when memory is out. */
int backlog_init(struct backlog *backlog, uint32_t count);
void backlog_fini(struct backlog *backlog);

/* A job with this demand waits at a place; it no longer does. */
void backlog_add(struct backlog *backlog, uint32_t place, struct job_demand demand);
void backlog_remove(struct backlog *backlog, uint32_t place);

/* The first place in range[0] .. range[1]-1 whose demand is at most `free` in each respect, or
 * BACKLOG_NONE. */
uint32_t backlog_first(const struct backlog *backlog, const struct job_demand *free,
                       const uint32_t range[2]);

#endif

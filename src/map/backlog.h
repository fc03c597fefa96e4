/* Jobs that wait, in an order, to find the first of them that fits into what is free.
 *
 * A tree of minima: a search passes over every part of the order in which nobody is small enough in
 * one respect or another. */
#ifndef WEIR_MAP_BACKLOG_H
#define WEIR_MAP_BACKLOG_H

#include <stdint.h>

#define BACKLOG_NONE UINT32_MAX

/* What a job needs, or what there is: nodes, seconds, and I/O (bytes or bytes/s). */
struct demand {
    double nodes, time, io;
};

struct backlog {
    struct demand *least; /* root at 1, leaf i at leaves + i; INFINITY = nobody */
    uint32_t leaves;
};

/* Nobody waits; places in the order are 0 .. count-1. 0, or -1 when memory is out. */
int backlog_init(struct backlog *backlog, uint32_t count);
void backlog_fini(struct backlog *backlog);

/* Somebody with this demand waits at a place; nobody does any more. */
void backlog_add(struct backlog *backlog, uint32_t place, struct demand demand);
void backlog_remove(struct backlog *backlog, uint32_t place);

/* The first place from `range[0]` on and before `range[1]` where somebody's demand is at most this
 * in each respect, or BACKLOG_NONE. */
uint32_t backlog_first(const struct backlog *backlog, const struct demand *free,
                       const uint32_t range[2]);

#endif

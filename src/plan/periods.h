/* Which periods are worth trying, and how good each can be at best. */
#ifndef WEIR_PLAN_PERIODS_H
#define WEIR_PLAN_PERIODS_H

#include "plan/persched.h"
#include <stddef.h>
#include <stdint.h>

/* A period that may be tried. */
struct candidate {
    double length;
    double bound; /* no pattern of this length scores more */
};

/* Candidates, the best bound first. */
struct periods {
    struct candidate *list;
    size_t count, capacity;
    bool sweepable; /* small enough for the published sweep */
};

/* Multiples of every w + tio, at which whole instances fill the period best, and a geometric sweep;
 * none longer than twice the published longest, nor with more instances than a search can afford.
 * -1 when memory is out; periods_fini frees in both cases. */
int periods_init(struct periods *periods, const struct tasks *tasks, const uint32_t *by_value,
                 const struct persched *options, double shortest);
void periods_fini(struct periods *periods);

/* How many instances of all applications a period holds if none of them waits. */
double periods_instances(const struct tasks *tasks, double length);

/* The best score (SysEfficiency, or 1 / Dilation) that any pattern of this length can have. */
double periods_bound(const struct tasks *tasks, const uint32_t *by_value,
                     enum plan_objective objective, double length);

#endif

/* How many nodes of a machine are free at which time. Jobs are placed one after the other, each at
 * the earliest time at which it fits, if need be into a gap that others have left (first fit in
 * time).
 *
 * Which nodes a job gets does not matter: jobs need not be contiguous, so a job that starts finds
 * as many free nodes as the count gives. */
#ifndef WEIR_GEN_PROFILE_H
#define WEIR_GEN_PROFILE_H

#include <stddef.h>
#include <stdint.h>

/* From this time until that of the next step. */
struct profile_step {
    double time;
    uint32_t free;
};

struct profile {
    struct profile_step *steps; /* in order of time; the first at 0, the last without end */
    size_t count, capacity;
};

/* All nodes are free from 0 on. 0, or -1 when memory is out; profile_fini frees in both cases. */
int profile_init(struct profile *profile, uint32_t nodes);
void profile_fini(struct profile *profile);

/* The earliest time, `from` or later, at which this many nodes, at most all of the machine, are
 * free for `length` seconds. */
double profile_fit(const struct profile *profile, double from, uint32_t nodes, double length);

/* Takes this many nodes, which must be free, from `start` to `end`. 0, or -1 when memory is out. */
int profile_take(struct profile *profile, double start, double end, uint32_t nodes);

#endif

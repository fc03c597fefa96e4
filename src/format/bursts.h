/* Accesses in any order -> phases of I/O, in bounded memory.
 *
 * Intervals that overlap, or lie no further apart than a gap, belong to the same burst. What is
 * joined early would be joined in the end anyway, so memory stays bounded by joining what is
 * closest whenever there are too many: only gaps below `joined` are forgotten. */
#ifndef WEIR_FORMAT_BURSTS_H
#define WEIR_FORMAT_BURSTS_H

#include <stddef.h>

struct burst {
    double start, end; /* s */
    double volume;     /* bytes */
    double busy;       /* s of which an access was under way; at most end - start */
};

/* A zeroed struct is empty. After bursts_cluster they are in order and apart. */
struct bursts {
    struct burst *list;
    size_t count, capacity;
    double joined; /* gaps up to this were closed to save memory */
};

/* Adds an access. 0, or -1 when memory is out. */
int bursts_add(struct bursts *bursts, double start, double end, double volume);

/* A gap that tells pauses inside phases from those between them: within the largest relative step
 * from one length of a gap to the next longer one. Gaps of up to 50 ms are never between phases.
 * `below` and `above` are those lengths; above is INFINITY, and the gap 50 ms, if all are inside.
 */
struct gap {
    double length, below, above;
};
int bursts_find_gap(struct bursts *bursts, struct gap *gap); /* 0, or -1 when memory is out */

/* Joins all that lie at most this far apart. */
void bursts_cluster(struct bursts *bursts, double gap);

void bursts_fini(struct bursts *bursts);

#endif

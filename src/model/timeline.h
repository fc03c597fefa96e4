/* What happened when: per application a sequence of segments with constant rates. */
#ifndef WEIR_MODEL_TIMELINE_H
#define WEIR_MODEL_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

enum segment_kind { SEGMENT_WORK, SEGMENT_WAIT, SEGMENT_IO };

struct segment {
    double start, end;
    double rate; /* bytes/s; of SEGMENT_IO only */
    uint32_t app;
    uint32_t kind; /* enum segment_kind */
};

/* Segments in the order in which they ended; those of one application are in order and cover it
 * from its start to its end without gaps. A zeroed struct is an empty timeline. */
struct timeline {
    struct segment *segments;
    size_t count, capacity;
};

int timeline_add(struct timeline *timeline, struct segment segment); /* 0, -1 out of memory */
void timeline_fini(struct timeline *timeline);

#endif

#include "model/timeline.h"
#include "base/mem.h"
#include <stdlib.h>

int timeline_add(struct timeline *timeline, struct segment segment)
{
    struct segment *segments =
        mem_reserve(timeline->segments, &timeline->capacity, timeline->count + 1, sizeof *segments);
    if (!segments)
        return -1;
    timeline->segments = segments;
    segments[timeline->count++] = segment;
    return 0;
}

void timeline_fini(struct timeline *timeline)
{
    free(timeline->segments);
    *timeline = (struct timeline){0};
}

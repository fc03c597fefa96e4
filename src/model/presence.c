#include "model/presence.h"
#include "base/maths.h"
#include "base/mem.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct presence presence_clip(struct presence presence, double start, double end)
{
    presence.start = maths_max(presence.start, start);
    presence.end = maths_min(presence.end, end);
    return presence;
}

/* Ends are rounded: one that should touch the next start may lie after it. */
static bool presence_over(const struct presence *presence, double time)
{
    return presence->end <= time * (1 + 1e-12);
}

/* What is shorter than an instant is never there. */
static bool presence_lasts(const struct presence *presence)
{
    return !presence_over(presence, presence->start);
}

bool presence_covers(const struct presence *presence, double time)
{
    return presence_lasts(presence) && presence->start <= time && !presence_over(presence, time);
}

static int presence_by_start(const void *a, const void *b)
{
    const struct presence *one = a, *two = b;
    return (one->start > two->start) - (one->start < two->start);
}

static int presence_by_end(const void *a, const void *b)
{
    const struct presence *one = a, *two = b;
    return (one->end > two->end) - (one->end < two->end);
}

/* Follows starts and ends in the order of time, and keeps the first maximum. */
static void presence_sweep(struct occupancy *occupancy, struct presence *starts,
                           struct presence *ends, uint32_t count)
{
    struct sum level = {0};
    double most = 0, reach = 0;
    qsort(starts, count, sizeof *starts, presence_by_start);
    qsort(ends, count, sizeof *ends, presence_by_end);
    for (uint32_t i = 0, left = 0; i < count; i++) {
        for (; left < i && presence_over(&ends[left], starts[i].start); left++)
            sum_add(&level, -ends[left].nodes);
        sum_add(&level, starts[i].nodes);
        if (sum_value(&level) > most * (1 + 1e-12)) {
            most = sum_value(&level);
            occupancy->since = starts[i].start;
        }
        occupancy->busy += maths_max(0, starts[i].end - maths_max(starts[i].start, reach));
        reach = maths_max(reach, starts[i].end);
    }
}

/* Counts what is there at occupancy->since. */
static void presence_count(struct occupancy *occupancy, const struct presence *list, uint32_t count)
{
    occupancy->nodes = 0;
    occupancy->together = true;
    for (uint32_t i = 0; i < count; i++) {
        if (!presence_lasts(&list[i]))
            continue;
        bool there = presence_covers(&list[i], occupancy->since);
        occupancy->nodes += there ? list[i].nodes : 0;
        occupancy->together &= there;
    }
}

/* Finds the first maximum, and the busy time, of a list that is not all there at one time. -1 when
 * memory is out. */
static int presence_sort(struct occupancy *occupancy, const struct presence *list, uint32_t count)
{
    struct presence *starts = mem_alloc(count, 2 * sizeof *starts);
    uint32_t lasting = 0;
    if (!starts)
        return -1;
    struct presence *ends = starts + count;
    for (uint32_t i = 0; i < count; i++)
        if (presence_lasts(&list[i]))
            starts[lasting++] = list[i];
    memcpy(ends, starts, lasting * sizeof *ends);
    occupancy->busy = 0;
    presence_sweep(occupancy, starts, ends, lasting);
    free(starts);
    return 0;
}

int occupancy_measure(struct occupancy *occupancy, const struct presence *list, uint32_t count)
{
    double first = INFINITY, last_start = 0, last = 0, held = 0;
    *occupancy = (struct occupancy){.together = true};
    for (uint32_t i = 0; i < count; i++) {
        if (!presence_lasts(&list[i]))
            continue;
        first = maths_min(first, list[i].start);
        last_start = maths_max(last_start, list[i].start);
        last = maths_max(last, list[i].end);
        held += list[i].nodes * (list[i].end - list[i].start);
    }
    if (first == INFINITY)
        return 0;
    /* Most workloads run together, which needs no sorting. */
    occupancy->since = last_start;
    occupancy->busy = last - first;
    presence_count(occupancy, list, count);
    if (!occupancy->together) {
        if (presence_sort(occupancy, list, count) < 0)
            return -1;
        presence_count(occupancy, list, count);
    }
    occupancy->mean = held / occupancy->busy;
    return 0;
}

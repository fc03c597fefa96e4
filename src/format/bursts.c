#include "format/bursts.h"
#include "base/maths.h"
#include "base/mem.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { MOST = 1 << 18 }; /* 8 MB */

/* Shorter gaps do not separate phases. */
static const double shortest_gap = 0.05;

static int compare_starts(const void *a, const void *b)
{
    const struct burst *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool is_sorted(const struct bursts *bursts)
{
    for (size_t i = 1; i < bursts->count; i++)
        if (bursts->list[i].start < bursts->list[i - 1].start)
            return false;
    return true;
}

/* Adds one that begins no earlier. An access that began before and lasts until the end of `burst`
 * covers all that both share, so only what lies after that is new; where bursts were joined over
 * pauses to save memory, the pauses of `next` are taken to lie there. */
static void bursts_join(struct burst *burst, const struct burst *next)
{
    double beyond = next->end - maths_max(burst->end, next->start);
    burst->busy += maths_min(maths_max(beyond, 0), next->busy);
    burst->end = maths_max(burst->end, next->end);
    burst->volume += next->volume;
}

void bursts_cluster(struct bursts *bursts, double gap)
{
    size_t count = 0;
    if (!is_sorted(bursts))
        qsort(bursts->list, bursts->count, sizeof *bursts->list, compare_starts);
    for (size_t i = 0; i < bursts->count; i++) {
        struct burst next = bursts->list[i];
        struct burst *last = count ? &bursts->list[count - 1] : NULL;
        if (last && next.start - last->end <= gap) {
            bursts_join(last, &next);
        } else {
            bursts->list[count++] = next;
        }
    }
    bursts->count = count;
}

/* The gaps between bursts that are in order and apart, in order; NULL when memory is out. */
static double *sort_gaps(const struct bursts *bursts)
{
    double *gaps = mem_alloc(bursts->count, sizeof *gaps);
    if (!gaps)
        return NULL;
    for (size_t i = 1; i < bursts->count; i++)
        gaps[i - 1] = bursts->list[i].start - bursts->list[i - 1].end;
    qsort(gaps, bursts->count - 1, sizeof *gaps, compare_numbers);
    return gaps;
}

/* Makes room for many more. 0 or -1. */
static int bursts_compact(struct bursts *bursts)
{
    bursts_cluster(bursts, bursts->joined);
    if (bursts->count <= MOST / 2)
        return 0;
    double *gaps = sort_gaps(bursts);
    if (!gaps)
        return -1;
    bursts->joined = gaps[bursts->count / 2];
    free(gaps);
    bursts_cluster(bursts, bursts->joined);
    return 0;
}

int bursts_add(struct bursts *bursts, double start, double end, double volume)
{
    struct burst *last = bursts->count ? &bursts->list[bursts->count - 1] : NULL;
    const struct burst access = {start, end, volume, end - start};
    /* Most accesses follow the one before them in the file. */
    if (last && access.start >= last->start && access.start - last->end <= bursts->joined) {
        bursts_join(last, &access);
        return 0;
    }
    if (bursts->count == MOST && bursts_compact(bursts) != 0)
        return -1;
    struct burst *list =
        mem_reserve(bursts->list, &bursts->capacity, bursts->count + 1, sizeof *list);
    if (!list)
        return -1;
    bursts->list = list;
    bursts->list[bursts->count++] = access;
    return 0;
}

int bursts_find_gap(struct bursts *bursts, struct gap *gap)
{
    *gap = (struct gap){shortest_gap, shortest_gap, INFINITY};
    bursts_cluster(bursts, shortest_gap);
    if (bursts->count < 2)
        return 0;
    double *gaps = sort_gaps(bursts), below = shortest_gap, largest = 0;
    if (!gaps)
        return -1;
    for (size_t i = 0; i + 1 < bursts->count; i++) {
        if (gaps[i] / below > largest) {
            largest = gaps[i] / below;
            *gap = (struct gap){sqrt(below * gaps[i]), below, gaps[i]};
        }
        below = gaps[i];
    }
    free(gaps);
    return 0;
}

void bursts_fini(struct bursts *bursts)
{
    free(bursts->list);
    *bursts = (struct bursts){0};
}

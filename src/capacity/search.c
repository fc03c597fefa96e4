#include "capacity/search.h"
#include "base/mem.h"
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

struct search_point {
    uint32_t count;
    double value;
    bool good;
};

/* What is known so far: low is good enough; high is not, or is beyond the last. */
struct search_bracket {
    const struct capacity_search *search;
    uint32_t low, high;
    struct search_point *points; /* tried, in no order */
    size_t tried, capacity;
};

static const struct search_point *search_recall(const struct search_bracket *bracket,
                                                uint32_t count)
{
    for (size_t i = 0; i < bracket->tried; i++)
        if (bracket->points[i].count == count)
            return &bracket->points[i];
    return NULL;
}

/* Valid until the next one; NULL with err. */
static const struct search_point *search_look(struct search_bracket *bracket, uint32_t count,
                                              struct err *err)
{
    const struct capacity_search *search = bracket->search;
    const struct search_point *known = search_recall(bracket, count);
    if (known)
        return known;
    struct search_point *points = mem_reserve(bracket->points, &bracket->capacity,
                                              bracket->tried + 1, sizeof *bracket->points);
    if (!points) {
        err_memory(err);
        return NULL;
    }
    bracket->points = points;
    struct search_point *point = &points[bracket->tried];
    int good = search->probe(search->context, count, &point->value, err);
    if (good < 0)
        return NULL;
    point->count = count;
    point->good = good > 0 || count == 0;
    bracket->tried++;
    return point;
}

static int search_gallop(struct search_bracket *bracket, struct err *err)
{
    uint32_t most = bracket->search->most;
    bracket->high = most + 1;
    for (uint32_t count = 1; bracket->low < most; count = count < most / 2 ? 2 * count : most) {
        const struct search_point *point = search_look(bracket, count, err);
        if (!point)
            return -1;
        if (!point->good) {
            bracket->high = count;
            break;
        }
        bracket->low = count;
    }
    return 0;
}

static int search_bisect(struct search_bracket *bracket, struct err *err)
{
    while (bracket->high - bracket->low > 1) {
        uint32_t middle = bracket->low + (bracket->high - bracket->low) / 2;
        const struct search_point *point = search_look(bracket, middle, err);
        if (!point)
            return -1;
        *(point->good ? &bracket->low : &bracket->high) = middle;
    }
    return 0;
}

/* Lowers the bracket if a count a little below its end is not good enough: 1 if so, 0, or -1. */
static int search_verify(struct search_bracket *bracket, struct err *err)
{
    uint32_t end = bracket->low > SEARCH_MARGIN ? bracket->low - SEARCH_MARGIN : 1;
    for (uint32_t count = bracket->low; count-- > end;) {
        const struct search_point *point = search_look(bracket, count, err);
        if (!point)
            return -1;
        if (point->good)
            continue;
        bracket->high = count;
        bracket->low = 0;
        for (size_t i = 0; i < bracket->tried; i++) {
            const struct search_point *other = &bracket->points[i];
            if (other->good && other->count < count && other->count > bracket->low)
                bracket->low = other->count;
        }
        return 1;
    }
    return 0;
}

static int search_fill(struct search_bracket *bracket, struct capacity_search_result *result,
                       struct err *err)
{
    uint32_t most = bracket->search->most;
    const struct search_point *point = search_look(bracket, bracket->low, err);
    if (!point)
        return -1;
    *result =
        (struct capacity_search_result){.count = bracket->low, .value = point->value, .next = NAN};
    if (bracket->high <= most)
        result->next = search_recall(bracket, bracket->high)->value;
    for (uint32_t i = 1; i <= SEARCH_MARGIN && bracket->high + i <= most; i++) {
        point = search_look(bracket, bracket->high + i, err);
        if (!point)
            return -1;
        if (point->good)
            result->again = point->count;
    }
    result->probes = (uint32_t)bracket->tried;
    return 0;
}

int search_largest(const struct capacity_search *search, struct capacity_search_result *result,
                   struct err *err)
{
    struct search_bracket bracket = {.search = search};
    int status = search_gallop(&bracket, err);
    for (int lowered = 1; status == 0 && lowered > 0;) {
        status = search_bisect(&bracket, err);
        lowered = status == 0 ? search_verify(&bracket, err) : 0;
        if (lowered < 0)
            status = -1;
    }
    if (status == 0)
        status = search_fill(&bracket, result, err);
    free(bracket.points);
    return status;
}

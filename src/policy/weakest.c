#include "policy/weakest.h"
#include "base/maths.h"
#include <assert.h>

#define REFRESH   3e-4
#define SHARED_BY 16

void weakest_init(struct weakest *weakest, double part, void *room, uint32_t capacity)
{
    double *keys = room;
    uint32_t *here = (uint32_t *)(keys + capacity);
    *weakest = (struct weakest){
        .part = part, .refresh = -INFINITY, .keys = keys, .here = here, .places = here + capacity};
}

static void weakest_outdate(struct weakest *weakest)
{
    weakest->refresh = -INFINITY;
    weakest->uses = 0;
}

void weakest_join(struct weakest *weakest, uint32_t app)
{
    weakest_outdate(weakest);
    weakest->here[weakest->count++] = app;
    weakest->places[app] = weakest->count;
}

void weakest_leave(struct weakest *weakest, uint32_t app)
{
    uint32_t place = weakest->places[app];
    assert(place > 0);
    uint32_t last = weakest->here[--weakest->count];
    weakest_outdate(weakest);
    weakest->here[place - 1] = last;
    weakest->places[last] = place;
    weakest->places[app] = 0;
}

/* The value of rank `rank` (0..) among numbers, whose order is spoilt (Hoare's selection). */
static double weakest_select(double *numbers, uint32_t count, uint32_t rank)
{
    uint32_t from = 0, to = count - 1;
    while (from < to) {
        double pivot = numbers[from + (to - from) / 2];
        uint32_t i = from, j = to;
        for (;;) {
            while (numbers[i] < pivot)
                i++;
            while (numbers[j] > pivot)
                j--;
            if (i >= j)
                break;
            double swap = numbers[i];
            numbers[i++] = numbers[j];
            numbers[j--] = swap;
        }
        if (rank <= j)
            to = j;
        else
            from = j + 1;
    }
    return numbers[rank];
}

static void weakest_find(struct weakest *weakest, const struct weir_view *view, weakest_key *key)
{
    uint32_t count = weakest->count;
    double oldest = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct weir_run *run = &view->runs[weakest->here[i]];
        oldest = maths_max(oldest, weir_age(view, run));
        weakest->keys[i] = key(view, run);
    }
    uint32_t weak = (uint32_t)(weakest->part * count * (1 + 1e-12)); /* 1/30 of 30 is one */
    weakest->level = weakest_select(weakest->keys, count, weak > 1 ? weak - 1 : 0);
    weakest->oldest = oldest;
    weakest->refresh = view->now + REFRESH * oldest;
    weakest->uses = count / SHARED_BY;
}

double weakest_level(struct weakest *weakest, const struct weir_view *view, weakest_key *key)
{
    if (weakest->uses > 0)
        weakest->uses--;
    else if (view->now >= weakest->refresh)
        weakest_find(weakest, view, key);
    return weakest->level;
}

#include "policy/greedy.h"
#include "base/maths.h"

void greedy_grant_each(const struct weir_view *view, struct weir_grants *grants)
{
    for (uint32_t i = 0; i < view->active_count; i++)
        weir_grant(grants, view->active[i], view->runs[view->active[i]].app->bmax);
}

static void sift_down(struct greedy_item *items, uint32_t count, uint32_t at)
{
    struct greedy_item moving = items[at];
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && greedy_before(&items[child + 1], &items[child]))
            child++;
        if (!greedy_before(&items[child], &moving))
            break;
        items[at] = items[child];
    }
    items[at] = moving;
}

void greedy_heapify(struct greedy_item *items, uint32_t count)
{
    for (uint32_t at = count / 2; at-- > 0;)
        sift_down(items, count, at);
}

struct greedy_item greedy_pop(struct greedy_item *items, uint32_t *count)
{
    struct greedy_item first = items[0];
    items[0] = items[--*count];
    if (*count > 1)
        sift_down(items, *count, 0);
    return first;
}

static uint32_t greedy_find(const struct greedy_item *items, uint32_t count)
{
    uint32_t first = 0;
    for (uint32_t i = 1; i < count; i++)
        if (greedy_before(&items[i], &items[first]))
            first = i;
    return first;
}

/* Grants one, the last of `served`, what it can take of `left`, and returns what that leaves for
 * the next. */
static inline double greedy_grant(const struct weir_view *view, struct weir_grants *grants,
                                  uint32_t id, double left, uint32_t served)
{
    double rate = maths_min(view->runs[id].app->bmax, left);
    weir_grant(grants, id, rate);
    return greedy_leave(view, left, rate, served);
}

/* Serves the others. */
static __attribute__((noinline)) void greedy_serve_rest(const struct weir_view *view,
                                                        struct weir_grants *grants,
                                                        struct greedy_item *items, uint32_t count,
                                                        double left)
{
    /* A look at each item finds the second faster than a heap. */
    uint32_t second = greedy_find(items, count), served = 2;
    left = greedy_grant(view, grants, items[second].app, left, served++);
    items[second] = items[--count];
    if (count > 0 && left > 0)
        greedy_heapify(items, count);
    while (count > 0 && left > 0)
        left = greedy_grant(view, grants, greedy_pop(items, &count).app, left, served++);
}

inline void greedy_serve_from(const struct weir_view *view, struct weir_grants *grants,
                              struct greedy_item *items, uint32_t count, uint32_t first)
{
    double left = greedy_grant(view, grants, items[first].app, view->bandwidth, 1);
    /* One often takes all there is. */
    if (--count == 0 || !(left > 0))
        return;
    items[first] = items[count];
    greedy_serve_rest(view, grants, items, count, left);
}

void greedy_serve(const struct weir_view *view, struct weir_grants *grants,
                  struct greedy_item *items, uint32_t count)
{
    if (count > 0)
        greedy_serve_from(view, grants, items, count, greedy_find(items, count));
}

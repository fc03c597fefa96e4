#include "policy/greedy.h"
#include "base/maths.h"

bool greedy_grant_all(const struct weir_view *view, struct weir_grants *grants)
{
    if (view->active_bmax > view->bandwidth)
        return false;
    for (uint32_t i = 0; i < view->active_count; i++)
        weir_grant(grants, view->active[i], view->runs[view->active[i]].app->bmax);
    return true;
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

void greedy_serve_from(const struct weir_view *view, struct weir_grants *grants,
                       struct greedy_item *items, uint32_t count, uint32_t first)
{
    /* One or two often take all there is: a look at each item finds them faster than a heap. */
    enum { FEW = 2 };
    double left = view->bandwidth;
    for (uint32_t served = 0;;) {
        uint32_t id = items[first].app;
        double rate = maths_min(view->runs[id].app->bmax, left);
        weir_grant(grants, id, rate);
        left -= rate;
        items[first] = items[--count];
        if (count == 0 || !(left > 0))
            return;
        if (++served == FEW)
            greedy_heapify(items, count);
        else if (served > FEW)
            sift_down(items, count, 0);
        first = served < FEW ? greedy_find(items, count) : 0;
    }
}

void greedy_serve(const struct weir_view *view, struct weir_grants *grants,
                  struct greedy_item *items, uint32_t count)
{
    if (count > 0)
        greedy_serve_from(view, grants, items, count, greedy_find(items, count));
}

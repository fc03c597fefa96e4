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

void greedy_serve(const struct weir_view *view, struct weir_grants *grants,
                  struct greedy_item *items, uint32_t count)
{
    double left = view->bandwidth;
    greedy_heapify(items, count);
    while (count > 0 && left > 0) {
        uint32_t id = greedy_pop(items, &count).app;
        double rate = maths_min(view->runs[id].app->bmax, left);
        weir_grant(grants, id, rate);
        left -= rate;
    }
}

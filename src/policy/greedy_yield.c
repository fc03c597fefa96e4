/* greedy-yield: the application with the least progress for its age is served first (002 section
 * 4.1). */
#include "policy/greedy.h"
#include "policy/strategies.h"

static void greedy_yield_decide(void *state, const struct weir_view *view,
                                struct weir_grants *grants)
{
    struct greedy_item *items = state; /* all of rank 0, as they are from the start */
    if (greedy_grant_all(view, grants))
        return;
    /* The lowest is found on the way: it often takes all there is. */
    double now = view->now;
    struct greedy_lowest lowest = {.above = INFINITY, .below = INFINITY};
    for (uint32_t i = 0; i < view->active_count; i++) {
        uint32_t id = view->active[i];
        double yield = greedy_yield(&view->runs[id], now);
        items[i].key = yield;
        items[i].app = id;
        greedy_lower(&lowest, yield, id, i);
    }
    greedy_serve_from(view, grants, items, view->active_count, lowest.index);
}

const struct weir_policy_ops policy_greedy_yield = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_WORK_CONSERVING | WEIR_NEEDS_YIELD | WEIR_GRANTS_ALL | WEIR_KNOWS_CURVE,
    .name = "greedy-yield",
    .summary = "greedy by increasing yield: the most delayed first",
    .paper = "Benoit et al., JPDC 2024, section 4.1",
    .app_size = sizeof(struct greedy_item),
    .decide = greedy_yield_decide,
};

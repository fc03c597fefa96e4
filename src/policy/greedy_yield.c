/* greedy-yield: the application with the least progress for its age is served first (002 section
 * 4.1). */
#include "policy/greedy.h"
#include "policy/strategies.h"

static void greedy_yield_decide(void *state, const struct weir_view *view,
                                struct weir_grants *grants)
{
    struct greedy_item *items = state;
    if (greedy_grant_all(view, grants))
        return;
    uint32_t first = 0;
    struct greedy_item lowest = {.key = INFINITY};
    for (uint32_t i = 0; i < view->active_count; i++) {
        uint32_t id = view->active[i];
        double yield = weir_yield(view, &view->runs[id]);
        items[i] = (struct greedy_item){.key = yield, .app = id};
        if (weir_before(yield, id, lowest.key, lowest.app)) {
            first = i;
            lowest = items[i];
        }
    }
    greedy_serve_from(view, grants, items, view->active_count, first);
}

const struct weir_policy_ops policy_greedy_yield = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_WORK_CONSERVING | WEIR_NEEDS_YIELD,
    .name = "greedy-yield",
    .summary = "greedy by increasing yield: the most delayed first",
    .paper = "Benoit et al., JPDC 2024, section 4.1",
    .app_size = sizeof(struct greedy_item),
    .decide = greedy_yield_decide,
};

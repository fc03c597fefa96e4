/* critical-yield: the application whose yield is the most in danger is served first, by increasing
 * critical yield (critical.h). greedy-yield looks at what was lost so far; this also sees how long
 * the I/O still takes, so that a long one is started in time. It has no parameter. */
#include "policy/critical.h"
#include "policy/greedy.h"
#include "policy/strategies.h"

static void critical_yield_decide(void *state, const struct weir_view *view,
                                  struct weir_grants *grants)
{
    struct greedy_item *items = state;
    if (greedy_grant_all(view, grants))
        return;
    for (uint32_t i = 0; i < view->active_count; i++) {
        uint32_t id = view->active[i];
        items[i] = (struct greedy_item){.key = critical_active(view, &view->runs[id]), .app = id};
    }
    greedy_serve(view, grants, items, view->active_count);
}

const struct weir_policy_ops policy_critical_yield = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_WORK_CONSERVING | WEIR_NEEDS_YIELD | WEIR_NEEDS_VOLUME,
    .name = "critical-yield",
    .summary =
        "greedy by increasing critical yield: the one whose deadline is first, for any yield",
    .paper = "Weir",
    .app_size = sizeof(struct greedy_item),
    .decide = critical_yield_decide,
};

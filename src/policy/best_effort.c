/* best-effort: equal shares among the active applications, none above its bmax (thesis II.D.1).
 * This is what happens without a scheduler. */
#include "base/maths.h"
#include "policy/fill.h"
#include "policy/greedy.h"
#include "policy/strategies.h"

static void best_effort_decide(void *state, const struct weir_view *view,
                               struct weir_grants *grants)
{
    struct fill_part *parts = state;
    if (greedy_grant_all(view, grants))
        return;
    for (uint32_t i = 0; i < view->active_count; i++)
        parts[i] = (struct fill_part){.weight = 1, .most = view->runs[view->active[i]].app->bmax};
    double level = fill_level(parts, view->active_count, weir_bandwidth(view, view->active_count));
    for (uint32_t i = 0; i < view->active_count; i++)
        weir_grant(grants, view->active[i], maths_min(parts[i].most, level));
}

const struct weir_policy_ops policy_best_effort = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_WORK_CONSERVING | WEIR_DIVIDES | WEIR_GRANTS_ALL | WEIR_KNOWS_CURVE,
    .name = "best-effort",
    .summary = "equal shares among the active, capped at bmax: no scheduling at all",
    .paper = "Vidal, thesis 2022, section II.D.1",
    .app_size = sizeof(struct fill_part),
    .decide = best_effort_decide,
};

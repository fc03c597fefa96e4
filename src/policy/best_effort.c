/* best-effort: equal shares among the active applications, none above its bmax (thesis II.D.1).
 * This is what happens without a scheduler. */
#include "base/maths.h"
#include "policy/greedy.h"
#include "policy/strategies.h"

/* The water level: an application with a smaller bmax gets that, the others get the level. To cap
 * some leaves more for the others, so the level only rises, an application that is capped stays so,
 * and each round but the last caps at least one more. */
static double best_effort_level(const struct weir_view *view)
{
    double left = view->bandwidth, found = left / view->active_count, before;
    do {
        before = found;
        double capped = 0;
        uint32_t others = view->active_count;
        for (uint32_t i = 0; i < view->active_count; i++) {
            double bmax = view->runs[view->active[i]].app->bmax;
            if (bmax <= before) {
                capped += bmax;
                others--;
            }
        }
        /* Never 0 but for rounding: together they want more than there is. */
        if (others > 0)
            found = (left - capped) / others;
    } while (found > before);
    return found;
}

static void best_effort_decide(void *state, const struct weir_view *view,
                               struct weir_grants *grants)
{
    (void)state;
    if (greedy_grant_all(view, grants))
        return;
    double share = best_effort_level(view);
    for (uint32_t i = 0; i < view->active_count; i++) {
        uint32_t id = view->active[i];
        weir_grant(grants, id, maths_min(view->runs[id].app->bmax, share));
    }
}

const struct weir_policy_ops policy_best_effort = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_WORK_CONSERVING,
    .name = "best-effort",
    .summary = "equal shares among the active, capped at bmax: no scheduling at all",
    .paper = "Vidal, thesis 2022, section II.D.1",
    .decide = best_effort_decide,
};

/* critical-yield: earliest deadline first at the largest yield that all posted I/Os can still reach
 * (clear.h). greedy-yield looks at what was lost so far; this also sees how long the I/O still
 * takes, so that a long one is started in time.
 *
 * Among applications of the same age that is the order of their critical yields (critical.h),
 * whatever that largest yield is, and nothing has to be searched for.
 *
 * I/Os too long to end in the window should share what is left of it: one that is served to the end
 * while another gets nothing ends above it. Then nothing happens for long, so there is no decision
 * in which they could change places, except with timers. */
#include "policy/clear.h"
#include "policy/critical.h"
#include "policy/greedy.h"
#include "policy/strategies.h"

struct critical_yield_state {
    double interval; /* of the timers, 0 = there are none */
    struct clear clear;
    struct greedy_item items[];
};

static const struct weir_param params[] = {
    {.name = "timers",
     .kind = WEIR_PARAM_NUMBER,
     .initial = 0,
     .low = 0,
     .high = 1000,
     .help = "how often to decide again in the mean time between two phases; 0: at events only"},
    {.name = NULL},
};

static void critical_yield_init(void *self, const struct weir_setup *setup)
{
    struct critical_yield_state *state = self;
    double phase = setup->phase_interval > 0 ? setup->phase_interval : 1;
    state->interval = setup->params[0] > 0 ? phase / setup->params[0] : 0;
}

/* Whether the search for y* would change anything, and is not too long. */
static bool critical_yield_searches(const struct weir_view *view)
{
    double release = view->runs[view->active[0]].app->release;
    bool alike = true;
    for (uint32_t i = 1; i < view->active_count && alike; i++)
        alike = view->runs[view->active[i]].app->release == release;
    return !alike && view->active_count <= CLEAR_MOST;
}

static void critical_yield_decide(void *self, const struct weir_view *view,
                                  struct weir_grants *grants)
{
    struct critical_yield_state *state = self;
    if (greedy_grant_all(view, grants))
        return;
    if (critical_yield_searches(view)) {
        clear_init(&state->clear, view, NULL);
        clear_sort_by_deadline(&state->clear, clear_find_critical(&state->clear));
        clear_grant(&state->clear, &state->clear.trial, view, grants);
    } else {
        critical_serve(view, grants, state->items);
    }
    if (state->interval > 0)
        grants->wake = view->now + state->interval;
}

const struct weir_policy_ops policy_critical_yield = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_WORK_CONSERVING | WEIR_NEEDS_YIELD | WEIR_NEEDS_VOLUME | WEIR_GRANTS_ALL |
             WEIR_KNOWS_CURVE,
    .name = "critical-yield",
    .summary = "earliest deadline first, at the largest yield that all posted I/Os can still reach",
    .paper = "Weir",
    .params = params,
    .state_size = sizeof(struct critical_yield_state),
    .app_size = sizeof(struct greedy_item),
    .init = critical_yield_init,
    .decide = critical_yield_decide,
};

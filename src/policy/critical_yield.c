/* critical-yield: the application whose yield is the most in danger is served first, by increasing
 * critical yield (critical.h). greedy-yield looks at what was lost so far; this also sees how long
 * the I/O still takes, so that a long one is started in time.
 *
 * I/Os too long to end in the window should share what is left of it: one that is served to the end
 * while another gets nothing ends above it. Then nothing happens for long, so there is no decision
 * in which they could change places, except with timers. */
#include "policy/critical.h"
#include "policy/greedy.h"
#include "policy/strategies.h"

struct critical_yield_state {
    double interval; /* of the timers, 0 = there are none */
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

static void critical_yield_decide(void *self, const struct weir_view *view,
                                  struct weir_grants *grants)
{
    struct critical_yield_state *state = self;
    if (greedy_grant_all(view, grants))
        return;
    for (uint32_t i = 0; i < view->active_count; i++) {
        uint32_t id = view->active[i];
        state->items[i] =
            (struct greedy_item){.key = critical_active(view, &view->runs[id]), .app = id};
    }
    greedy_serve(view, grants, state->items, view->active_count);
    if (state->interval > 0)
        grants->wake = view->now + state->interval;
}

const struct weir_policy_ops policy_critical_yield = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_WORK_CONSERVING | WEIR_NEEDS_YIELD | WEIR_NEEDS_VOLUME | WEIR_GRANTS_ALL,
    .name = "critical-yield",
    .summary =
        "greedy by increasing critical yield: the one whose deadline is first, for any yield",
    .paper = "Weir",
    .params = params,
    .state_size = sizeof(struct critical_yield_state),
    .app_size = sizeof(struct greedy_item),
    .init = critical_yield_init,
    .decide = critical_yield_decide,
};

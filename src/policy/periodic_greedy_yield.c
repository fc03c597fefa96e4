/* periodic-greedy-yield: greedy-yield, decided again `delta` seconds after the last event, so
 * that a long transfer cannot hold on to an old decision (002 section 4.1). */
#include "policy/greedy.h"
#include "policy/strategies.h"

struct periodic_greedy_yield_state {
    double delta;
    struct greedy_item items[];
};

static const struct weir_param params[] = {
    {.name = "delta",
     .kind = WEIR_PARAM_NUMBER,
     .initial = NAN,
     .low = 1e-9,
     .high = INFINITY,
     .help = "seconds without an event before it decides again; auto: as many timers as phases"},
    {.name = NULL},
};

static void periodic_greedy_yield_init(void *self, const struct weir_setup *setup)
{
    struct periodic_greedy_yield_state *state = self;
    state->delta = setup->params[0];
    if (isnan(state->delta))
        state->delta = setup->phase_interval > 0 ? setup->phase_interval : 1;
}

static void periodic_greedy_yield_decide(void *self, const struct weir_view *view,
                                         struct weir_grants *grants)
{
    struct periodic_greedy_yield_state *state = self;
    policy_greedy_yield.decide(state->items, view, grants);
    /* While all fit, another decision would change nothing. */
    if (view->active_bmax > weir_bandwidth(view, view->active_count))
        grants->wake = view->now + state->delta;
}

const struct weir_policy_ops policy_periodic_greedy_yield = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_WORK_CONSERVING | WEIR_NEEDS_YIELD | WEIR_GRANTS_ALL | WEIR_KNOWS_CURVE,
    .name = "periodic-greedy-yield",
    .summary = "greedy-yield with a timer: decides again delta seconds after the last event",
    .paper = "Benoit et al., JPDC 2024, section 4.1",
    .params = params,
    .state_size = sizeof(struct periodic_greedy_yield_state),
    .app_size = sizeof(struct greedy_item),
    .init = periodic_greedy_yield_init,
    .decide = periodic_greedy_yield_decide,
};

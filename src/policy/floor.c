/* floor: no application falls through, and above the floor transfers end as soon as possible.
 *
 * Active applications below the floor go first, by increasing yield; then the others by increasing
 * remaining / bmax. greedy-com is the most efficient order but starves long transfers, greedy-yield
 * protects the weakest but finishes transfers late: this is the first above the floor and the
 * second below it.
 *
 * With level=auto the floor is a low quantile of the yields of all running applications, working
 * ones included: the weakest in thirty are protected, at least one, and only while they wait. That
 * is enough to stop starvation, and no more; docs/reference/strategies.md has the numbers. */
#include "policy/greedy.h"
#include "policy/strategies.h"
#include "policy/weakest.h"

struct floor_state {
    bool automatic;
    double level; /* unless it is automatic */
    struct weakest weakest;
    struct greedy_item *items;
};

static const struct weir_param params[] = {
    {.name = "level",
     .kind = WEIR_PARAM_NUMBER,
     .initial = NAN,
     .low = 0,
     .high = 1,
     .help = "yield below which an application goes first; auto: the lowest 1/30 of all running"},
    {.name = NULL},
};

static void floor_init(void *self, const struct weir_setup *setup)
{
    struct floor_state *state = self;
    state->level = setup->params[0];
    state->automatic = isnan(state->level);
    state->items = (struct greedy_item *)(state + 1);
    weakest_init(&state->weakest, WEAKEST_PART, state->items + setup->capacity, setup->capacity);
}

static void floor_joined(void *self, const struct weir_view *view, uint32_t app)
{
    struct floor_state *state = self;
    (void)view;
    weakest_join(&state->weakest, app);
}

static void floor_left(void *self, const struct weir_view *view, uint32_t app)
{
    struct floor_state *state = self;
    (void)view;
    weakest_leave(&state->weakest, app);
}

static void floor_decide(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    struct floor_state *state = self;
    if (greedy_grant_all(view, grants))
        return;
    if (state->automatic)
        state->level = weakest_level(&state->weakest, view, weir_yield);
    for (uint32_t i = 0; i < view->active_count; i++) {
        uint32_t id = view->active[i];
        const struct weir_run *run = &view->runs[id];
        double yield = weir_yield(view, run), span = weir_expected(view, run) / run->app->bmax;
        /* An automatic level is the yield of an application, which has to be protected itself. */
        bool low = state->automatic ? !weir_less(state->level, yield) : yield < state->level;
        state->items[i] =
            (struct greedy_item){.key = low ? yield : span, .app = id, .rank = low ? 0 : 1};
    }
    greedy_serve(view, grants, state->items, view->active_count);
}

const struct weir_policy_ops policy_floor = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_WORK_CONSERVING | WEIR_NEEDS_YIELD | WEIR_NEEDS_VOLUME | WEIR_GRANTS_ALL |
             WEIR_KNOWS_CURVE,
    .name = "floor",
    .summary = "the shortest transfer first, after the weakest of all running applications",
    .paper = "Weir",
    .params = params,
    .state_size = sizeof(struct floor_state),
    .app_size = sizeof(struct greedy_item) + WEAKEST_ROOM,
    .init = floor_init,
    .joined = floor_joined,
    .left = floor_left,
    .decide = floor_decide,
};

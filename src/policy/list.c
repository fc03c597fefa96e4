/* list: one I/O at a time, at its full bandwidth, never interrupted; when the file system is free,
 * the first waiting application in the order is served (thesis ch. II and III).
 *
 * In reality an I/O may pause: it is dropped, and posted again when it goes on. While it pauses
 * others are served; then it goes on before all that wait, as if it had not been interrupted. */
#include "policy/exclusive.h"
#include "policy/strategies.h"

#define NONE UINT32_MAX

struct list_state {
    exclusive_key *key;
    uint32_t serving;
    uint32_t dropped; /* the last one dropped while it was served; NONE once its I/O is over */
};

static const struct weir_param params[] = {
    {.name = "order",
     .kind = WEIR_PARAM_CHOICE,
     .choices = exclusive_list_orders,
     .help = "which application is served first"},
    {.name = NULL},
};

static void list_init(void *self, const struct weir_setup *setup)
{
    struct list_state *state = self;
    state->key = exclusive_list_keys[(int)setup->params[0]];
    state->serving = state->dropped = NONE;
}

static void list_completed(void *self, const struct weir_view *view, uint32_t app)
{
    struct list_state *state = self;
    /* One that completes may not be the one that is served: it was served before it paused. */
    bool served = state->serving == app;
    if (served)
        state->serving = NONE;
    if (view->runs[app].remaining > 0)
        state->dropped = served ? app : state->dropped;
    else if (state->dropped == app)
        state->dropped = NONE;
}

static void list_left(void *self, const struct weir_view *view, uint32_t app)
{
    struct list_state *state = self;
    (void)view;
    if (state->dropped == app)
        state->dropped = NONE;
}

static uint32_t list_find_first(const struct list_state *state, const struct weir_view *view)
{
    if (state->dropped != NONE && view->runs[state->dropped].state == WEIR_ACTIVE)
        return state->dropped;
    /* A search and no heap: several orders change with time, and it is needed once per I/O only. */
    struct greedy_item first = state->key(view, view->active[0]);
    for (uint32_t i = 1; i < view->active_count; i++) {
        struct greedy_item item = state->key(view, view->active[i]);
        if (greedy_before(&item, &first))
            first = item;
    }
    return first.app;
}

static void list_decide(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    struct list_state *state = self;
    if (state->serving != NONE)
        return;
    state->serving = list_find_first(state, view);
    weir_grant(grants, state->serving, view->runs[state->serving].app->bmax);
}

const struct weir_policy_ops policy_list = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_INCREMENTAL | WEIR_NEEDS_VOLUME | WEIR_NEEDS_PROFILE,
    .name = "list",
    .summary = "one I/O at a time, not interrupted; the first in the order when free",
    .paper = "Vidal, thesis 2022, chapters II and III",
    .params = params,
    .state_size = sizeof(struct list_state),
    .init = list_init,
    .completed = list_completed,
    .left = list_left,
    .decide = list_decide,
};

/* fair-share: everybody gets the same fraction of what it could take alone, as today's parallel
 * file systems do (002 section 4.1). One common factor serves all, so an event costs O(log n). */
#include "base/maths.h"
#include "policy/strategies.h"

struct state {
    uint32_t count;
    uint32_t fresh[]; /* posted since the last decision */
};

static void posted(void *self, const struct weir_view *view, uint32_t app)
{
    struct state *state = self;
    (void)view;
    state->fresh[state->count++] = app;
}

static void decide(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    struct state *state = self;
    for (uint32_t i = 0; i < state->count; i++)
        weir_share(grants, state->fresh[i], view->runs[state->fresh[i]].app->bmax);
    state->count = 0;
    grants->scale = maths_min(1, view->bandwidth / view->active_bmax);
}

static void completed(void *self, const struct weir_view *view, uint32_t app)
{
    struct state *state = self;
    (void)view;
    /* One that leaves before it was ever granted anything is not to be granted anything. */
    for (uint32_t i = 0; i < state->count; i++)
        if (state->fresh[i] == app)
            state->fresh[i--] = state->fresh[--state->count];
}

const struct weir_policy_ops policy_fair_share = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_INCREMENTAL | WEIR_WORK_CONSERVING | WEIR_SHARES,
    .name = "fair-share",
    .summary = "everybody gets bmax * min(1, B / sum of bmax)",
    .paper = "Benoit et al., JPDC 2024, section 4.1",
    .state_size = sizeof(struct state),
    .app_size = sizeof(uint32_t),
    .posted = posted,
    .completed = completed,
    .decide = decide,
};

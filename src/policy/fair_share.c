/* fair-share: each application gets the same fraction of what it could move alone, as under today's
 * parallel file systems (002 section 4.1). One common factor serves all: an event costs O(log n).
 *
 * An application whose share is not its bmax, such as one with a limit, is listed and gets a
 * bandwidth of its own: its share times the factor, at most its bmax. What it cannot use goes to
 * the others, so a limit on one slows down no other: water filling, O(n) in those listed.
 *
 * All are served at once, whatever that costs: where a store loses bandwidth by their number, this
 * is what happens without a scheduler. */
#include "base/maths.h"
#include "policy/fill.h"
#include "policy/strategies.h"

struct fair_share_state {
    uint32_t fresh_count, listed_count;
    struct fill_part *parts; /* of the listed ones, and one of all others */
    uint32_t *fresh;         /* posted since the last decision */
    uint32_t *listed;        /* active, with a share of their own: in that array, from its end */
};

static void fair_share_init(void *self, const struct weir_setup *setup)
{
    struct fair_share_state *state = self;
    state->parts = (struct fill_part *)(state + 1);
    state->fresh = (uint32_t *)(state->parts + setup->capacity + 1);
    state->listed = state->fresh + setup->capacity - 1; /* downwards: none is in both */
}

static uint32_t *fair_share_listed(const struct fair_share_state *state, uint32_t i)
{
    return state->listed - i;
}

static void fair_share_posted(void *self, const struct weir_view *view, uint32_t app)
{
    struct fair_share_state *state = self;
    const struct weir_app *facts = view->runs[app].app;
    if (facts->share > 0 && facts->share != 1)
        *fair_share_listed(state, state->listed_count++) = app;
    else
        state->fresh[state->fresh_count++] = app;
}

static void fair_share_completed(void *self, const struct weir_view *view, uint32_t app)
{
    struct fair_share_state *state = self;
    (void)view;
    /* It may leave before the decision that would have granted it something. */
    for (uint32_t i = 0; i < state->fresh_count; i++)
        if (state->fresh[i] == app)
            state->fresh[i--] = state->fresh[--state->fresh_count];
    for (uint32_t i = 0; i < state->listed_count; i++)
        if (*fair_share_listed(state, i) == app)
            *fair_share_listed(state, i--) = *fair_share_listed(state, --state->listed_count);
}

/* The factor by which shares are multiplied; INFINITY if there is enough for all. Those that are
 * not listed count as one, whose share is its bmax. */
static double fair_share_find_factor(const struct fair_share_state *state,
                                     const struct weir_view *view)
{
    uint32_t count = state->listed_count;
    double others = view->active_bmax;
    double bandwidth = weir_bandwidth(view, view->active_count);
    if (view->active_bmax <= bandwidth)
        return INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        const struct weir_app *app = view->runs[*fair_share_listed(state, i)].app;
        state->parts[i] = (struct fill_part){.weight = app->share * app->bmax, .most = app->bmax};
        others -= app->bmax;
    }
    if (count < view->active_count && others > 0)
        state->parts[count++] = (struct fill_part){.weight = others, .most = others};
    return fill_level(state->parts, count, bandwidth);
}

static void fair_share_decide(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    struct fair_share_state *state = self;
    for (uint32_t i = 0; i < state->fresh_count; i++)
        weir_share(grants, state->fresh[i], view->runs[state->fresh[i]].app->bmax);
    state->fresh_count = 0;
    if (state->listed_count == 0) {
        grants->scale = maths_min(1, weir_bandwidth(view, view->active_count) / view->active_bmax);
        return;
    }
    double factor = fair_share_find_factor(state, view);
    for (uint32_t i = 0; i < state->listed_count; i++) {
        const struct weir_app *app = view->runs[*fair_share_listed(state, i)].app;
        weir_grant(grants, *fair_share_listed(state, i),
                   app->bmax * maths_min(1, app->share * factor));
    }
    grants->scale = maths_min(1, factor);
}

const struct weir_policy_ops policy_fair_share = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_INCREMENTAL | WEIR_WORK_CONSERVING | WEIR_SHARES | WEIR_KNOWS_CURVE,
    .name = "fair-share",
    .summary = "each application gets bmax * min(1, B / sum of bmax)",
    .paper = "Benoit et al., JPDC 2024, section 4.1",
    .state_size = sizeof(struct fair_share_state) + sizeof(struct fill_part),
    .app_size = sizeof(struct fill_part) + sizeof(uint32_t),
    .init = fair_share_init,
    .posted = fair_share_posted,
    .completed = fair_share_completed,
    .decide = fair_share_decide,
};

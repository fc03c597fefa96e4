/* fair-share: each application gets the same fraction of what it could move alone, as under today's
 * parallel file systems (002 section 4.1). One common factor serves all, so an event costs O(log
 * n).
 *
 * An application whose share is not its bmax, such as one with a limit, is listed and gets a
 * bandwidth of its own: its share times the factor, at most its bmax. What it cannot use goes to
 * the others, so a limit on one slows down no other: water filling, O(n) in those listed. */
#include "base/maths.h"
#include "policy/strategies.h"

struct state {
    uint32_t fresh_count, listed_count;
    uint32_t *fresh;  /* posted since the last decision */
    uint32_t *listed; /* active, with a share of their own: in the same array, from its end */
};

static void fair_share_init(void *self, const struct weir_setup *setup)
{
    struct state *state = self;
    state->fresh = (uint32_t *)(state + 1);
    state->listed = state->fresh + setup->capacity - 1; /* downwards: none is in both */
}

static uint32_t *fair_share_listed(const struct state *state, uint32_t i)
{
    return state->listed - i;
}

static void fair_share_posted(void *self, const struct weir_view *view, uint32_t app)
{
    struct state *state = self;
    const struct weir_app *facts = view->runs[app].app;
    if (facts->share > 0 && facts->share != 1)
        *fair_share_listed(state, state->listed_count++) = app;
    else
        state->fresh[state->fresh_count++] = app;
}

static void fair_share_completed(void *self, const struct weir_view *view, uint32_t app)
{
    struct state *state = self;
    (void)view;
    /* It may leave before the decision that would have granted it something. */
    for (uint32_t i = 0; i < state->fresh_count; i++)
        if (state->fresh[i] == app)
            state->fresh[i--] = state->fresh[--state->fresh_count];
    for (uint32_t i = 0; i < state->listed_count; i++)
        if (*fair_share_listed(state, i) == app)
            *fair_share_listed(state, i--) = *fair_share_listed(state, --state->listed_count);
}

/* The bmax of those that are not listed, together: they count as one, whose share is its bmax. */
static double fair_share_sum_others(const struct state *state, const struct weir_view *view)
{
    double sum = view->active_bmax;
    for (uint32_t i = 0; i < state->listed_count; i++)
        sum -= view->runs[*fair_share_listed(state, i)].app->bmax;
    return state->listed_count < view->active_count ? maths_max(sum, 0) : 0;
}

/* The factor by which shares are multiplied: applications that would get more than their bmax are
 * capped there, and the others divide the rest by their shares. To cap some raises the factor, so
 * they stay capped. INFINITY if there is enough for all. */
static double fair_share_find_factor(const struct state *state, const struct weir_view *view,
                                     double others)
{
    double factor = 0, before;
    if (view->active_bmax <= view->bandwidth)
        return INFINITY;
    do {
        before = factor;
        double left = view->bandwidth - (before >= 1 ? others : 0);
        double weight = before >= 1 ? 0 : others;
        for (uint32_t i = 0; i < state->listed_count; i++) {
            const struct weir_app *app = view->runs[*fair_share_listed(state, i)].app;
            bool capped = before * app->share >= 1;
            left -= capped ? app->bmax : 0;
            weight += capped ? 0 : app->share * app->bmax;
        }
        /* Never 0 but for rounding: together they want more than there is. */
        factor = weight > 0 ? left / weight : before;
    } while (factor > before);
    return factor;
}

static void fair_share_decide(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    struct state *state = self;
    for (uint32_t i = 0; i < state->fresh_count; i++)
        weir_share(grants, state->fresh[i], view->runs[state->fresh[i]].app->bmax);
    state->fresh_count = 0;
    if (state->listed_count == 0) {
        grants->scale = maths_min(1, view->bandwidth / view->active_bmax);
        return;
    }
    double factor = fair_share_find_factor(state, view, fair_share_sum_others(state, view));
    for (uint32_t i = 0; i < state->listed_count; i++) {
        const struct weir_app *app = view->runs[*fair_share_listed(state, i)].app;
        weir_grant(grants, *fair_share_listed(state, i),
                   app->bmax * maths_min(1, app->share * factor));
    }
    grants->scale = maths_min(1, factor);
}

const struct weir_policy_ops policy_fair_share = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_INCREMENTAL | WEIR_WORK_CONSERVING | WEIR_SHARES,
    .name = "fair-share",
    .summary = "each application gets bmax * min(1, B / sum of bmax)",
    .paper = "Benoit et al., JPDC 2024, section 4.1",
    .state_size = sizeof(struct state),
    .app_size = sizeof(uint32_t),
    .init = fair_share_init,
    .posted = fair_share_posted,
    .completed = fair_share_completed,
    .decide = fair_share_decide,
};

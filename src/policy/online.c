#include "policy/online.h"
#include "base/maths.h"
#include "policy/strategies.h"
#include <assert.h>

/* Less bandwidth than this part of the whole is rounding. */
#define NOTHING 1e-9

/* Not those that keep an order of their own between decisions: the applications that they serve
 * change with the plan. */
#define ONLINE_STRATEGIES(X)                                                                       \
    X(min_max, "min-max")                                                                          \
    X(max_syseff, "max-syseff")                                                                    \
    X(min_dilation, "min-dilation")                                                                \
    X(greedy_yield, "greedy-yield")                                                                \
    X(floor, "floor")                                                                              \
    X(best_effort, "best-effort")                                                                  \
    X(pace, "pace")

#define X(ops, name) name,
const char *const online_names[] = {ONLINE_STRATEGIES(X) NULL};
#undef X

#define X(ops, name) &policy_##ops,
static const struct weir_policy_ops *const online_ops[] = {ONLINE_STRATEGIES(X)};
#undef X

void online_init(struct online *online, const struct weir_setup *setup, double choice)
{
    const struct weir_policy_ops *ops = online->ops = online_ops[(int)choice];
    struct weir_setup inner = *setup;
    assert(ops->state_size <= ONLINE_STATE && ops->app_size <= ONLINE_APP);
    for (int i = 0; ops->params && ops->params[i].name; i++)
        online->params[i] = ops->params[i].initial;
    inner.params = online->params;
    /* Its applications follow its state, which is the end of the struct; ours follow those. */
    char *rest = (char *)(online + 1) + (size_t)setup->capacity * ONLINE_APP;
    online->list = (uint32_t *)(void *)rest;
    if (ops->init)
        ops->init(online->state, &inner);
}

void online_joined(struct online *online, const struct weir_view *view, uint32_t app)
{
    if (online->ops->joined)
        online->ops->joined(online->state, view, app);
}

void online_left(struct online *online, const struct weir_view *view, uint32_t app)
{
    if (online->ops->left)
        online->ops->left(online->state, view, app);
}

void online_posted(struct online *online, const struct weir_view *view, uint32_t app)
{
    if (online->ops->posted)
        online->ops->posted(online->state, view, app);
}

void online_completed(struct online *online, const struct weir_view *view, uint32_t app)
{
    if (online->ops->completed)
        online->ops->completed(online->state, view, app);
}

double online_decide(struct online *online, const struct weir_view *view, double bandwidth,
                     struct weir_grants *grants)
{
    struct weir_view own = *view;
    double wake = grants->wake;
    uint32_t first = grants->count;
    own.bandwidth = bandwidth;
    own.active = online->list;
    own.active_count = online->count;
    own.active_bmax = 0;
    for (uint32_t i = 0; i < online->count; i++)
        own.active_bmax += view->runs[online->list[i]].app->bmax;
    online->count = 0;
    if (own.active_count == 0 || !(bandwidth > NOTHING * view->bandwidth))
        return bandwidth;
    online->ops->decide(online->state, &own, grants);
    grants->wake = maths_min(grants->wake, wake);
    for (uint32_t i = first; i < grants->count; i++)
        bandwidth -= grants->list[i].rate;
    return maths_max(bandwidth, 0);
}

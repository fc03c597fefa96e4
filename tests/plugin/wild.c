/* A plug-in that answers nonsense beside something useful: the host finds it. */
#include <weir/policy.h>

static void decide(void *state, const struct weir_view *view, struct weir_grants *grants)
{
    (void)state;
    weir_grant(grants, UINT32_MAX, 1);
    weir_grant(grants, view->count, -1);
    grants->wake = view->now - 1;
    grants->scale = NAN;
    /* The first grants have used up room, so some applications get nothing: but never all. */
    for (uint32_t i = 0; i < view->active_count; i++)
        weir_grant(grants, view->active[i],
                   view->bandwidth / view->active_count < view->runs[view->active[i]].app->bmax
                       ? view->bandwidth / view->active_count
                       : view->runs[view->active[i]].app->bmax);
}

const struct weir_policy_ops weir_policy = {
    .abi = WEIR_POLICY_ABI, .name = "wild", .decide = decide};

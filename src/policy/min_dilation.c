/* min-dilation: the application with the largest dilation so far, rho / rho~, first (001). */
#include "policy/slides.h"
#include "policy/strategies.h"

static void min_dilation_decide(void *state, const struct weir_view *view,
                                struct weir_grants *grants)
{
    slides_serve(state, view, grants, slides_by_dilation);
}

const struct weir_policy_ops policy_min_dilation = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_WORK_CONSERVING | WEIR_NEEDS_HISTORY | WEIR_GRANTS_ALL | WEIR_KNOWS_CURVE,
    .name = "min-dilation",
    .summary = "greedy by decreasing dilation so far, rho / rho~",
    .paper = "Gainaru et al., slides 2015",
    .params = slides_params,
    .state_size = sizeof(struct slides),
    .app_size = sizeof(struct greedy_item),
    .init = slides_init,
    .decide = min_dilation_decide,
};

/* max-syseff: the application that adds least to SysEfficiency so far first (001). */
#include "policy/slides.h"
#include "policy/strategies.h"

static void max_syseff_decide(void *state, const struct weir_view *view, struct weir_grants *grants)
{
    slides_serve(state, view, grants, slides_efficiency);
}

const struct weir_policy_ops policy_max_syseff = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_WORK_CONSERVING | WEIR_NEEDS_HISTORY,
    .name = "max-syseff",
    .summary = "greedy by increasing p * rho~, the share in SysEfficiency",
    .paper = "Gainaru et al., slides 2015",
    .params = slides_params,
    .state_size = sizeof(struct slides),
    .app_size = sizeof(struct greedy_item),
    .init = slides_init,
    .decide = max_syseff_decide,
};

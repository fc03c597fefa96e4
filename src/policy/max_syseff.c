/* max-syseff: the application whose delay costs SysEfficiency most first (004 section 3.3.1); or,
 * as the slides print it, the one that adds least to SysEfficiency so far (001). docs/reference/strategies.md
 * tells why the first is the default. */
#include "policy/slides.h"
#include "policy/strategies.h"

static const struct weir_param params[] = {
    SLIDES_PRIORITY, SLIDES_GRANTS, SLIDES_KEY, {.name = NULL}};

static void max_syseff_decide(void *state, const struct weir_view *view, struct weir_grants *grants)
{
    struct slides *slides = state;
    slides_serve(slides, view, grants, slides->favour);
}

const struct weir_policy_ops policy_max_syseff = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_WORK_CONSERVING | WEIR_NEEDS_HISTORY | WEIR_GRANTS_ALL | WEIR_KNOWS_CURVE,
    .name = "max-syseff",
    .summary = "greedy by decreasing p rho / rho~: the largest loss of SysEfficiency first",
    .paper = "Gainaru et al., slides 2015; Zha and Shen 2022, section 3.3.1",
    .params = params,
    .state_size = sizeof(struct slides),
    .app_size = sizeof(struct greedy_item),
    .init = slides_init_keyed,
    .decide = max_syseff_decide,
};

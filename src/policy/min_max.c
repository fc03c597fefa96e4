/* min-max: as max-syseff, but as min-dilation while an active application is below gamma of its
 * ideal efficiency (001). The weighted ratio is compared, so a heavy application is protected
 * earlier. If its weight alone causes the switch it has the largest dilation, so it never loses its
 * turn by that. */
#include "policy/slides.h"
#include "policy/strategies.h"

static const struct weir_param params[] = {
    SLIDES_PRIORITY,
    SLIDES_GRANTS,
    SLIDES_KEY,
    {.name = "gamma",
     .kind = WEIR_PARAM_NUMBER,
     .initial = 0.5,
     .low = 0,
     .high = 1,
     .help = "rho~ / rho below which the most delayed are served first"},
    {.name = NULL},
};

static void min_max_init(void *state, const struct weir_setup *setup)
{
    struct slides *slides = state;
    slides_init_keyed(state, setup);
    slides->gamma = setup->params[SLIDES_PARAM_COUNT];
}

static void min_max_decide(void *state, const struct weir_view *view, struct weir_grants *grants)
{
    struct slides *slides = state;
    slides_key *key = slides->favour;
    for (uint32_t i = 0; i < view->active_count; i++)
        if (slides_progress(view, &view->runs[view->active[i]]) < slides->gamma)
            key = slides_by_dilation;
    slides_serve(slides, view, grants, key);
}

const struct weir_policy_ops policy_min_max = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_WORK_CONSERVING | WEIR_NEEDS_HISTORY | WEIR_GRANTS_ALL | WEIR_KNOWS_CURVE,
    .name = "min-max",
    .summary = "max-syseff, but min-dilation while an application is below gamma of its ideal",
    .paper = "Gainaru et al., slides 2015; Zha and Shen 2022, section 3.3.1",
    .params = params,
    .state_size = sizeof(struct slides),
    .app_size = sizeof(struct greedy_item),
    .init = min_max_init,
    .decide = min_max_decide,
};

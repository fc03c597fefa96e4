/* A plug-in that grants twice as much as there is: to the first alone, or by `all` to everybody. */
#include <weir/policy.h>

static void init(void *state, const struct weir_setup *setup)
{
    *(bool *)state = setup->params[0] > 0;
}

static void decide(void *state, const struct weir_view *view, struct weir_grants *grants)
{
    uint32_t count = *(bool *)state ? view->active_count : 1;
    for (uint32_t i = 0; i < count; i++)
        weir_grant(grants, view->active[i], 2 * view->bandwidth / count);
}

static const struct weir_param params[] = {{.name = "all", .kind = WEIR_PARAM_FLAG},
                                           {.name = NULL}};

const struct weir_policy_ops weir_policy = {.abi = WEIR_POLICY_ABI,
                                            .name = "double",
                                            .params = params,
                                            .state_size = sizeof(bool),
                                            .init = init,
                                            .decide = decide};

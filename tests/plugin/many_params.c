/* A plug-in with more parameters than there may be. */
#include <weir/policy.h>

static void decide(void *state, const struct weir_view *view, struct weir_grants *grants)
{
    (void)state;
    (void)view;
    (void)grants;
}

static const struct weir_param params[] = {
    {.name = "a"}, {.name = "b"}, {.name = "c"}, {.name = "d"}, {.name = "e"},
    {.name = "f"}, {.name = "g"}, {.name = "h"}, {.name = "i"}, {.name = NULL},
};

const struct weir_policy_ops weir_policy = {
    .abi = WEIR_POLICY_ABI, .name = "many-params", .params = params, .decide = decide};

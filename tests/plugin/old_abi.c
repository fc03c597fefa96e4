/* A plug-in built for another version of the interface. */
#include <weir/policy.h>

static void decide(void *state, const struct weir_view *view, struct weir_grants *grants)
{
    (void)state;
    (void)view;
    (void)grants;
}

const struct weir_policy_ops weir_policy = {
    .abi = WEIR_POLICY_ABI + 1, .name = "old", .decide = decide};

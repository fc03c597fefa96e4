/* A plug-in that has forgotten the one function it needs. */
#include <weir/policy.h>

const struct weir_policy_ops weir_policy = {.abi = WEIR_POLICY_ABI, .name = "no-decide"};

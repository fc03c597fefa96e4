/* What the strategies that follow a plan have in common. */
#ifndef WEIR_POLICY_PLANNED_H
#define WEIR_POLICY_PLANNED_H

#include "model/plan.h"
#include <weir/policy.h>

/* Where the plan comes from: the first parameters of each, for the caller that opens it. */
#define PLANNED_PARAMS                                                                             \
    {.name = "file",                                                                               \
     .kind = WEIR_PARAM_TEXT,                                                                      \
     .help = "a plan that 'weir plan -o FILE' wrote; without it one is made before the run"},      \
    {                                                                                              \
        .name = "objective", .kind = WEIR_PARAM_CHOICE, .choices = plan_searched_objectives,       \
        .help = "what a plan made before the run optimises"                                        \
    }
enum { PLANNED_FILE, PLANNED_OBJECTIVE, PLANNED_COUNT };

#endif

/* What the strategies that follow a plan have in common. */
#ifndef WEIR_POLICY_PLANNED_H
#define WEIR_POLICY_PLANNED_H

#include "model/plan.h"
#include <weir/policy.h>

/* Where the plan comes from: the first parameters of each, for whoever opens it. */
#define PLANNED_PARAMS                                                                             \
    {.name = "file",                                                                               \
     .kind = WEIR_PARAM_TEXT,                                                                      \
     .help = "a plan that 'weir plan -o FILE' wrote; without it one is made before the run"},      \
    {                                                                                              \
        .name = "objective", .kind = WEIR_PARAM_CHOICE, .choices = plan_searched_objectives,       \
        .help = "what a plan that is made before the run is best in"                               \
    }
enum { PLANNED_FILE, PLANNED_OBJECTIVE, PLANNED_COUNT };

#endif

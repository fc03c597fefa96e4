/* Which application gets the next instance of a pattern. */
#ifndef WEIR_PLAN_PICK_H
#define WEIR_PLAN_PICK_H

#include "plan/pattern.h"

#define PICK_NONE UINT32_MAX

/* An application that is not closed, by the rule in pattern->rules.pick; PICK_NONE if all are. */
uint32_t pick_next(const struct pattern *pattern);

#endif

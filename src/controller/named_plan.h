/* A plan of applications that are known by their names, for a strategy that follows one. */
#ifndef WEIR_CONTROLLER_NAMED_PLAN_H
#define WEIR_CONTROLLER_NAMED_PLAN_H

#include "base/err.h"
#include "model/plan.h"
#include "model/platform.h"
#include "policy/policy.h"
#include "wire/message.h"

struct named_plan {
    struct plan *plan;
    char (*names)[WIRE_NAME]; /* of its applications, as those that run have them */
};

/* The plan in the file that a strategy with WEIR_NEEDS_PLAN names, for this platform. It is read
 * with the rights of this process: only root and its own user may name one. NULL with err: there is
 * no such file, or what is planned does not fit the platform. named_plan_free frees. */
struct named_plan *named_plan_load(const struct policy *policy, const struct platform *platform,
                                   struct err *err);
void named_plan_free(struct named_plan *named); /* NULL is fine */

/* Whether a strategy, as people write it, can share this platform: it exists, and so does the plan
 * that it follows, if any. 0, or -1 with err. */
int named_plan_check(const char *strategy, const struct platform *platform, struct err *err);

/* The place of an application of this name: 1 + the number of the first one in the plan that has
 * the name and is not among the `count` places taken; 0 if there is none, or no plan. */
uint32_t named_plan_place(const struct named_plan *named, const char *name, const uint32_t *taken,
                          uint32_t count);

#endif

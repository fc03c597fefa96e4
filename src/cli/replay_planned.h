/* The plan of a replay, for a strategy that follows one. */
#ifndef WEIR_CLI_REPLAY_PLANNED_H
#define WEIR_CLI_REPLAY_PLANNED_H

#include "base/err.h"
#include "model/plan.h"
#include "model/workload.h"
#include "policy/policy.h"

struct replay_planned {
    struct plan *plan; /* NULL if the strategy follows none */
    int file;          /* the same in memory, for the controller: a process that is forked */
    char path[32];
};

/* Makes the plan that the strategy asks for. 0, or -1 with err; replay_planned_fini frees in both
 * cases. */
int replay_planned_init(struct replay_planned *planned, const struct workload *workload,
                        const struct policy *policy, struct err *err);
void replay_planned_fini(struct replay_planned *planned);

#endif

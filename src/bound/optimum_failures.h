/* States from which no schedule is in time, as far as they are remembered: newer ones replace older
 * ones. A state may have had a schedule if other I/Os had been preferred before, so what was
 * preferred belongs to it. */
#ifndef WEIR_BOUND_OPTIMUM_FAILURES_H
#define WEIR_BOUND_OPTIMUM_FAILURES_H

#include "bound/optimum_states.h"

struct optimum_failures {
    const struct optimum_states *states;
    size_t size; /* of a failure */
    uint64_t turn;
    char *bytes;
};

/* 0, or -1 when memory is out; failures_fini frees in both cases. */
int failures_init(struct optimum_failures *failures, const struct optimum_states *states,
                  struct err *err);
void failures_fini(struct optimum_failures *failures);
void failures_clear(struct optimum_failures *failures);

/* Whether a state has failed that was as far in all applications as the one that is looked at, at
 * the same time, and had as many choices. */
bool failures_include(const struct optimum_failures *failures);

/* Adds the one that is looked at. */
void failures_add(struct optimum_failures *failures);

#endif

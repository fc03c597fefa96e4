/* The best MinYield, or the smallest largest stretch, that a schedule can reach: found and proved
 * by branch and bound, for a few applications that do a few I/Os each. docs/explanation/bounds.md has the
 * proofs. */
#ifndef WEIR_BOUND_OPTIMUM_H
#define WEIR_BOUND_OPTIMUM_H

#include "base/err.h"
#include "model/workload.h"
#include <stdbool.h>
#include <stdint.h>

enum { OPTIMUM_APPLICATIONS = 64 };

struct optimum {
    double reached; /* a schedule has this MinYield, */
    double bound;   /* and none has more */
    bool proved;    /* both are the same to OPTIMUM_GAP */
    uint64_t nodes; /* decisions looked at */
};
#define OPTIMUM_GAP 1e-5

/* How long to search. */
struct optimum_effort {
    uint64_t most;  /* decisions, at least 1; with more of them the two numbers come closer */
    double reached; /* a schedule is known to reach this; 0 = none is known */
    /* Told from time to time which part of them is used, 0..1; may be NULL. */
    void (*progress)(void *context, double done);
    void *context;
};

/* 0, or -1 with err: there are more than OPTIMUM_APPLICATIONS, one cannot use the whole bandwidth
 * by itself (then schedules that give parts of it can be better, which are not searched), or memory
 * is out. */
int optimum_find(const struct workload *workload, const struct optimum_effort *effort,
                 struct optimum *optimum, struct err *err);

#endif

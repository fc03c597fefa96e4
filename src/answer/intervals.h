/* How good intervals of checkpoints are, and the best of them: what the answer to checkpoint holds.
 */
#ifndef WEIR_ANSWER_INTERVALS_H
#define WEIR_ANSWER_INTERVALS_H

#include "base/err.h"
#include "checkpoint/checkpoint.h"
#include "model/workload.h"
#include "policy/policy.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Curves go from a quarter of the best interval to four times; this many are in a picture. */
enum { INTERVALS_FINE = 33 };

/* One line: an interval of the application, or an application with its interval. */
struct advice {
    char name[APP_LABEL];
    double interval, cost;
    double overhead; /* percent of the work that its time is above it */
    double others;   /* percent by which the others are delayed */
    double alone;    /* the best interval if it were alone */
};

struct advice_list {
    struct advice *lines;
    uint32_t count, best;
};

struct intervals {
    const struct workload *workload;
    struct checkpoint_study study;
    struct failures *failures; /* of each application, filled in by the caller */
    struct checkpoint_part *parts;
    uint32_t id;   /* of the application, unless all */
    double *given; /* intervals to judge; taken over */
    size_t given_count;
    double alone;                           /* time that the others need alone, in seconds */
    struct advice_list shown, curve;        /* the curve is for a picture */
    struct checkpoint_result before, after; /* with the best intervals alone, and settled */
};

/* Both outlive it. 0, or -1 when memory is out; intervals_fini frees in both cases. */
int intervals_init(struct intervals *it, const struct workload *workload,
                   const struct policy *policy, struct err *err);
void intervals_fini(struct intervals *it);

/* Finds the best interval of the application, and others to compare it with: those given, or a
 * curve; and the curve for a picture if it is asked for. 0, or -1 with err. */
int intervals_advise(struct intervals *it, bool curve, struct err *err);

/* Finds the intervals of all applications that waste the least together; `before` and `after` tell
 * what that gains. 0, or -1 with err. */
int intervals_settle(struct intervals *it, struct err *err);

#endif

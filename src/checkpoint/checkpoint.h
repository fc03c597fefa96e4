/* Checkpoint intervals on a machine that others use too: what one costs depends on them, and on how
 * often all of them write. Found by simulation. */
#ifndef WEIR_CHECKPOINT_CHECKPOINT_H
#define WEIR_CHECKPOINT_CHECKPOINT_H

#include "base/err.h"
#include "checkpoint/interval.h"
#include "model/workload.h"
#include "policy/policy.h"

/* What is asked, and under which strategy. */
struct checkpoint_study {
    const struct workload *workload; /* without a window */
    const struct policy *policy;
    const struct failures *failures;              /* by application; between = 0: it writes none */
    void (*progress)(void *context, double done); /* NULL = none */
};

/* One application with an interval. */
struct checkpoint_part {
    double interval; /* seconds of work between two checkpoints; 0 = as in the workload */
    double cost;     /* seconds that a checkpoint takes, waiting included; the mean */
    double expected; /* seconds that its work takes with failures; NAN without checkpoints */
};

/* What comes out if all applications have given intervals. */
struct checkpoint_result {
    double wasted; /* node seconds that are not work: checkpoints, waiting, and work done twice */
    double others; /* seconds that applications without checkpoints lose */
};

/* Simulates the intervals of the parts, one per application, and fills in the rest. 0, or -1 with
 * err. */
int checkpoint_try(const struct checkpoint_study *study, struct checkpoint_part *parts,
                   struct checkpoint_result *result, struct err *err);

/* The seconds that a checkpoint of an application takes alone, its mean; 0 = it has no I/O. */
double checkpoint_alone(const struct app *app);

/* The shortest interval that can be simulated: it cuts the work into a million parts. */
double checkpoint_shortest(const struct app *app);

/* Finds the interval of one application that makes its expected time least, those of the others as
 * they are in `parts`, where it is stored. 0, or -1 with err. */
int checkpoint_best(const struct checkpoint_study *study, uint32_t id,
                    struct checkpoint_part *parts, struct err *err);

/* Finds intervals of all applications with failures that waste the least: from several beginnings,
 * each application in turn tries others, wide ones first, until none of that helps. 0, or -1 with
 * err. */
int checkpoint_settle(const struct checkpoint_study *study, struct checkpoint_part *parts,
                      struct checkpoint_result *result, struct err *err);

#endif

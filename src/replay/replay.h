/* Runs a workload for real: a controller, a store, and a process group per application. */
#ifndef WEIR_REPLAY_REPLAY_H
#define WEIR_REPLAY_REPLAY_H

#include "base/err.h"
#include "model/outcome.h"
#include "model/workload.h"
#include "sim/sim.h"
#include <stdbool.h>

struct replay {
    const struct workload *workload; /* scaled to this machine */
    const char *policy;              /* NULL: without control */
    const char *plan;                /* the file of the plan that it follows, or NULL */
    const char *directory;           /* of the store; NULL: one in memory */
    double store_limit;              /* bytes/s of the store itself; 0: unlimited */
    bool preload;                    /* I/O is recognised from the calls, not announced */
    /* Called now and then with the part that is done, 0..1; may be NULL. */
    void (*progress)(void *context, double done);
    void *context;
};

/* What happened. */
struct replayed {
    struct outcome *outcome;
    struct sim_order order; /* of the posts, as the controller received them */
    double late;            /* the most seconds a process woke up late */
};

/* Ends with the last application. Files and processes are gone then, even after a failure or an
 * interrupt. 0, or -1 with err. replayed_fini frees in both cases. */
int replay_run(const struct replay *replay, struct replayed *replayed, struct err *err);
void replayed_fini(struct replayed *replayed);

/* Seconds from the end of an I/O until the controller of a replay gives its bandwidth to others:
 * the simulation it is compared with uses the same. */
double replay_release_latency(const struct replay *replay);

#endif

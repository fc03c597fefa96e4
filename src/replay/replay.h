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
    const char *directory;           /* of the store; NULL: one in memory */
    double store_limit;              /* bytes/s that the store itself can move; 0: as it is */
    bool preload;                    /* I/O is recognised from the calls, nobody announces it */
    /* Told from time to time how much is done, 0..1; may be NULL. */
    void (*progress)(void *context, double done);
    void *context;
};

/* What happened. */
struct replayed {
    struct outcome *outcome;
    struct sim_order order; /* in which the controller heard of the I/Os */
    double late;            /* seconds by which a process woke up too late, at most */
};

/* Ends when all applications have; files and processes are gone then, also after a failure or an
 * interrupt. 0, or -1 with err. replayed_fini frees in both cases. */
int replay_run(const struct replay *replay, struct replayed *replayed, struct err *err);
void replayed_fini(struct replayed *replayed);

/* Seconds after the end of an I/O at which the controller of a replay gives the bandwidth on: for
 * the simulation to compare it with. */
double replay_release_latency(const struct replay *replay);

#endif

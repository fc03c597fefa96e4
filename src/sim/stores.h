/* Several stores in one simulation: each has a controller and a strategy of its own, and an
 * application has an I/O on one of them at a time. The simulator works on one store at hand, whose
 * parts are members of struct sim; going to another one exchanges them. Where there is one store
 * and no limit, none of this exists.
 *
 * On a store, an application with an I/O elsewhere counts as working. At the end of that I/O the
 * others hear what it would have taken alone, and what was lost. */
#ifndef WEIR_SIM_STORES_H
#define WEIR_SIM_STORES_H

#include "control/limits.h"
#include "model/outcome.h"
#include "model/workload.h"
#include "policy/policy.h"

struct sim;

/* The parts of a store that is not at hand. */
struct sim_store {
    struct control *control;
    const struct weir_run *runs;
    const struct policy *policy;
    struct actual *actual;
    struct flows *flows;
    struct check *check;
    struct untouched *untouched;
    double bandwidth;
    bool varies;
    struct health_clock health;
    uint64_t quiet;
    double *curve;
};

/* A store as a workload of its own: its bandwidth, and what applications can move there. */
struct sim_channel {
    struct sim_store parts;
    struct workload workload;
    struct policy *own;          /* its strategy, if it is not that of the run */
    struct limited *limited;     /* by application; only with limits of users */
    struct limited_user *users;  /* by party, 0 = unknown */
    bool changed;                /* since its last decision */
};

struct sim_stores {
    struct sim_channel list[STORE_CHANNELS];
    uint32_t count, here;
    bool by_user;   /* limits of users are divided */
    double *ideal;  /* by application: what its finished iterations take alone, */
    double *worked; /* the work in them, */
    double *before; /* and what it had lost when it posted its current I/O */
    struct app_channel_span *spans; /* by channel and application, of finished I/Os */
};

/* Opens all stores, the first at hand. 0 or -1; stores_close in both cases. */
int stores_open(struct sim *sim, struct err *err);
void stores_close(struct sim *sim);

/* Makes this store the one at hand. */
void stores_go(struct sim *sim, uint32_t channel);

/* What happens to an application, on all stores. */
void stores_join(struct sim *sim, uint32_t id, double lost);
void stores_leave(struct sim *sim, uint32_t id);
void stores_iterate(struct sim *sim, uint32_t id, double work);

/* It posts the I/O of iteration k, on a store that is at hand from now on. */
void stores_post(struct sim *sim, uint32_t id, uint32_t k);

/* Its I/O was complete on the store at hand when it had lost this much: the others hear of it. */
void stores_complete(struct sim *sim, uint32_t id, double lost);

/* Before the decision on the store at hand: the limits of users are divided. */
void stores_divide(struct sim *sim);

/* What an application has lost in all, worked, and moved and lost by channel, up to now. */
double stores_lost(struct sim *sim, uint32_t id);
double stores_worked(struct sim *sim, uint32_t id);
struct app_channel_span stores_span(struct sim *sim, uint32_t channel, uint32_t id);

#endif

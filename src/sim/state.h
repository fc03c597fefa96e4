/* What a simulation consists of; private to this room. */
#ifndef WEIR_SIM_STATE_H
#define WEIR_SIM_STATE_H

#include "base/agenda.h"
#include "control/check.h"
#include "control/control.h"
#include "plan/answer.h"
#include "sim/actual.h"
#include "sim/flows.h"
#include "sim/recorder.h"
#include "sim/sim.h"
#include "sim/stores.h"
#include "sim/untouched.h"
#include "sim/wanting.h"

struct sim {
    const struct workload *workload;
    const struct sim_options *options;
    const struct policy *policy;
    struct control *control;
    struct direct_planner planner; /* plans in no time */
    struct agenda times;           /* per application: its release, or the end of its work */
    const struct weir_run *runs;
    struct agenda late;    /* per application: when the end of its I/O will be noticed */
    double *lost;          /* ... and what it had lost then; both only with a release latency */
    struct actual *actual; /* what remains of its I/O; only if the controller does not know */
    struct flows *flows;   /* the store, where applications make large calls; else NULL */
    double bandwidth;      /* what the store is rated at; */
    bool varies;           /* it does, */
    struct health_clock health; /* as this says, */
    uint64_t quiet;             /* how often in a row it has while nothing else was to come */
    double *curve;              /* what the store loses by the number that use it, or NULL */
    struct sim_stores *stores;  /* several, or limits of users; else NULL. Of several, the policy,
                                   the controller, and all that is said of the store are those of
                                   the store at hand */
    bool detours;  /* one of these is there: not all events are what it predicts */
    bool *early;   /* per application: waits for its turn; only with an order */
    size_t turn;   /* the next of the order, */
    double posted; /* and when the one before it was posted */
    struct outcome *outcome;
    struct check *check;         /* or NULL */
    struct untouched *untouched; /* of a foreign strategy, or NULL */
    struct watcher watcher;      /* of the caller, or the recorder's; without functions = none */
    bool rates_told;             /* to the watcher */
    struct recorder *recorder;   /* or NULL */
    struct wanting *wanting;     /* or NULL: it is not known whose the applications are */
    uint32_t running;            /* applications that have not finished */
    uint32_t woken;              /* by timers since woken_from, of a foreign strategy */
    double woken_from;
    double now;
};

/* --- one application ------------------------------------------------------------------------ */

static inline bool sim_released(const struct sim *sim, uint32_t id)
{
    return sim->runs[id].app != NULL;
}

/* Whether its I/O is complete and the controller does not know. */
static inline bool sim_lingers(const struct sim *sim, uint32_t id)
{
    return sim->lost && agenda_get(&sim->late, id) != INFINITY;
}

/* Its iteration, 0.. */
static inline uint32_t sim_current(const struct sim *sim, uint32_t id)
{
    return sim->runs[id].finished + sim_lingers(sim, id);
}

/* --- one store ------------------------------------------------------------------------------ */

/* Opens the controller of a store, with the strategy at hand, and what belongs to it; closes them
 * again. 0 or -1. */
int state_open(struct sim *sim, const struct workload *workload, struct err *err);
void state_close(struct sim *sim);

/* Takes the parts of the store at hand out of the simulation, or puts others in. */
static inline void state_take(const struct sim *sim, struct sim_store *parts)
{
    *parts = (struct sim_store){.control = sim->control,
                                .runs = sim->runs,
                                .policy = sim->policy,
                                .actual = sim->actual,
                                .flows = sim->flows,
                                .check = sim->check,
                                .untouched = sim->untouched,
                                .bandwidth = sim->bandwidth,
                                .varies = sim->varies,
                                .health = sim->health,
                                .quiet = sim->quiet,
                                .curve = sim->curve};
}

static inline void state_bring(struct sim *sim, const struct sim_store *parts)
{
    sim->control = parts->control;
    sim->runs = parts->runs;
    sim->policy = parts->policy;
    sim->actual = parts->actual;
    sim->flows = parts->flows;
    sim->check = parts->check;
    sim->untouched = parts->untouched;
    sim->bandwidth = parts->bandwidth;
    sim->varies = parts->varies;
    sim->health = parts->health;
    sim->quiet = parts->quiet;
    sim->curve = parts->curve;
}

/* --- what is measured ----------------------------------------------------------------------- */

/* At the start: what every application had lost and worked before. */
void spans_begin(struct sim *sim);

/* At the end: fills in the outcome. The agenda is gone then, and the controller has stopped. */
void spans_end(struct sim *sim);

#endif

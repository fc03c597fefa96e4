/* The simulator: a workload under a strategy, in virtual time, with exact piecewise-constant
 * rates (docs/explanation/model.md). It drives the controller and adds nothing to what that decides. */
#ifndef WEIR_SIM_SIM_H
#define WEIR_SIM_SIM_H

#include "base/err.h"
#include "base/maths.h"
#include "model/outcome.h"
#include "model/plan.h"
#include "model/watcher.h"
#include "model/workload.h"
#include "policy/policy.h"
#include <stdbool.h>

/* Events this close, relative, fall on the same instant, unless that takes more than SIM_PART of
 * the phase before the later one, and more than a few units in the last place of the time. */
#define SIM_INSTANT 1e-12
#define SIM_PART    1e-9

/* Whether an event after a phase of this length falls on the instant `now`, which is not past. */
static inline bool sim_is_now(double now, double time, double length)
{
    double ahead = time - now;
    return ahead <= MATHS_ROUNDING * now ||
           (ahead <= SIM_INSTANT * now && ahead <= SIM_PART * length);
}

/* The applications of all I/Os of a workload, one after the other. */
struct sim_order {
    uint32_t *ids;
    size_t count;
};

struct sim_options {
    const struct plan *plan; /* what a strategy with WEIR_NEEDS_PLAN follows; else NULL */
    bool check; /* verify the rules and bytes after every decision; of a foreign strategy always */
    /* The controller learns of the end of an I/O this many seconds late, as it does on a live
     * machine that recognises ends from quiet: the bandwidth is held meanwhile, the application
     * works on. It learns at once when the application ends, an iteration without I/O included, or
     * posts again. 0 = at once. */
    double release_latency;
    /* Of every I/O of the workload, the volume that the controller expects until it has moved that
     * much, see model/knowledge.h; NULL = it knows. The I/Os are those of the workload itself. */
    const struct workload *expected;
    bool blind;          /* that of the first I/O of each application is a guess */
    double progress_age; /* strategies see progress as of at most this many seconds ago; 0 = now */
    /* The order in which I/Os are posted, for a workload without a window: one that is ready before
     * its turn is posted right after the one before it. NULL = as they come. */
    const struct sim_order *order;
    struct sim_order
        *posted; /* record the order in which they are, or NULL; free() frees its ids */
    struct timeline *timeline;     /* record what happens, or NULL */
    const struct watcher *watcher; /* told what happens, without a timeline; or NULL */
    /* Told from time to time how much of the run is done, 0..1; may be NULL. */
    void (*progress)(void *context, double done);
    /* Asked from time to time; other than 0 ends the run with an error. May be NULL. */
    int (*stop)(void *context);
    void (*ended)(void *context, uint32_t id); /* told that an application has ended, or NULL */
    void *context;
};

/* Runs to the window's end, or until all applications have finished. NULL with err when memory
 * is out, the caller stops it, a rule is broken and checked, the strategy never grants anything
 * again, or it follows a plan and has none for this number of applications. outcome_free frees.
 * `options` may be NULL. */
struct outcome *sim_run(const struct workload *workload, const struct policy *policy,
                        const struct sim_options *options, struct err *err);

/* --- step by step --------------------------------------------------------------------------- */

/* For a caller that decides during the run which application starts when, as mapping does: releases
 * and the window are ignored. At each instant: sim_advance; sim_start for each one that starts;
 * sim_decide once; at last, sim_end. `workload`, `policy` and `options` outlive it; NULL with err,
 * as sim_run. */
struct sim *sim_new(const struct workload *workload, const struct policy *policy,
                    const struct sim_options *options, struct err *err);
void sim_free(struct sim *sim); /* NULL is fine */

/* When something happens next of itself; INFINITY if nothing does. */
double sim_next(const struct sim *sim);

/* Applies all changes up to `now`, which is at most sim_next and not before the last instant. 0, or
 * -1 when an invariant is broken. */
int sim_advance(struct sim *sim, double now, struct err *err);

/* Starts an application that has not started yet; its facts have now as its release. */
void sim_start(struct sim *sim, uint32_t id);

/* The one decision of the instant. 0, or -1 when an invariant is broken, or memory is out for the
 * timeline. */
int sim_decide(struct sim *sim, struct err *err);

/* After the last instant. 0, or -1 when a foreign strategy has changed what it was shown. */
int sim_end(struct sim *sim, struct err *err);

/* Reports that the strategy will never grant anything again; -1. */
int sim_stuck(const struct sim *sim, struct err *err);

#endif

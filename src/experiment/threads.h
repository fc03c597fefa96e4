/* A campaign on one machine: threads run, one writer stores. */
#ifndef WEIR_EXPERIMENT_THREADS_H
#define WEIR_EXPERIMENT_THREADS_H

#include "base/err.h"
#include "experiment/campaign.h"
#include "experiment/pending.h"
#include "store/database.h"
#include <stdbool.h>
#include <stddef.h>

/* How far it is: runs that were stored now, and those of them that failed. */
struct campaign_tally {
    size_t done, failed;
    size_t lost; /* workers that did not come to their end */
};

/* Where results go. `take` is called by the thread that began it, with some results and the runs
 * that they are of; they are freed after it. 0; 1 = begin no more runs, but those under way still
 * come; or -1 with err. */
struct campaign_sink {
    int (*take)(void *context, const uint32_t *runs, const struct run_result *results, size_t count,
                struct err *err);
    void *context;
};

/* A database, which is the context: all of them in one transaction. */
int campaign_store(void *database, const uint32_t *runs, const struct run_result *results,
                   size_t count, struct err *err);

struct campaign_task {
    const struct campaign *campaign;
    struct pending *pending;   /* what to do */
    struct campaign_sink sink; /* where it goes */
    size_t jobs;               /* threads, at least 1 */
    double patience;           /* with a worker in another process, s: then others get its runs */
    /* Called by the writer after each transaction; may be NULL. */
    void (*progress)(void *context, const struct campaign_tally *tally);
    void *context;
    /* Asked by the calling thread from time to time whether to stop; may be NULL. */
    int (*stop)(void *context);
    void *stop_context;
    bool leave; /* once it is stopped, do not wait for runs that are under way */
};

/* Does what is pending. A run that fails is a result as well. 0; or 1 when it was stopped, by its
 * sink or its caller: then,
 * if it may leave them, threads may still be in the midst of a run, so the campaign and its pending
 * runs must stay until the process ends; or -1 with err when a result cannot be stored, or memory
 * is out: what was stored before stays, and the rest is done the next time. */
typedef int campaign_runner(const struct campaign_task *task, struct campaign_tally *tally,
                            struct err *err);

campaign_runner campaign_run;

#endif

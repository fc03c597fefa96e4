/* A campaign on one machine: threads run, one writer stores. */
#ifndef WEIR_CAMPAIGN_THREADS_H
#define WEIR_CAMPAIGN_THREADS_H

#include "base/err.h"
#include "campaign/campaign.h"
#include "campaign/pending.h"
#include "store/database.h"
#include <stdbool.h>
#include <stddef.h>

/* How far it is: runs that were stored now, and those of them that failed. */
struct campaign_tally {
    size_t done, failed;
    size_t lost; /* workers that did not come to their end */
};

struct campaign_task {
    const struct campaign *campaign;
    struct pending *pending;   /* what to do */
    struct database *database; /* where it goes */
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

/* Does what is pending. A run that fails is a result as well. 0; or 1 when it was stopped: then,
 * if it may leave them, threads may still be in the midst of a run, so the campaign and its pending
 * runs must stay until the process ends; or -1 with err when a result cannot be stored, or memory is out:
 * what was stored before stays, and the rest is done the next time. */
typedef int campaign_runner(const struct campaign_task *task, struct campaign_tally *tally,
                            struct err *err);

campaign_runner campaign_run;

#endif

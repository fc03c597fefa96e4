/* Runs of a campaign one after the other; each thread or process has its own worker. */
#ifndef WEIR_EXPERIMENT_WORKER_H
#define WEIR_EXPERIMENT_WORKER_H

#include "base/err.h"
#include "experiment/campaign.h"
#include "model/workload.h"
#include "store/result.h"

/* It keeps the workload of its last run, since the next one often has the same. */
struct campaign_worker {
    const struct campaign *campaign;
    size_t number;             /* of the workload, from 1 on; 0 = none yet */
    struct campaign_draw draw; /* its scenario */
    struct workload *workload; /* NULL = it cannot be made, and fault says why */
    char *parameters;
    struct err fault;
    unsigned patience; /* with plug-ins, see apart.h; APART_PATIENCE at first */
};

void campaign_worker_init(struct campaign_worker *worker, const struct campaign *campaign);
void campaign_worker_fini(struct campaign_worker *worker);

/* Does it, under a plug-in in a process of its own: whatever fails becomes the error of the result.
 * result_fini frees. */
void campaign_worker_run(struct campaign_worker *worker, size_t run, struct run_result *result);

#endif

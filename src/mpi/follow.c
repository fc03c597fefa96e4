/* The ranks that run. */
#include "base/mem.h"
#include "experiment/parcel.h"
#include "experiment/worker.h"
#include "mpi/message.h"
#include "mpi/ranks.h"
#include <stdlib.h>
#include <string.h>

/* Sends the result of a run. 0 or -1. */
static int follow_send(uint32_t run, const struct run_result *result, struct err *err)
{
    size_t size;
    char *parcel = parcel_pack(result, &size, err);
    char *data = parcel ? mem_alloc(sizeof run + size, 1) : NULL;
    int status = data ? 0 : err_memory(err);
    if (data) {
        memcpy(data, &run, sizeof run);
        memcpy(data + sizeof run, parcel, size);
        if (message_send(0, MESSAGE_RESULT, data, sizeof run + size) < 0)
            status = err_set(err, "rank 0 is gone");
    }
    free(data);
    free(parcel);
    return status;
}

static int follow_run(struct campaign_worker *worker, uint32_t run, struct err *err)
{
    struct run_result result;
    if (run >= worker->campaign->runs)
        return err_set(err, "rank 0 runs another campaign");
    campaign_worker_run(worker, run, &result);
    int status = follow_send(run, &result, err);
    result_fini(&result);
    return status;
}

/* 1 = go on, 0 = there are no more, or -1. */
static int follow_once(struct campaign_worker *worker, struct err *err)
{
    struct message message;
    if (message_send(0, MESSAGE_READY, NULL, 0) < 0 || message_wait(0, &message) < 0)
        return err_set(err, "rank 0 is gone");
    int status = message.size >= sizeof(uint32_t);
    for (size_t at = 0; status > 0 && at + sizeof(uint32_t) <= message.size;
         at += sizeof(uint32_t)) {
        uint32_t run;
        memcpy(&run, message.data + at, sizeof run);
        if (follow_run(worker, run, err) < 0)
            status = -1;
    }
    free(message.data);
    return status;
}

int ranks_follow(const struct campaign *campaign, struct err *err)
{
    struct campaign_worker worker;
    int status = 1;
    campaign_worker_init(&worker, campaign);
    while (status > 0)
        status = follow_once(&worker, err);
    campaign_worker_fini(&worker);
    return status;
}

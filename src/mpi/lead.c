/* Rank 0: hands out runs and stores results. */
#include "base/mem.h"
#include "client/clock.h"
#include "experiment/parcel.h"
#include "mpi/message.h"
#include "mpi/ranks.h"
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LEAD_BATCH = 64 };

/* What is known of another rank. */
struct lead_rank {
    uint32_t *runs; /* that it has, in order; results come in this order */
    size_t count, done;
    double since; /* when it was last heard of */
    bool waiting; /* it wants runs, and there are none */
    bool lost;    /* it is silent; its runs are others' */
    bool home;    /* it was told that there are no more, or it cannot be */
};

struct rank_leader {
    const struct campaign_task *task;
    struct campaign_tally *tally;
    struct lead_rank *followers; /* by rank; that of rank 0 is not used */
    int ranks;
    bool *stored;    /* by run: it came */
    uint32_t *again; /* runs of lost ranks, to be handed out again */
    size_t again_count;
    size_t left;    /* runs that have not come */
    double longest; /* time between two messages of a rank with runs */
    struct run_result batch[LEAD_BATCH];
    size_t batched;
    struct err *err;
};

/* --- handing out -------------------------------------------------------------------------------
 */

/* How long a rank with runs may be silent: longer than any was before it answered. */
static double lead_patience(const struct rank_leader *leader)
{
    return fmax(leader->task->patience, 3 * leader->longest);
}

/* Its runs that have not come go to others. */
static void lead_lose(struct rank_leader *leader, struct lead_rank *follower)
{
    for (size_t i = follower->done; i < follower->count; i++)
        if (!leader->stored[follower->runs[i]])
            leader->again[leader->again_count++] = follower->runs[i];
    follower->count = follower->done = 0;
    follower->lost = true;
}

/* What it gets next: runs of lost ranks one by one, once all others are handed out. */
static void lead_choose(struct rank_leader *leader, struct lead_rank *follower)
{
    struct pending *pending = leader->task->pending;
    size_t count, first = pending_take(pending, (size_t)leader->ranks - 1, &count);
    follower->done = 0;
    follower->count = count;
    memcpy(follower->runs, pending->runs + first, count * sizeof *follower->runs);
    while (follower->count == 0 && leader->again_count > 0) {
        uint32_t run = leader->again[--leader->again_count];
        if (!leader->stored[run])
            follower->runs[follower->count++] = run;
    }
}

/* Sends what there is to do; a rank for which there is nothing waits. */
static void lead_assign(struct rank_leader *leader, int rank)
{
    struct lead_rank *follower = &leader->followers[rank];
    lead_choose(leader, follower);
    follower->waiting = follower->count == 0;
    follower->since = clock_now();
    if (!follower->waiting && message_send(rank, MESSAGE_RUNS, follower->runs,
                                           follower->count * sizeof *follower->runs) < 0) {
        lead_lose(leader, follower);
        follower->home = true;
    }
}

/* --- results -----------------------------------------------------------------------------------
 */

static int lead_flush(struct rank_leader *leader)
{
    const struct campaign_task *task = leader->task;
    if (leader->batched == 0)
        return 0;
    int status =
        task->sink.take(task->sink.context, NULL, leader->batch, leader->batched, leader->err);
    for (size_t i = 0; i < leader->batched; i++) {
        leader->tally->done++;
        leader->tally->failed += leader->batch[i].error != NULL;
        result_fini(&leader->batch[i]);
    }
    leader->batched = 0;
    if (status == 0 && task->progress)
        task->progress(task->context, leader->tally);
    return status;
}

/* One that has come already, from a rank that was taken for lost, is dropped: it is the same. */
static int lead_receive(struct rank_leader *leader, struct lead_rank *follower,
                        const struct message *message)
{
    uint32_t run;
    if (message->size < sizeof run)
        return err_set(leader->err, "a rank sent less than a result");
    memcpy(&run, message->data, sizeof run);
    if (run >= leader->task->campaign->runs)
        return err_set(leader->err, "a rank runs another campaign");
    if (follower->done < follower->count && follower->runs[follower->done] == run)
        follower->done++;
    if (leader->stored[run])
        return 0;
    if (parcel_unpack(message->data + sizeof run, message->size - sizeof run,
                      &leader->batch[leader->batched], leader->err) < 0)
        return -1;
    leader->stored[run] = true;
    leader->left--;
    leader->batched++;
    return leader->batched == LEAD_BATCH ? lead_flush(leader) : 0;
}

static int lead_handle(struct rank_leader *leader, int rank, const struct message *message)
{
    struct lead_rank *follower = &leader->followers[rank];
    double now = clock_now();
    if (follower->done < follower->count)
        leader->longest = fmax(leader->longest, now - follower->since);
    follower->since = now;
    follower->lost = false;
    if (message->tag == MESSAGE_RESULT)
        return lead_receive(leader, follower, message);
    lead_assign(leader, rank);
    return 0;
}

/* --- the loop ----------------------------------------------------------------------------------
 */

/* Takes one message of a rank, or notices that it is lost. 1 = something happened, 0, or -1. */
static int lead_attend(struct rank_leader *leader, int rank)
{
    struct lead_rank *follower = &leader->followers[rank];
    struct message message;
    int came = follower->home ? 0 : message_poll(rank, &message);
    if (came > 0) {
        int status = lead_handle(leader, rank, &message);
        free(message.data);
        return status < 0 ? -1 : 1;
    }
    bool silent = !follower->waiting && clock_now() - follower->since > lead_patience(leader);
    if (!follower->lost && (came < 0 || silent))
        lead_lose(leader, follower);
    if (came < 0)
        follower->home = true;
    else if (follower->waiting && leader->again_count > 0)
        lead_assign(leader, rank);
    return 0;
}

static int lead_count_lost(const struct rank_leader *leader)
{
    int lost = 0;
    for (int rank = 1; rank < leader->ranks; rank++)
        lost += leader->followers[rank].lost;
    return lost;
}

static bool lead_must_stop(const struct rank_leader *leader)
{
    return leader->task->stop && leader->task->stop(leader->task->stop_context);
}

/* Until every result has come. 0, 1 when it is stopped, or -1. */
static int lead_loop(struct rank_leader *leader)
{
    int idle = 0;
    while (leader->left > 0) {
        int busy = 0;
        for (int rank = 1; rank < leader->ranks; rank++) {
            int happened = lead_attend(leader, rank);
            if (happened < 0)
                return -1;
            busy += happened;
        }
        if (busy == 0 && lead_count_lost(leader) == leader->ranks - 1)
            return err_set(leader->err,
                           "all other ranks are lost; what was stored is safe: run the "
                           "same command again");
        if (busy > 0)
            idle = 0;
        else if (leader->batched > 0) {
            if (lead_flush(leader) < 0)
                return -1;
        } else
            message_rest(&idle);
        if (lead_must_stop(leader))
            return lead_flush(leader) < 0 ? -1 : 1;
    }
    return lead_flush(leader);
}

/* Every rank asks for more once it has done what it has; so all but the lost are told. */
static void lead_send_home(struct rank_leader *leader)
{
    double since = clock_now();
    int idle = 0, away = 1;
    while (away > 0 && clock_now() - since < lead_patience(leader)) {
        away = 0;
        for (int rank = 1; rank < leader->ranks; rank++) {
            struct lead_rank *follower = &leader->followers[rank];
            struct message message;
            int came = follower->home ? 0 : message_poll(rank, &message);
            bool asks = follower->waiting || (came > 0 && message.tag == MESSAGE_READY);
            if (came > 0)
                free(message.data);
            if (came < 0)
                follower->lost = follower->home = true;
            if (asks && !follower->home) {
                follower->lost = message_send(rank, MESSAGE_RUNS, NULL, 0) < 0;
                follower->home = true;
            }
            away += !follower->home && !follower->lost;
        }
        if (away > 0)
            message_rest(&idle);
    }
    for (int rank = 1; rank < leader->ranks; rank++)
        leader->followers[rank].lost |= !leader->followers[rank].home;
}

/* --- the whole ---------------------------------------------------------------------------------
 */

static int lead_init(struct rank_leader *leader)
{
    const struct campaign *campaign = leader->task->campaign;
    leader->followers = mem_alloc((size_t)leader->ranks, sizeof *leader->followers);
    leader->stored = mem_alloc(campaign->runs, sizeof *leader->stored);
    leader->again = mem_alloc(campaign->runs, sizeof *leader->again);
    bool failed = !leader->followers || !leader->stored || !leader->again;
    for (int rank = 1; !failed && rank < leader->ranks; rank++) {
        struct lead_rank *follower = &leader->followers[rank];
        follower->runs = mem_alloc(campaign->policy_count, sizeof *follower->runs);
        follower->since = clock_now();
        failed = !follower->runs;
    }
    return failed ? err_memory(leader->err) : 0;
}

static void lead_fini(struct rank_leader *leader)
{
    for (size_t i = 0; i < leader->batched; i++)
        result_fini(&leader->batch[i]);
    for (int rank = 1; leader->followers && rank < leader->ranks; rank++)
        free(leader->followers[rank].runs);
    free(leader->followers);
    free(leader->stored);
    free(leader->again);
    free(leader);
}

int ranks_lead(const struct campaign_task *task, struct campaign_tally *tally, struct err *err)
{
    struct rank_leader *leader = mem_alloc(1, sizeof *leader);
    *tally = (struct campaign_tally){0};
    if (!leader)
        return err_memory(err);
    *leader = (struct rank_leader){
        .task = task, .tally = tally, .left = task->pending->count, .err = err};
    MPI_Comm_size(MPI_COMM_WORLD, &leader->ranks);
    int status = lead_init(leader);
    if (status == 0)
        status = lead_loop(leader);
    if (leader->followers && status <= 0)
        lead_send_home(leader);
    tally->lost = (size_t)(leader->followers ? lead_count_lost(leader) : leader->ranks);
    lead_fini(leader);
    return status;
}

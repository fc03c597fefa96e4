#include "experiment/threads.h"
#include "base/mem.h"
#include "experiment/worker.h"
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

/* A transaction costs as much as several results. So the writer lets results gather, but for so
 * short a time that whatever ends the process costs hardly more than the runs that are in work. The
 * queue holds what comes meanwhile, and few enough that memory stays small. */
enum { CREW_QUEUE = 256, CREW_GATHER_MS = 100 };

/* Results and the runs that they are of. */
struct crew_queue {
    struct run_result results[CREW_QUEUE];
    uint32_t runs[CREW_QUEUE];
    size_t count;
};

/* What the threads share, all guarded by the lock but what is constant. */
struct crew {
    struct campaign_task copy; /* workers may outlive the caller's */
    const struct campaign_task *task;
    pthread_mutex_t lock;
    pthread_cond_t filled, emptied;
    struct crew_queue *queue;
    size_t jobs, working;
    bool stopped; /* by a failure of the writer, or by the task */
};

static bool crew_must_stop(const struct crew *crew)
{
    return crew->task->stop && crew->task->stop(crew->task->stop_context);
}

/* --- workers -----------------------------------------------------------------------------------
 */

static size_t crew_take(struct crew *crew, size_t *count)
{
    pthread_mutex_lock(&crew->lock);
    size_t first = pending_take(crew->task->pending, crew->jobs, count);
    pthread_mutex_unlock(&crew->lock);
    return first;
}

/* Hands over the result, if need be after the next transaction. False when there is none any more.
 */
static bool crew_put(struct crew *crew, uint32_t run, struct run_result *result)
{
    pthread_mutex_lock(&crew->lock);
    while (crew->queue->count == CREW_QUEUE && !crew->stopped)
        pthread_cond_wait(&crew->emptied, &crew->lock);
    bool goes_on = !crew->stopped;
    if (goes_on) {
        struct crew_queue *queue = crew->queue;
        queue->runs[queue->count] = run;
        queue->results[queue->count++] = *result;
        if (queue->count == 1 || queue->count == CREW_QUEUE / 2)
            pthread_cond_signal(&crew->filled);
    }
    pthread_mutex_unlock(&crew->lock);
    if (!goes_on)
        result_fini(result);
    return goes_on;
}

static void *crew_work(void *context)
{
    struct crew *crew = context;
    struct campaign_worker worker;
    size_t first, count;
    bool goes_on = true;
    campaign_worker_init(&worker, crew->task->campaign);
    while (goes_on && (first = crew_take(crew, &count), count > 0)) {
        for (size_t i = 0; goes_on && i < count; i++) {
            struct run_result result;
            uint32_t run = crew->task->pending->runs[first + i];
            campaign_worker_run(&worker, run, &result);
            goes_on = crew_put(crew, run, &result);
        }
    }
    campaign_worker_fini(&worker);
    pthread_mutex_lock(&crew->lock);
    crew->working--;
    pthread_cond_signal(&crew->filled);
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

/* --- the writer --------------------------------------------------------------------------------
 */

/* Waits until results have gathered, or there will be no more. */
static void crew_gather(struct crew *crew)
{
    do {
        struct timespec end;
        clock_gettime(CLOCK_MONOTONIC, &end);
        end.tv_nsec += CREW_GATHER_MS * 1000000l;
        end.tv_sec += end.tv_nsec / 1000000000l;
        end.tv_nsec %= 1000000000l;
        int status = 0;
        while (status == 0 && crew->queue->count < CREW_QUEUE / 2 && crew->working > 0)
            status = pthread_cond_timedwait(&crew->filled, &crew->lock, &end);
    } while (crew->queue->count == 0 && crew->working > 0 && !crew_must_stop(crew));
}

/* Exchanges the queue for an empty one. 0 = all workers have ended, or nothing more is wanted. */
static size_t crew_collect(struct crew *crew, struct crew_queue **empty)
{
    pthread_mutex_lock(&crew->lock);
    crew_gather(crew);
    struct crew_queue *full = crew->queue;
    crew->queue = *empty;
    crew->queue->count = 0;
    *empty = full;
    pthread_cond_broadcast(&crew->emptied);
    pthread_mutex_unlock(&crew->lock);
    return full->count;
}

/* Begins no more runs. */
static void crew_finish(struct crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    crew->task->pending->next = crew->task->pending->count;
    pthread_mutex_unlock(&crew->lock);
}

static void crew_stop(struct crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    crew->stopped = true;
    crew->task->pending->next = crew->task->pending->count;
    pthread_cond_broadcast(&crew->emptied);
    pthread_mutex_unlock(&crew->lock);
}

int campaign_store(void *database, const uint32_t *runs, const struct run_result *results,
                   size_t count, struct err *err)
{
    (void)runs;
    return database_store(database, results, count, err);
}

/* Hands over what has gathered. After a failure it only empties the queue. */
static int crew_write(struct crew *crew, struct crew_queue *batch, struct campaign_tally *tally,
                      struct err *err)
{
    const struct campaign_task *task = crew->task;
    int status = 0;
    size_t count;
    while ((count = crew_collect(crew, &batch)) > 0) {
        if (status >= 0) {
            int taken =
                task->sink.take(task->sink.context, batch->runs, batch->results, count, err);
            status = taken ? taken : status;
        }
        for (size_t i = 0; i < count; i++) {
            tally->done += status >= 0;
            tally->failed += status >= 0 && batch->results[i].error;
            result_fini(&batch->results[i]);
        }
        if (status >= 0 && task->progress)
            task->progress(task->context, tally);
        if (status < 0 || crew_must_stop(crew))
            crew_stop(crew);
        else if (status > 0)
            crew_finish(crew);
    }
    free(batch);
    return status < 0 ? -1 : 0;
}

/* --- the whole ---------------------------------------------------------------------------------
 */

/* As many as can be started; signals are the calling thread's. */
static void crew_start(struct crew *crew, pthread_t *threads)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    size_t started = 0;
    pthread_mutex_lock(&crew->lock);
    while (started < crew->jobs && pthread_create(&threads[started], NULL, crew_work, crew) == 0)
        started++;
    crew->jobs = crew->working = started;
    pthread_mutex_unlock(&crew->lock);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* NULL when memory is out. */
static struct crew *crew_new(const struct campaign_task *task)
{
    struct crew *crew = mem_alloc(1, sizeof *crew);
    if (!crew)
        return NULL;
    *crew = (struct crew){.copy = *task,
                          .task = &crew->copy,
                          .lock = PTHREAD_MUTEX_INITIALIZER,
                          .emptied = PTHREAD_COND_INITIALIZER,
                          .queue = mem_alloc(1, sizeof *crew->queue),
                          .jobs = task->jobs};
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&crew->filled, &monotonic);
    return crew;
}

/* Whether it was stopped while workers are busy, whom nobody waits for. */
static bool crew_is_left(struct crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    bool left = crew->task->leave && crew->working > 0 && crew_must_stop(crew);
    pthread_mutex_unlock(&crew->lock);
    return left;
}

/* 1 = they still work. */
static int crew_run(struct crew *crew, struct crew_queue *batch, struct campaign_tally *tally,
                    struct err *err)
{
    pthread_t *threads = mem_alloc(crew->jobs, sizeof *threads);
    if (!threads) {
        free(batch);
        return err_memory(err);
    }
    crew_start(crew, threads);
    int status = crew_write(crew, batch, tally, err);
    if (status == 0 && crew_is_left(crew)) {
        crew_stop(crew);
        free(threads);
        return 1;
    }
    for (size_t i = 0; i < crew->jobs; i++)
        pthread_join(threads[i], NULL);
    if (status == 0 && crew->jobs == 0)
        status = err_set(err, "cannot start a thread");
    free(threads);
    return status;
}

int campaign_run(const struct campaign_task *task, struct campaign_tally *tally, struct err *err)
{
    struct crew *crew = crew_new(task);
    struct crew_queue *batch = mem_alloc(1, sizeof *batch);
    *tally = (struct campaign_tally){0};
    if (!crew || !batch || !crew->queue) {
        free(batch);
        if (crew)
            free(crew->queue);
        free(crew);
        return err_memory(err);
    }
    int status = crew_run(crew, batch, tally, err);
    if (status > 0)
        return status;
    free(crew->queue);
    free(crew);
    bool early = status == 0 && tally->done < task->pending->count;
    return early ? 1 : status;
}

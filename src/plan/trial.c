#include "plan/trial.h"
#include "base/mem.h"
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Steps by which a period is shortened, as parts of it: from the coarsest to the finest, each a
 * third of the one before. */
#define FINEST   5e-6
#define COARSEST 1e-3
#define FINER    3.0

int trial_pool_init(struct trial_pool *pool, const struct tasks *tasks, unsigned count)
{
    pool->count = 0;
    pool->patterns = mem_alloc(count, sizeof(*pool->patterns));
    if (!pool->patterns)
        return -1;
    for (; pool->count < count; pool->count++)
        if (pattern_init(&pool->patterns[pool->count], tasks))
            return -1;
    return 0;
}

void trial_pool_fini(struct trial_pool *pool)
{
    for (unsigned i = 0; i < pool->count; i++)
        pattern_fini(&pool->patterns[i]);
    free(pool->patterns);
    *pool = (struct trial_pool){0};
}

/* --- one trial ------------------------------------------------------------------------------- */

/* An estimate of the work that a pattern takes, in steps: each instance is chosen among all
 * applications, and placing it counts as looking at 50. Budgets count steps and
 * not seconds, so that a search finds the same plan on every machine. */
static double trial_cost(const struct pattern *pattern)
{
    double instances = 0;
    for (uint32_t app = 0; app < pattern->tasks->count; app++)
        instances += pattern->apps[app].instances;
    return instances * (pattern->tasks->count + 50);
}

static int trial_measure(struct pattern *pattern, struct trial *trial, struct pattern_rules rules)
{
    if (pattern_fill(pattern, rules))
        return -1;
    trial->cost += trial_cost(pattern);
    return 0;
}

static bool trial_is_stopped(const struct trial_pool *pool)
{
    return pool->stop && pool->stop(pool->context);
}

/* Shortens the period while all the work still fits, in ever finer steps. It does
 * not bisect: whether the work fits is not monotone in the period. */
static int trial_refine(const struct trial_pool *pool, struct pattern *pattern, struct trial *trial)
{
    for (double step = COARSEST; step > FINEST; step /= FINER) {
        while (trial->cost < trial->cost_limit && !trial_is_stopped(pool)) {
            struct pattern_rules shorter = trial->rules;
            shorter.period -= step * trial->rules.period;
            if (trial_measure(pattern, trial, shorter))
                return -1;
            double work = pattern_work(pattern);
            if (!(work > 0) || work < trial->work)
                break;
            trial->rules = shorter;
            trial->work = work;
            trial->dilation = pattern_dilation(pattern);
        }
    }
    return 0;
}

/* Refining is worth its cost only near the best; the caller says what that is. */
static int trial_run(const struct trial_pool *pool, struct pattern *pattern, struct trial *trial)
{
    trial->cost = trial->work = 0;
    if (trial_is_stopped(pool))
        return 0;
    if (trial_measure(pattern, trial, trial->rules))
        return -1;
    trial->work = pattern_work(pattern);
    trial->dilation = trial->work > 0 ? pattern_dilation(pattern) : INFINITY;
    bool efficient = trial->refine_efficiency > 0 &&
                     trial->work >= trial->refine_efficiency * trial->rules.period;
    return trial->work > 0 && (efficient || trial->dilation <= trial->refine_dilation)
               ? trial_refine(pool, pattern, trial)
               : 0;
}

/* --- all of them ----------------------------------------------------------------------------- */

/* Threads take the next trial as they become free; each has a pattern of its own to fill, so they
 * share nothing but the counter. */
struct trial_batch {
    const struct trial_pool *pool;
    struct trial *trials;
    size_t count;
    atomic_size_t next;
    atomic_bool failed;
};

struct trial_worker {
    struct trial_batch *batch;
    struct pattern *pattern;
    pthread_t thread;
};

static void *trial_work(void *argument)
{
    struct trial_worker *worker = argument;
    struct trial_batch *batch = worker->batch;
    for (;;) {
        size_t i = atomic_fetch_add(&batch->next, 1);
        if (i >= batch->count)
            return NULL;
        if (trial_run(batch->pool, worker->pattern, &batch->trials[i]))
            atomic_store(&batch->failed, true);
    }
}

int trial_pool_run(struct trial_pool *pool, struct trial *trials, size_t count)
{
    struct trial_batch batch = {.pool = pool, .trials = trials, .count = count};
    unsigned threads = pool->count < count ? pool->count : (unsigned)count, started = 1;
    struct trial_worker *workers = mem_alloc(threads > 0 ? threads : 1, sizeof(*workers));
    if (!workers)
        return -1;
    for (; started < threads; started++) {
        workers[started] = (struct trial_worker){&batch, &pool->patterns[started], 0};
        if (pthread_create(&workers[started].thread, NULL, trial_work, &workers[started]))
            break; /* the threads that run do its part */
    }
    /* The calling thread is one of them: with one job there is no thread to start. */
    workers[0] = (struct trial_worker){&batch, &pool->patterns[0], 0};
    trial_work(&workers[0]);
    for (unsigned i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    free(workers);
    return atomic_load(&batch.failed) ? -1 : 0;
}

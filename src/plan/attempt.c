#include "plan/attempt.h"
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

int attempt_pool_init(struct attempt_pool *pool, const struct tasks *tasks, unsigned count)
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

void attempt_pool_fini(struct attempt_pool *pool)
{
    for (unsigned i = 0; i < pool->count; i++)
        pattern_fini(&pool->patterns[i]);
    free(pool->patterns);
    *pool = (struct attempt_pool){0};
}

/* --- one attempt -------------------------------------------------------------------------------
 */

/* An estimate of the work that a pattern takes, in steps: each instance is chosen among all
 * applications, and placing it counts as looking at 50. Budgets count steps and
 * not seconds, so that a search finds the same plan on every machine. */
static double attempt_cost(const struct pattern *pattern)
{
    double instances = 0;
    for (uint32_t app = 0; app < pattern->tasks->count; app++)
        instances += pattern->apps[app].instances;
    return instances * (pattern->tasks->count + 50);
}

static int attempt_measure(struct pattern *pattern, struct attempt *attempt,
                           struct pattern_rules rules)
{
    if (pattern_fill(pattern, rules))
        return -1;
    attempt->cost += attempt_cost(pattern);
    return 0;
}

static bool attempt_is_stopped(const struct attempt_pool *pool)
{
    return pool->stop && pool->stop(pool->context);
}

/* Shortens the period while all the work still fits, in ever finer steps. It does
 * not bisect: whether the work fits is not monotone in the period. */
static int attempt_refine(const struct attempt_pool *pool, struct pattern *pattern,
                          struct attempt *attempt)
{
    for (double step = COARSEST; step > FINEST; step /= FINER) {
        while (attempt->cost < attempt->cost_limit && !attempt_is_stopped(pool)) {
            struct pattern_rules shorter = attempt->rules;
            shorter.period -= step * attempt->rules.period;
            if (attempt_measure(pattern, attempt, shorter))
                return -1;
            double work = pattern_work(pattern);
            if (!(work > 0) || work < attempt->work)
                break;
            attempt->rules = shorter;
            attempt->work = work;
            attempt->dilation = pattern_dilation(pattern);
        }
    }
    return 0;
}

/* Refining is worth its cost only near the best; the caller says what that is. */
static int attempt_run(const struct attempt_pool *pool, struct pattern *pattern,
                       struct attempt *attempt)
{
    attempt->cost = attempt->work = 0;
    if (attempt_is_stopped(pool))
        return 0;
    if (attempt_measure(pattern, attempt, attempt->rules))
        return -1;
    attempt->work = pattern_work(pattern);
    attempt->dilation = attempt->work > 0 ? pattern_dilation(pattern) : INFINITY;
    bool efficient = attempt->refine_efficiency > 0 &&
                     attempt->work >= attempt->refine_efficiency * attempt->rules.period;
    return attempt->work > 0 && (efficient || attempt->dilation <= attempt->refine_dilation)
               ? attempt_refine(pool, pattern, attempt)
               : 0;
}

/* --- all of them ----------------------------------------------------------------------------- */

/* Threads take the next attempt as they become free; each has a pattern of its own to fill, so they
 * share nothing but the counter. */
struct attempt_batch {
    const struct attempt_pool *pool;
    struct attempt *attempts;
    size_t count;
    atomic_size_t next;
    atomic_bool failed;
};

struct attempt_worker {
    struct attempt_batch *batch;
    struct pattern *pattern;
    pthread_t thread;
};

static void *attempt_work(void *argument)
{
    struct attempt_worker *worker = argument;
    struct attempt_batch *batch = worker->batch;
    for (;;) {
        size_t i = atomic_fetch_add(&batch->next, 1);
        if (i >= batch->count)
            return NULL;
        if (attempt_run(batch->pool, worker->pattern, &batch->attempts[i]))
            atomic_store(&batch->failed, true);
    }
}

int attempt_pool_run(struct attempt_pool *pool, struct attempt *attempts, size_t count)
{
    struct attempt_batch batch = {.pool = pool, .attempts = attempts, .count = count};
    unsigned threads = pool->count < count ? pool->count : (unsigned)count, started = 1;
    struct attempt_worker *workers = mem_alloc(threads > 0 ? threads : 1, sizeof(*workers));
    if (!workers)
        return -1;
    for (; started < threads; started++) {
        workers[started] = (struct attempt_worker){&batch, &pool->patterns[started], 0};
        if (pthread_create(&workers[started].thread, NULL, attempt_work, &workers[started]))
            break; /* the threads that run do its part */
    }
    /* The calling thread is one of them: with one job there is no thread to start. */
    workers[0] = (struct attempt_worker){&batch, &pool->patterns[0], 0};
    attempt_work(&workers[0]);
    for (unsigned i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    free(workers);
    return atomic_load(&batch.failed) ? -1 : 0;
}

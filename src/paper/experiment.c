#include "paper/experiment.h"
#include "base/mem.h"
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

const struct experiment *const experiments[EXPERIMENT_COUNT] = {
#define X(name) [EXPERIMENT_##name] = &experiment_##name,
    EXPERIMENTS(X)
#undef X
};

const char *const experiment_names[EXPERIMENT_COUNT + 1] = {
#define X(name) #name,
    EXPERIMENTS(X)
#undef X
        NULL,
};

/* One unit of one experiment, and what it measured. */
struct experiment_unit {
    enum experiment_id id;
    uint32_t unit;
    struct samples samples;
};

/* What the threads share. */
struct experiment_pool {
    const struct experiment_options *options;
    struct experiment_unit *units;
    size_t count;
    pthread_mutex_t lock;
    size_t next, done;
    size_t left[EXPERIMENT_COUNT]; /* units that are not done */
    int status;
    struct err *err;
};

/* The next unit, or NULL when there is none, or one has failed. */
static struct experiment_unit *experiment_take(struct experiment_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    struct experiment_unit *unit =
        pool->status == 0 && pool->next < pool->count ? &pool->units[pool->next++] : NULL;
    pthread_mutex_unlock(&pool->lock);
    return unit;
}

static void experiment_note(struct experiment_pool *pool, const struct experiment_unit *unit,
                            int status, const struct err *err)
{
    const struct experiment_options *options = pool->options;
    pthread_mutex_lock(&pool->lock);
    pool->done++;
    if (status < 0 && pool->status == 0) {
        pool->status = -1;
        err_set(pool->err, "%s: %s", experiment_names[unit->id], err->text);
    }
    if (options->progress)
        options->progress(options->context, (double)pool->done / (double)pool->count);
    if (--pool->left[unit->id] == 0 && pool->status == 0 && options->finished)
        options->finished(options->context, unit->id);
    pthread_mutex_unlock(&pool->lock);
}

static int experiment_run(const struct experiment_options *options, struct experiment_unit *unit,
                          struct err *err)
{
    const struct experiment *experiment = experiments[unit->id];
    if (options->strategy && experiment->judge)
        return experiment->judge(unit->unit, options->quick, options->strategy, &unit->samples,
                                 err);
    return experiment->run(unit->unit, options->quick, &unit->samples, err);
}

static void *experiment_work(void *context)
{
    struct experiment_pool *pool = context;
    for (struct experiment_unit *unit; (unit = experiment_take(pool));) {
        struct err err = {0};
        int status = experiment_run(pool->options, unit, &err);
        experiment_note(pool, unit, status, &err);
    }
    return NULL;
}

/* The calling thread works too; so it goes on if no other can be had. */
static void experiment_work_all(struct experiment_pool *pool)
{
    enum { MOST = 256 };
    pthread_t threads[MOST];
    unsigned started = 0;
    while (started + 1 < pool->options->jobs && started < MOST)
        if (pthread_create(&threads[started], NULL, experiment_work, pool) == 0)
            started++;
        else
            break;
    experiment_work(pool);
    while (started > 0)
        pthread_join(threads[--started], NULL);
}

static int experiment_list(struct experiment_pool *pool, const bool wanted[EXPERIMENT_COUNT])
{
    bool quick = pool->options->quick;
    for (int id = 0; id < EXPERIMENT_COUNT; id++) {
        pool->left[id] = wanted[id] ? experiments[id]->units(quick) : 0;
        pool->count += pool->left[id];
    }
    pool->units = mem_alloc(pool->count, sizeof *pool->units);
    if (!pool->units)
        return err_memory(pool->err);
    size_t next = 0;
    for (int id = 0; id < EXPERIMENT_COUNT; id++)
        for (uint32_t unit = 0; wanted[id] && unit < experiments[id]->units(quick); unit++)
            pool->units[next++] = (struct experiment_unit){.id = id, .unit = unit};
    return 0;
}

int experiments_run(const bool wanted[EXPERIMENT_COUNT], const struct experiment_options *options,
                    struct samples samples[EXPERIMENT_COUNT], struct err *err)
{
    struct experiment_pool pool = {
        .options = options, .err = err, .lock = PTHREAD_MUTEX_INITIALIZER};
    if (experiment_list(&pool, wanted) < 0)
        return -1;
    experiment_work_all(&pool);
    for (size_t i = 0; i < pool.count; i++) {
        struct experiment_unit *unit = &pool.units[i];
        if (pool.status == 0)
            pool.status = samples_join(&samples[unit->id], &unit->samples, err);
        samples_fini(&unit->samples);
    }
    free(pool.units);
    for (int id = 0; id < EXPERIMENT_COUNT && pool.status == 0; id++)
        if (wanted[id] && experiments[id]->conclude)
            pool.status = experiments[id]->conclude(&samples[id], err);
    return pool.status;
}

double experiment_interval(const struct experiment *experiment, double x)
{
    return experiment->bin > 0 ? floor(x / experiment->bin) : x;
}

double experiment_middle(const struct experiment *experiment, double interval)
{
    return experiment->bin > 0 ? (interval + 0.5) * experiment->bin : interval;
}

#include "map/jobs.h"
#include "base/mem.h"
#include <stdlib.h>

const char *const map_order_names[MAP_ORDERS_COUNT + 1] = {
#define X(name, text, help) text,
    MAP_ORDERS(X)
#undef X
};

/* A job that no I/O node can hold would wait for ever. The mapper starts at time 0 with empty
 * nodes, so nothing may run before. */
static int jobs_check(const struct workload *workload, const struct app *app, struct err *err)
{
    char label[64];
    if (app->facts.nodes > workload->platform.nodes)
        return err_set(err, "job '%s' fits nowhere: it needs %.15g nodes, an I/O node has %.15g",
                       app_label(app, label, sizeof label), app->facts.nodes,
                       workload->platform.nodes);
    if (app->facts.release < 0)
        return err_set(err, "job '%s' already runs at time 0, released at %.15g s",
                       app_label(app, label, sizeof label), app->facts.release);
    return 0;
}

int map_jobs_init(struct map_jobs *jobs, const struct workload *workload, bool batch,
                  struct err *err)
{
    *jobs = (struct map_jobs){.workload = workload,
                              .count = workload->count,
                              .nodes = workload->platform.nodes,
                              .bandwidth = workload->platform.bandwidth};
    if (!workload->nodes_known)
        return err_set(err, "the jobs' numbers of nodes are unknown");
    jobs->list = mem_alloc(workload->count, sizeof *jobs->list);
    if (!jobs->list)
        return err_memory(err);
    for (uint32_t i = 0; i < workload->count; i++) {
        const struct app *app = &workload->apps[i];
        if (jobs_check(workload, app, err) != 0)
            return -1;
        /* total_io is in seconds at bmax (weir/policy.h), so this is the volume in bytes. */
        jobs->list[i] = (struct map_job){.nodes = app->facts.nodes,
                                         .ideal = app_ideal(app),
                                         .volume = app->facts.total_io * app->facts.bmax,
                                         .release = batch ? 0 : app->facts.release,
                                         .period = app_ideal(app) / app->facts.iterations};
    }
    return 0;
}

void map_jobs_fini(struct map_jobs *jobs)
{
    free(jobs->list);
    *jobs = (struct map_jobs){0};
}

void map_jobs_order(struct map_jobs *jobs, enum map_order order, const double *random)
{
    for (uint32_t i = 0; i < jobs->count; i++) {
        struct map_job *job = &jobs->list[i];
        /* The lowest key comes first: the orders that begin with the longest negate it. */
        job->key = order == MAP_ORDER_MAX      ? -job->ideal
                   : order == MAP_ORDER_CHAR   ? -job->period
                   : order == MAP_ORDER_RANDOM ? random[i]
                                               : job->release;
    }
}

/* qsort is not stable: the index breaks ties, so that the order is the same everywhere. */
struct rank {
    double key;
    uint32_t index;
};

static int jobs_compare(const void *a, const void *b)
{
    const struct rank *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

uint32_t *map_jobs_sorted(const struct map_jobs *jobs)
{
    struct rank *ranks = mem_alloc(jobs->count, sizeof *ranks);
    uint32_t *sorted = mem_alloc(jobs->count, sizeof *sorted);
    if (!ranks || !sorted) {
        free(ranks);
        free(sorted);
        return NULL;
    }
    for (uint32_t i = 0; i < jobs->count; i++)
        ranks[i] = (struct rank){jobs->list[i].key, i};
    qsort(ranks, jobs->count, sizeof *ranks, jobs_compare);
    for (uint32_t i = 0; i < jobs->count; i++)
        sorted[i] = ranks[i].index;
    free(ranks);
    return sorted;
}

/* Jobs as mapping sees them: nodes, how long they take alone, and how much I/O they do on average
 * (thesis, section III.B); and the orders in which they are looked at. */
#ifndef WEIR_MAP_JOBS_H
#define WEIR_MAP_JOBS_H

#include "base/err.h"
#include "model/workload.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* One X-list gives the enum, the names and their help. */
#define MAP_ORDERS(X)                                                                              \
    X(ARRIVAL, "arrival", "as they are released, then as in the file")                             \
    X(MAX, "max", "the longest alone first")                                                       \
    X(CHAR, "char", "the longest characteristic time, that of an iteration, first")                \
    X(RANDOM, "random", "drawn from the seed")

enum map_order {
#define X(name, text, help) MAP_ORDER_##name,
    MAP_ORDERS(X)
#undef X
        MAP_ORDERS_COUNT
};
extern const char *const map_order_names[MAP_ORDERS_COUNT + 1]; /* ends with NULL */

struct map_job {
    double nodes;   /* Q */
    double ideal;   /* T(b), seconds alone (eq. III.1) */
    double volume;  /* bytes in all */
    double period;  /* the characteristic time: the mean length of an iteration alone */
    double release; /* when it arrives, 0 or later */
    double key;     /* the lowest is looked at first, equal ones by index */
};

struct map_jobs {
    const struct workload *workload; /* which knows their names */
    struct map_job *list;            /* as there */
    uint32_t count;
    double nodes, bandwidth; /* of each I/O node: P and b */
};

/* Bytes/s on average when alone. */
static inline double map_job_rate(const struct map_job *job)
{
    return job->ideal > 0 ? job->volume / job->ideal : 0;
}

/* The jobs of a workload, which is borrowed, all of which arrive at 0 if `batch`; its platform is
 * what stands behind one I/O node. Keys are still 0. -1 with err if node counts are unknown, or
 * with the name of a job that has more nodes than there are or that is running already;
 * map_jobs_fini frees in both cases. */
int map_jobs_init(struct map_jobs *jobs, const struct workload *workload, bool batch,
                  struct err *err);
void map_jobs_fini(struct map_jobs *jobs);

/* Sets the keys. `random` has a number per job, drawn by somebody who may; other orders do not look
 * at it. */
void map_jobs_order(struct map_jobs *jobs, enum map_order order, const double *random);

/* The jobs by key: their indices; NULL when memory is out. free() frees. */
uint32_t *map_jobs_sorted(const struct map_jobs *jobs);

/* Bytes that jobs may move in this time behind one I/O node: S b t. Averages are sums of many
 * terms: what exceeds it by rounding only does not exceed it. */
static inline double map_allowance(const struct map_jobs *jobs, double sensitivity, double time)
{
    return sensitivity == INFINITY ? INFINITY : sensitivity * jobs->bandwidth * time * (1 + 1e-9);
}

#endif

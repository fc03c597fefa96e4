/* The mapper: a pure state machine that decides which job starts when, and behind which I/O node.
 *
 * In: jobs that arrive and end, and dates. Out: jobs to start. It has no clock: a simulator drives
 * it with virtual time. All that arrive or end at one instant are reported first; then mapper_next
 * is called until it has no more; nobody starts because time passes. It knows how long jobs take
 * alone, not how long they will take. */
#ifndef WEIR_MAP_MAPPER_H
#define WEIR_MAP_MAPPER_H

#include "base/err.h"
#include "map/jobs.h"
#include <stdbool.h>
#include <stdint.h>

/* One X-list gives the enum, the names, what makes each, and its help. */
#define MAP_METHODS(X)                                                                             \
    X(PACKS, "packs", mapper_packs, "packs that start together, their I/O within the bandwidth")   \
    X(FIRST_FIT, "first-fit", mapper_packs, "packs that start together, whatever their I/O")       \
    X(LIST, "list", mapper_list, "each as soon as its nodes and its average bandwidth are free")

enum map_method {
#define X(name, text, make, help) MAP_METHOD_##name,
    MAP_METHODS(X)
#undef X
        MAP_METHODS_COUNT
};
extern const char *const map_method_names[MAP_METHODS_COUNT + 1]; /* ends with NULL */

struct map_rules {
    enum map_method method;
    double sensitivity; /* S, > 0; INFINITY = I/O does not matter. First-fit ignores it */
    bool backfill;      /* later jobs may use what is free if that delays nobody before them */
    uint32_t io_nodes;  /* R, at least 1 */
};

struct map_start {
    uint32_t job, io_node;
    uint32_t pack; /* as in struct placed_job */
};

struct mapper;

/* 0, or -1 with the name of a job that fits nowhere: a list has a strict limit,
 * and its average bandwidth alone is above that. */
int mapper_check(const struct map_rules *rules, const struct map_jobs *jobs, struct err *err);

/* Makes packs, if the method does. The jobs have their keys, and outlive the mapper. NULL with err
 * as mapper_check, and when memory is out. */
struct mapper *mapper_new(const struct map_rules *rules, const struct map_jobs *jobs,
                          struct err *err);
void mapper_free(struct mapper *mapper); /* NULL is fine */

void mapper_arrive(struct mapper *mapper, uint32_t job);
void mapper_end(struct mapper *mapper, uint32_t job);

/* Whether a job starts now; if so, it counts as started. */
bool mapper_next(struct mapper *mapper, double now, struct map_start *start);

#endif

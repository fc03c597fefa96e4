/* A plan: a pattern of I/O for periodic applications that is repeated forever.
 *
 * In one period each application has a number of instances, one after the other; an instance is
 * work, then I/O with a piecewise-constant bandwidth. Times count from the start of a period; what
 * lies at or after its end belongs to the next one, and what lies before 0 to the one before. */
#ifndef WEIR_MODEL_PLAN_H
#define WEIR_MODEL_PLAN_H

#include "base/arena.h"
#include "base/err.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A periodic application: what a planner knows of it. */
struct task {
    const char *name;
    double nodes;
    double work;   /* w */
    double volume; /* per instance */
    double bmax;
    double io;           /* volume / bmax */
    uint32_t iterations; /* how many there will be, 0 = without end */
};

/* All that is to be planned, and where. */
struct tasks {
    struct task *list;
    uint32_t count;
    double bandwidth; /* B */
    double nodes;     /* N, or those of all tasks if more: a plan repeats all of them at once */
    bool means;       /* some lengths vary: their means are planned */
    struct arena arena;
};

/* What a plan can be best in, with the names that files, options and parameters give it. A search
 * can be for the first ones; the makespan is what HRR minimises. */
#define PLAN_SEARCHED_OBJECTIVES(X)                                                                \
    X(SYS_EFFICIENCY, "sys-efficiency")                                                            \
    X(DILATION, "dilation")
#define PLAN_OBJECTIVES(X)                                                                         \
    PLAN_SEARCHED_OBJECTIVES(X)                                                                    \
    X(MAKESPAN, "makespan")

enum plan_objective {
#define X(name, text) PLAN_##name,
    PLAN_OBJECTIVES(X)
#undef X
};
enum { PLAN_SEARCHED_COUNT = PLAN_MAKESPAN };
extern const char *const plan_objectives[], *const plan_searched_objectives[]; /* end with NULL */

/* What a planner needs to know of a workload: each application as its mean work and volume. -1 with
 * the name of an application that has no I/O or no work to repeat. tasks_fini frees. */
struct workload;
int tasks_init(struct tasks *tasks, const struct workload *workload, struct err *err);
void tasks_fini(struct tasks *tasks);

struct plan_piece {
    double start, end; /* start < end */
    double rate;
};

/* The pieces of an instance are in order, and none starts before its work has ended. */
struct plan_instance {
    double start;        /* of its work, which ends at start + w */
    size_t first, count; /* its pieces */
};

/* Instances of one application, in order of time, all within one period of each other. */
struct plan_app {
    size_t first, count;
};

struct plan {
    double period;
    uint32_t count;
    struct plan_app *apps; /* as the tasks */
    struct plan_instance *instances;
    struct plan_piece *pieces;
    size_t instance_count, instance_capacity, piece_count, piece_capacity;
};

/* Efficiency of an application in the plan, n w / T, and how much slower than alone it is. */
double plan_efficiency(const struct plan *plan, const struct tasks *tasks, uint32_t app);
double plan_dilation(const struct plan *plan, const struct tasks *tasks, uint32_t app);
/* (1/N) sum of p n w / T, and the largest dilation; INFINITY if an application has no instance. */
double plan_sys_efficiency(const struct plan *plan, const struct tasks *tasks);
double plan_max_dilation(const struct plan *plan, const struct tasks *tasks);

/* Checks a plan from any source against the tasks: times finite and in order, at no instant of the
 * repeated pattern more bandwidth than B or than an application can take, exactly its volume in
 * each instance, and its work between any two of its I/Os. 0, or -1 with what is violated, where.
 */
int plan_validate(const struct plan *plan, const struct tasks *tasks, struct err *err);

struct plan *plan_new(uint32_t count);
void plan_free(struct plan *plan); /* NULL is fine */

/* Append to the arrays; 0, or -1 when memory is out. The caller keeps the order. */
int plan_add_instance(struct plan *plan, struct plan_instance instance);
int plan_add_piece(struct plan *plan, struct plan_piece piece);

#endif

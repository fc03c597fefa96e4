/* An experiment: runs that one or several tables and figures of the papers are made of.
 *
 * It consists of units that do not depend on each other, so they run in threads; the samples do not
 * depend on the number of threads. */
#ifndef WEIR_PAPER_EXPERIMENT_H
#define WEIR_PAPER_EXPERIMENT_H

#include "base/err.h"
#include "paper/samples.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All experiments, with what they are called in progress lines. */
#define EXPERIMENTS(X)                                                                             \
    X(general)                                                                                     \
    X(uniform)                                                                                     \
    X(theorem_4)                                                                                   \
    X(tucan)                                                                                       \
    X(packs)                                                                                       \
    X(lists)                                                                                       \
    X(pair)                                                                                        \
    X(partitions)                                                                                  \
    X(moments)                                                                                     \
    X(mixes)                                                                                       \
    X(pressure)                                                                                    \
    X(parameters)                                                                                  \
    X(bounds)                                                                                      \
    X(apex)                                                                                        \
    X(jupiter)                                                                                     \
    X(study)                                                                                       \
    X(sets)                                                                                        \
    X(stochastic)                                                                                  \
    X(held_out)                                                                                    \
    X(limits)                                                                                      \
    X(knowledge)                                                                                   \
    X(frontier)                                                                                    \
    X(optimum)                                                                                     \
    X(chaos)                                                                                       \
    X(plans)                                                                                       \
    X(jam)

enum experiment_id {
#define X(name) EXPERIMENT_##name,
    EXPERIMENTS(X)
#undef X
        EXPERIMENT_COUNT
};

struct experiment {
    const char *workloads;        /* what is run, in a sentence or two */
    const char *const *series;    /* what is compared: strategies, ways to map; ends with NULL */
    const char *const *columns;   /* what is measured; ends with NULL */
    const char *const *groups;    /* kinds of workloads; ends with NULL */
    const char *x;                /* what x is; NULL = there is only one */
    const char *const *places;    /* names of x = 0, 1, ...; ends with NULL; NULL = numbers */
    double bin;                   /* width of the intervals into which x is cut; 0 = as it is */
    size_t enough;                /* samples that an interval needs to be looked at by itself */
    double quick_time, full_time; /* seconds on two cores, measured */
    uint32_t (*units)(bool quick);
    int (*run)(uint32_t unit, bool quick, struct samples *samples, struct err *err);
};

#define X(name) extern const struct experiment experiment_##name;
EXPERIMENTS(X)
#undef X
extern const struct experiment *const experiments[EXPERIMENT_COUNT];
extern const char *const experiment_names[EXPERIMENT_COUNT + 1]; /* ends with NULL */

struct experiment_options {
    bool quick;    /* few runs; the claims that need more are left open */
    unsigned jobs; /* threads, at least 1 */
    /* Told from time to time how much is done, 0..1, from any thread, one at a time; may be NULL */
    void (*progress)(void *context, double done);
    /* Told in the same way when all units of an experiment are done; may be NULL */
    void (*finished)(void *context, enum experiment_id id);
    void *context;
};

/* Runs those that are wanted, all units in one pool. `samples` has a place for each, zeroed;
 * samples_fini frees, also after a failure. 0, or -1 with the first error and where. */
int experiments_run(const bool wanted[EXPERIMENT_COUNT], const struct experiment_options *options,
                    struct samples samples[EXPERIMENT_COUNT], struct err *err);

/* The interval that x lies in: its number, and where its middle is. */
double experiment_interval(const struct experiment *experiment, double x);
double experiment_middle(const struct experiment *experiment, double interval);

#endif

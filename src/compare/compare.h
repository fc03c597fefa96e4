/* Strategies compared over many workloads: cases x members x strategies -> measures, and what can
 * be concluded from them.
 *
 * A case is a scenario, or a family, with the values of a sweep. Its members are drawn with
 * consecutive seeds; one without randomness is an ensemble instead, whose members differ by
 * 1e-9 in every phase: congested sharing is chaotic, and a single run says little. Every strategy
 * runs every member, so that differences are paired. */
#ifndef WEIR_COMPARE_COMPARE_H
#define WEIR_COMPARE_COMPARE_H

#include "base/arena.h"
#include "base/err.h"
#include "experiment/campaign.h"
#include "metric/measure.h"
#include "model/knowledge.h"
#include "model/scenario.h"
#include "policy/policy.h"
#include "stat/paired.h"
#include "stat/summary.h"
#include "store/database.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COMPARE_MOST_SWEEPS = 8, COMPARE_MOST_RUNS = 1000000 };

struct compare_case {
    const struct experiment_source *source;
    struct variation changes[COMPARE_MOST_SWEEPS]; /* one of each sweep */
    struct knowledge knowledge;                    /* of the controller */
    bool ensemble;                                 /* it has no randomness of its own */
    bool windowed;                                 /* measured in a window */
    size_t members;
    size_t first; /* of its members among those of all cases */
};

/* What is asked. */
struct compare_task {
    const struct experiment_source *sources;
    size_t source_count;
    const struct sweep *sweeps;  /* all combinations of their values; may be none */
    size_t sweep_count;          /* at most COMPARE_MOST_SWEEPS */
    const struct window *window; /* instead of the scenarios' own; NULL = theirs */
    struct policy *const *policies;
    size_t policy_count, baseline; /* the strategy that others are compared with */
    struct knowledge knowledge;    /* of the controller, unless a sweep changes it */
    size_t seeds, ensemble;        /* members of a random case, and of another; at least 1 */
    uint64_t first_seed;           /* of a random case, and of what perturbs another; 0 = 1 */
    const char *window_text;       /* of the window, for what is stored */
};

/* The question, and the answer once it has run. It borrows what the question does. */
struct comparison {
    struct compare_task asked;
    struct compare_case *cases;
    size_t count, members;        /* members of all cases */
    struct weir_metrics *metrics; /* by member and strategy */
    struct campaign *campaign;    /* that runs it */
    char warning[512]; /* about the first case that a sweep, or a family, makes doubtful; or "" */
};

/* Makes the first member of every case, and so finds mistakes before anything runs: a path that a
 * scenario does not have, a value that makes it invalid, a family of jobs that are still to be
 * mapped, more than COMPARE_MOST_RUNS. 0 or -1; compare_fini frees in both cases. */
int compare_init(struct comparison *comparison, const struct compare_task *asked, struct err *err);
void compare_fini(struct comparison *comparison);

struct compare_options {
    size_t jobs; /* threads; what comes out does not depend on it */
    /* How much is done, 0 to 1; may be NULL. */
    void (*progress)(void *context, double done);
    int (*stop)(void *context); /* may be NULL */
    void *context;
    /* Runs that are stored there are not done again, and others are stored; NULL = none. */
    struct database *database;
};

/* Runs everything. 0, or -1 with err, that of the first run that fails: its case, its seed or its
 * number in the ensemble, and its strategy; or it was stopped. */
int compare_run(struct comparison *comparison, const struct compare_options *options,
                struct err *err);

/* A measure of a case under a strategy, and its difference to that of the baseline. */
struct compare_cell {
    struct summary value;
    struct paired difference;
};
struct compare_cell compare_measure(const struct comparison *comparison, size_t number,
                                    size_t policy, const struct measure *measure);

/* "quickstart", or "synthetic, bandwidth=2x"; `brief`: without the name of a scenario that is the
 * only one, if anything is left, and of several sweeps only their values. Returns `buffer`. */
char *compare_label(const struct comparison *comparison, size_t number, bool brief, char *buffer,
                    size_t size);

#endif

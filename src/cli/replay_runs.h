/* A workload run for real, several times, and what each run is judged against. */
#ifndef WEIR_CLI_REPLAY_RUNS_H
#define WEIR_CLI_REPLAY_RUNS_H

#include "base/err.h"
#include "model/outcome.h"
#include "policy/policy.h"
#include "replay/agree.h"
#include "replay/replay.h"
#include <stdbool.h>
#include <stddef.h>

struct replay_run {
    struct replayed replayed;
    struct outcome *predicted; /* what it is judged against, */
    bool ordered;              /* simulated with its I/Os posted in their real order */
    double error;              /* mean over the applications */
};

/* A zeroed struct is empty. */
struct replay_runs {
    struct replay setup;         /* how it was run, */
    struct sim_options simulate; /* and is simulated */
    struct agree_moves moves;    /* of the prediction under jitter */
    struct replay_run *list;
    size_t count;
    struct replayed without; /* the same without control, if its outcome is not NULL */
};

/* Runs `setup`, whose policy is `policy`, with its plan if it follows one, the given number of
 * times, and before that once without control if asked to. Shows progress on a terminal. 0, or -1
 * with err; replay_runs_fini frees in both cases. */
struct replay_task {
    const struct plan *plan; /* or NULL */
    size_t count;
    bool without;
};
int replay_runs_make(struct replay_runs *runs, const struct replay *setup,
                     const struct policy *policy, struct replay_task task, struct err *err);
void replay_runs_fini(struct replay_runs *runs);

/* Seconds by which a process woke up too late in any of them, at most: more than AGREE_JITTER, and
 * others used the machine. */
double replay_runs_late(const struct replay_runs *runs);

/* The run whose error is the median. */
const struct replay_run *replay_runs_median(const struct replay_runs *runs);

#endif

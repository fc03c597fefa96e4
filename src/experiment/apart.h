/* A run in a process of its own: a plug-in that crashes, or never comes back from a decision, ends
 * that process and not the campaign. */
#ifndef WEIR_EXPERIMENT_APART_H
#define WEIR_EXPERIMENT_APART_H

#include "base/err.h"
#include "store/result.h"

/* Seconds of processor time after which a run that shows no life is ended; ten times as many
 * seconds for one that sleeps. */
enum { APART_PATIENCE = 60 };

/* Calls work(context, result) in a child process and takes its result over; result_fini frees. 0,
 * or -1 with err: how the process ended. Any thread may call it. */
struct apart {
    void (*work)(void *context, struct run_result *result);
    void *context;
    unsigned patience; /* s */
};
int apart_run(const struct apart *apart, struct run_result *result, struct err *err);

/* For sim_options.stop: shows that the run goes on. Returns 0. `context` is the struct apart. */
int apart_beat(void *context);

#endif

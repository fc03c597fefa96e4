/* One application of a replay: it sleeps to work, and really writes and reads. */
#ifndef WEIR_REPLAY_WORKER_H
#define WEIR_REPLAY_WORKER_H

#include "replay/ledger.h"

/* Sleeps until this time of clock_now(). */
void worker_sleep(double time);

/* Waits for the start and returns its time. */
double worker_start(struct ledger *ledger);

/* The file, or pipe, of an application in the store. Returns `buffer`. */
char *worker_path(const struct ledger *ledger, uint32_t app, char buffer[2 * LEDGER_PATH]);

/* Does the application's work and I/O from the start on, and records when. 0, or -1 with its fault
 * in the ledger. */
int worker_run(struct ledger *ledger, uint32_t app);

#endif

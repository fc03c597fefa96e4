/* One application of a replay: sleeps for work, and really writes and reads. */
#ifndef WEIR_REPLAY_WORKER_H
#define WEIR_REPLAY_WORKER_H

#include "replay/ledger.h"

/* Sleeps until this time of clock_now(). */
void worker_sleep(double date);

/* Waits for the start and returns its date. */
double worker_start(struct ledger *ledger);

/* The file, or pipe, of an application in the store. Returns `buffer`. */
char *worker_path(const struct ledger *ledger, uint32_t app, char buffer[2 * LEDGER_PATH]);

/* Does what the application is to do, from the start on, and notes when it did it. 0, or -1 with
 * its fault in the ledger. */
int worker_run(struct ledger *ledger, uint32_t app);

#endif

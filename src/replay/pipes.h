/* A store with a limit that needs no privilege: one pipe per application, and a process that drains
 * all of them in turn at a fixed rate. Like the servers of a file system it treats all writers
 * alike, and a faster writer waits. */
#ifndef WEIR_REPLAY_PIPES_H
#define WEIR_REPLAY_PIPES_H

#include "base/err.h"
#include "replay/ledger.h"
#include <sys/types.h>

/* Creates the pipes in place of the applications' files, and starts the process. Returns its id, or
 * -1 with err; a signal ends it. */
pid_t pipes_start(const struct ledger *ledger, double rate, struct err *err);

#endif

/* A store with a limit that needs no privilege: one pipe per application, and a process that takes
 * so many bytes per second out of all of them, in turn. As the servers of a file system do, it
 * treats everybody alike, and whoever writes more than that waits. */
#ifndef WEIR_REPLAY_PIPES_H
#define WEIR_REPLAY_PIPES_H

#include "base/err.h"
#include "replay/ledger.h"
#include <sys/types.h>

/* Makes the pipes where the applications' files would be, and starts the process. Its id, or -1
 * with err; it ends by a signal. */
pid_t pipes_start(const struct ledger *ledger, double rate, struct err *err);

#endif

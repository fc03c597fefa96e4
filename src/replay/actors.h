/* The processes of a replay. */
#ifndef WEIR_REPLAY_ACTORS_H
#define WEIR_REPLAY_ACTORS_H

#include "base/err.h"
#include "replay/ledger.h"
#include "replay/replay.h"
#include <signal.h>
#include <sys/types.h>

/* A zeroed struct has no processes. */
struct actors {
    pid_t *workers; /* leaders of the applications' groups; 0 = has ended */
    uint32_t count;
    pid_t controller, store; /* 0 = none */
};

/* Starts the controller and waits until it listens at ledger->socket. 0 or -1. */
int actors_serve(struct actors *actors, const struct replay *replay, struct ledger *ledger,
                 struct err *err);

/* Starts the applications, and gives the start signal when all are ready. 0 or -1. */
int actors_launch(struct actors *actors, const struct replay *replay, struct ledger *ledger,
                  struct err *err);

/* Waits until they have ended. 0, or -1: one failed or takes far too long, the controller is gone,
 * or the user interrupts. */
int actors_wait(struct actors *actors, const struct replay *replay, struct ledger *ledger,
                struct err *err);

/* Between these calls SIGINT and SIGTERM end the waiting, not this process, so that it can clean
 * up. */
struct actors_signals {
    struct sigaction interrupt, terminate;
};
void actors_catch(struct actors_signals *old);
void actors_release(const struct actors_signals *old);

/* Ends the remaining processes. */
void actors_fini(struct actors *actors);

#endif

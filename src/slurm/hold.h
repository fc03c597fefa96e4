/* Keeps a job's application alive while a step of the job runs on this node, although the step's
 * processes come and go: a connection to the controller, which is made again when the controller
 * was restarted. It ends with the process. */
#ifndef WEIR_SLURM_HOLD_H
#define WEIR_SLURM_HOLD_H

#include "client/identity.h"
#include <pthread.h>
#include <stdbool.h>

#define HOLD_PATIENCE 0.2 /* seconds to wait for the controller */

struct hold {
    struct identity identity;
    struct wire_message answer; /* to the first request */
    int fd;                     /* the connection, -1 = there is none at the moment */
    int stop;                   /* to wake the thread, -1 = there is none */
    pthread_t thread;           /* looks after it from hold_open to hold_close */
};

/* Attaches. Returns NULL, with the stores in hold->answer.welcome, or why not: then there is
 * nothing to close. */
const char *hold_open(struct hold *hold, const struct identity *identity);

/* Lets it go, within HOLD_PATIENCE. */
void hold_close(struct hold *hold);

#endif

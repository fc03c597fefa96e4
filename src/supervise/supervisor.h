/* The process that paces the data calls of a supervised program: for the controller it is the
 * application's process, and its session does what the preload's would.
 *
 * Each call that may be on a store has a thread here while it waits, so none delays another; all
 * other calls go on at once. What a large call really moved is read from the kernel's counts of its
 * thread; a small one is taken to move what it asks for, a read no more than there is. */
#ifndef WEIR_SUPERVISE_SUPERVISOR_H
#define WEIR_SUPERVISE_SUPERVISOR_H

#include "supervise/guardian.h"

/* Paces until no process has the filter any more. The identity and the stores are those of the
 * environment. */
void supervisor_run(struct guardian *guardian);

#endif

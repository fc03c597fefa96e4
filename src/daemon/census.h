/* Which processes belong to the applications, and what of their I/O goes past control.
 *
 * To an application belong the processes that are attached to it, all their descendants, and those
 * whose environment has its token. They are looked for a few times per second, as long as there are
 * applications, by another thread, so that the controller never waits for /proc. A process that
 * lives for less than the time between two looks is not seen. */
#ifndef WEIR_DAEMON_CENSUS_H
#define WEIR_DAEMON_CENSUS_H

#include "daemon/live.h"
#include <uv.h>

struct census;

/* NULL with err; the loop must run once more before census_free. */
struct census *census_new(uv_loop_t *loop, struct live *live, struct err *err);
void census_free(struct census *census); /* NULL is fine */

/* Looks, if it is time to. At every beat. */
void census_take(struct census *census, uint64_t now);

#endif

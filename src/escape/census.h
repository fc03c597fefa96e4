/* Which processes belong to the applications, and how much of their I/O bypasses control.
 *
 * An application consists of the processes attached to it, all their descendants, and the processes
 * whose environment has its token. While there are applications, another thread looks for them a
 * few times per second, so the controller never waits for /proc. A process that lives shorter than
 * the time between two looks is not seen. */
#ifndef WEIR_ESCAPE_CENSUS_H
#define WEIR_ESCAPE_CENSUS_H

#include "model/service.h"
#include "node/node.h"

struct census;

/* Of the applications of a node, and the stores of a configuration. NULL with err. A look that is
 * under way after census_free ends by itself; one that a store holds up holds up nobody else. */
struct census *census_new(struct node *node, const struct service *service, struct err *err);
void census_free(struct census *census); /* NULL is fine */

/* Looks if it is time to; called at every beat. */
void census_take(struct census *census, uint64_t now);

#endif

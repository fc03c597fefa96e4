/* A bound on SysEfficiency, by a price of bandwidth for each slot of time.
 *
 * Suppose that a schedule loses no more than L of what the applications would do alone. Whatever
 * bandwidth costs in each slot, and losses too, an application then pays at least for the cheapest
 * way to do its I/Os and to lose something instead; and all of them together use no more of a slot
 * than B, and lose no more than L. So if the cheapest ways cost more than all of that does, there
 * is no such schedule. This sees that a delayed application posts its next I/O later. Any prices
 * give a proof; good ones are found by raising those of what the cheapest ways use too much. */
#ifndef WEIR_BOUND_PRICES_H
#define WEIR_BOUND_PRICES_H

#include "base/err.h"
#include "model/workload.h"

/* More applications than this would take too long. */
enum { PRICES_APPLICATIONS = 1000 };

/* The SysEfficiency of a whole run is at most this. NAN in a window, for more than
 * PRICES_APPLICATIONS, and if not all nodes are in use from time 0 on: how many are in use depends
 * on the schedule then. 0, or -1 when memory is out. */
int prices_find(const struct workload *workload, double *sys_efficiency, struct err *err);

#endif

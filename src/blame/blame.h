/* Which applications make others wait: every second that is lost is charged, at the instant it is
 * lost, to those that hold the bandwidth.
 *
 * An application that could use bmax and has the rate r loses 1 - r / bmax seconds per second. If
 * bandwidth is free meanwhile, its part of the loss is the strategy's, as nobody holds it. The rest
 * is charged to the others in proportion to their rates. So what is charged, and the strategy's
 * part, add up to what is lost. */
#ifndef WEIR_BLAME_BLAME_H
#define WEIR_BLAME_BLAME_H

#include "base/err.h"
#include "blame/pairs.h"
#include "model/watcher.h"
#include "model/workload.h"

/* Seconds of one group of applications. */
struct blame_account {
    double caused;   /* charged to it for what other groups lose, */
    double own;      /* and for what its own other applications lose */
    double suffered; /* lost by its applications */
    double idle;     /* of that, while bandwidth was free */
};

/* What is charged between two times, in equal parts of that time. */
struct blame_task {
    const struct workload *workload;
    const uint32_t *groups; /* of each application; NULL = each is one of its own */
    uint32_t group_count;   /* unless groups is NULL */
    double start, end;
    uint32_t parts; /* at least 1 */
    bool pairs;     /* charge each group for each other: costs the square of the I/Os under way */
};

/* Charges while the workload runs. The question's workload and groups outlive it. NULL with err
 * when memory is out; blame_free frees. */
struct blame *blame_new(const struct blame_task *question, struct err *err);
void blame_free(struct blame *blame); /* NULL is fine */

/* What the run is to be followed by. */
struct watcher blame_watcher(struct blame *blame);

/* The accounts of all groups for one part of the time, so far. */
const struct blame_account *blame_accounts(const struct blame *blame, uint32_t part);

/* The pairs, if they are asked for; NULL when memory ran out for them. */
const struct blame_pairs *blame_pairs(const struct blame *blame);

#endif

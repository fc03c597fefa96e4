/* First come, first served: a queue by posting time whose head is served greedily.
 *
 * The queue remembers its frontier, the first member that is not served in full, and what is left
 * for it; so a post or a completion costs O(1) however many are served at a time. */
#ifndef WEIR_POLICY_FCFS_H
#define WEIR_POLICY_FCFS_H

#include <weir/policy.h>

#define FCFS_NONE UINT32_MAX

/* One application's place in its queue. */
struct fcfs_link {
    uint32_t next, previous;
    uint32_t full; /* it is served in full, ahead of the frontier */
};

struct fcfs_queue {
    uint32_t head, tail, frontier;
    uint32_t full_count;
    uint32_t disturbed; /* one was put in front of others: grants may have gaps */
    double given;       /* sum of bmax of those served in full */
};

void fcfs_init(struct fcfs_queue *queue);

/* Puts an application in its place by posting time, lower id first on ties. */
void fcfs_insert(struct fcfs_queue *queue, struct fcfs_link *links, const struct weir_view *view,
                 uint32_t app);
void fcfs_remove(struct fcfs_queue *queue, struct fcfs_link *links, const struct weir_view *view,
                 uint32_t app);

/* Divides `share` bytes/s among the queue, and grants what has changed. With `curve` the share
 * depends on how many are served: share * curve[k] for k; NULL = it does not. */
struct fcfs_share {
    double most;
    const double *curve;
};
void fcfs_serve(struct fcfs_queue *queue, struct fcfs_link *links, const struct weir_view *view,
                struct weir_grants *grants, struct fcfs_share share);

#endif

/* The runs that are still to be done, and handing them out to workers. */
#ifndef WEIR_EXPERIMENT_PENDING_H
#define WEIR_EXPERIMENT_PENDING_H

#include "base/err.h"
#include "experiment/campaign.h"
#include <stddef.h>
#include <stdint.h>

/* A part of the campaign's workloads: every `count`th, beginning with number `number`, from 1 on.
 */
struct campaign_shard {
    size_t number, count;
};

struct pending {
    uint32_t *runs; /* in the campaign's order */
    size_t count, next, policies;
    size_t known; /* of the shard, that are stored */
};

/* The runs of this shard but repeats, and those whose identities are in a sorted list; without
 * such a list the campaign needs no identities. 0, or -1
 * when memory is out; pending_fini frees. */
int pending_init(struct pending *pending, const struct campaign *campaign,
                 struct campaign_shard shard, const int64_t *stored, size_t stored_count,
                 struct err *err);
/* How many runs of the shard a sorted list of identities has. */
size_t pending_count_in(const struct campaign *campaign, struct campaign_shard shard,
                        const int64_t *list, size_t count);
void pending_fini(struct pending *pending);

/* Takes the next runs for one of this many workers: some of one workload, all of them while there
 * is plenty, and fewer towards the end, so that all workers end together. Returns their place in
 * `runs` and sets *count, 0 = there are no more. */
size_t pending_take(struct pending *pending, size_t workers, size_t *count);

#endif

#include "experiment/pending.h"
#include "base/mem.h"
#include <stdbool.h>
#include <stdlib.h>

static int pending_compare(const void *one, const void *two)
{
    int64_t a = *(const int64_t *)one, b = *(const int64_t *)two;
    return (a > b) - (a < b);
}

static bool pending_is_in(int64_t identity, const int64_t *list, size_t count)
{
    return count > 0 && bsearch(&identity, list, count, sizeof *list, pending_compare);
}

static bool pending_is_of(const struct campaign *campaign, struct campaign_shard shard, size_t run)
{
    size_t number = run / campaign->policy_count;
    return number % shard.count == shard.number - 1 && !campaign_is_repeat(campaign, number);
}

size_t pending_count_in(const struct campaign *campaign, struct campaign_shard shard,
                        const int64_t *list, size_t count)
{
    size_t found = 0;
    for (size_t run = 0; run < campaign->runs; run++)
        found += pending_is_of(campaign, shard, run) &&
                 pending_is_in(campaign->identities[run], list, count);
    return found;
}

int pending_init(struct pending *pending, const struct campaign *campaign,
                 struct campaign_shard shard, const int64_t *stored, size_t stored_count,
                 struct err *err)
{
    *pending = (struct pending){.policies = campaign->policy_count};
    pending->runs = mem_alloc(campaign->runs, sizeof *pending->runs);
    if (!pending->runs)
        return err_memory(err);
    for (size_t run = 0; run < campaign->runs; run++) {
        if (!pending_is_of(campaign, shard, run))
            continue;
        if (stored_count > 0 && pending_is_in(campaign->identities[run], stored, stored_count))
            pending->known++;
        else
            pending->runs[pending->count++] = (uint32_t)run;
    }
    return 0;
}

void pending_fini(struct pending *pending)
{
    free(pending->runs);
    *pending = (struct pending){0};
}

size_t pending_take(struct pending *pending, size_t workers, size_t *count)
{
    size_t first = pending->next, left = pending->count - first;
    size_t most = (left + 2 * workers - 1) / (2 * workers);
    size_t end = first;
    while (end < first + most &&
           pending->runs[end] / pending->policies == pending->runs[first] / pending->policies)
        end++;
    *count = end - first;
    pending->next = end;
    return first;
}

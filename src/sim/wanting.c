/* How long each party had at least one I/O posted: the number of its I/Os is counted, and time runs
 * from the first to the last of them. */
#include "sim/wanting.h"
#include "base/mem.h"
#include <stdlib.h>

struct wanting_party {
    uint32_t ios; /* posted */
    double since; /* if there are any */
    double seconds;
};

struct wanting {
    const struct workload *workload;
    struct wanting_party *parties[PARTY_MEASURED]; /* by their numbers; 0 are the unknown */
};

struct wanting *wanting_new(const struct workload *workload)
{
    struct wanting *wanting = mem_alloc(1, sizeof *wanting);
    if (!wanting)
        return NULL;
    wanting->workload = workload;
    for (int kind = 0; kind < PARTY_MEASURED; kind++) {
        wanting->parties[kind] =
            mem_alloc((size_t)workload->parties[kind].count + 1, sizeof **wanting->parties);
        if (!wanting->parties[kind]) {
            wanting_free(wanting);
            return NULL;
        }
    }
    return wanting;
}

void wanting_free(struct wanting *wanting)
{
    if (!wanting)
        return;
    for (int kind = 0; kind < PARTY_MEASURED; kind++)
        free(wanting->parties[kind]);
    free(wanting);
}

static struct wanting_party *wanting_of(struct wanting *wanting, int kind, uint32_t id)
{
    uint32_t number = workload_party(wanting->workload, (enum party_kind)kind, id);
    return &wanting->parties[kind][number];
}

void wanting_post(struct wanting *wanting, double now, uint32_t id)
{
    for (int kind = 0; kind < PARTY_MEASURED; kind++) {
        struct wanting_party *party = wanting_of(wanting, kind, id);
        if (party->ios++ == 0)
            party->since = now;
    }
}

void wanting_complete(struct wanting *wanting, double now, uint32_t id)
{
    for (int kind = 0; kind < PARTY_MEASURED; kind++) {
        struct wanting_party *party = wanting_of(wanting, kind, id);
        if (--party->ios == 0)
            party->seconds += now - party->since;
    }
}

void wanting_start(struct wanting *wanting, double now)
{
    for (int kind = 0; kind < PARTY_MEASURED; kind++)
        for (uint32_t number = 0; number <= wanting->workload->parties[kind].count; number++) {
            struct wanting_party *party = &wanting->parties[kind][number];
            party->seconds = 0; /* what lies before the window does not count */
            party->since = now;
        }
}

void wanting_end(struct wanting *wanting, double now, struct outcome *outcome)
{
    for (int kind = 0; kind < PARTY_MEASURED; kind++)
        for (uint32_t number = 1; number <= wanting->workload->parties[kind].count; number++) {
            const struct wanting_party *party = &wanting->parties[kind][number];
            double still = party->ios > 0 ? now - party->since : 0;
            outcome->wanting[kind][number - 1] = party->seconds + still;
        }
}

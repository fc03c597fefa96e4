#include "model/outcome.h"
#include "base/mem.h"
#include <stdlib.h>

struct outcome *outcome_new(uint32_t count)
{
    struct outcome *outcome = mem_alloc(1, sizeof *outcome);
    if (!outcome)
        return NULL;
    outcome->count = count;
    outcome->apps = mem_alloc(count, sizeof *outcome->apps);
    outcome->spans = mem_alloc(count, sizeof *outcome->spans);
    if (outcome->apps && outcome->spans)
        return outcome;
    outcome_free(outcome);
    return NULL;
}

int outcome_party(struct outcome *outcome, const struct parties parties[PARTY_KINDS])
{
    for (int kind = 0; kind < PARTY_KINDS; kind++) {
        outcome->wanting[kind] = mem_alloc(parties[kind].count, sizeof **outcome->wanting);
        if (!outcome->wanting[kind])
            return -1;
    }
    return 0;
}

int outcome_divide(struct outcome *outcome, uint32_t channels)
{
    outcome->channel_count = channels;
    outcome->channels = mem_alloc((size_t)outcome->count * channels, sizeof *outcome->channels);
    return outcome->channels ? 0 : -1;
}

void outcome_free(struct outcome *outcome)
{
    if (!outcome)
        return;
    for (int kind = 0; kind < PARTY_KINDS; kind++)
        free(outcome->wanting[kind]);
    free(outcome->channels);
    free(outcome->apps);
    free(outcome->spans);
    free(outcome);
}

#include "blame/pairs.h"
#include "base/mem.h"
#include <stdlib.h>

static size_t pairs_hash(const struct blame_pairs *pairs, uint32_t suffers, uint32_t causes)
{
    uint64_t key = (uint64_t)suffers << 32 | causes;
    return (size_t)((key * 0x9e3779b97f4a7c15u) >> 32) & (pairs->size - 1);
}

/* Where the pair stands in the table, or is to stand. */
static uint32_t *pairs_find(const struct blame_pairs *pairs, uint32_t suffers, uint32_t causes)
{
    size_t at = pairs_hash(pairs, suffers, causes);
    for (;; at = (at + 1) & (pairs->size - 1)) {
        uint32_t place = pairs->table[at];
        if (place == 0 ||
            (pairs->list[place - 1].suffers == suffers && pairs->list[place - 1].causes == causes))
            return &pairs->table[at];
    }
}

/* Makes the table twice as large. 0 or -1. */
static int pairs_grow(struct blame_pairs *pairs)
{
    struct blame_pairs larger = *pairs;
    larger.size = pairs->size ? 2 * pairs->size : 1024;
    larger.table = mem_alloc(larger.size, sizeof *larger.table);
    if (!larger.table)
        return -1;
    for (size_t i = 0; i < pairs->count; i++)
        *pairs_find(&larger, pairs->list[i].suffers, pairs->list[i].causes) = (uint32_t)i + 1;
    free(pairs->table);
    *pairs = larger;
    return 0;
}

struct blame_pair *pairs_get(struct blame_pairs *pairs, uint32_t suffers, uint32_t causes)
{
    if (2 * (pairs->count + 1) > pairs->size && pairs_grow(pairs) != 0)
        return NULL;
    uint32_t *place = pairs_find(pairs, suffers, causes);
    if (*place > 0)
        return &pairs->list[*place - 1];
    struct blame_pair *list =
        mem_reserve(pairs->list, &pairs->capacity, pairs->count + 1, sizeof *list);
    if (!list)
        return NULL;
    pairs->list = list;
    list[pairs->count] = (struct blame_pair){.suffers = suffers, .causes = causes};
    *place = (uint32_t)++pairs->count;
    return &list[pairs->count - 1];
}

void pairs_fini(struct blame_pairs *pairs)
{
    free(pairs->list);
    free(pairs->table);
    *pairs = (struct blame_pairs){0};
}

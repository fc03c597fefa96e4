#include "node/tokens.h"
#include "base/mem.h"
#include <stdlib.h>

/* Tokens are random; a user who chooses similar ones slows down only the search for their own. */
static struct tokens_entry **tokens_list(const struct tokens *tokens, uint32_t uid, uint64_t token)
{
    uint64_t mixed = (token ^ uid) * UINT64_C(0x9E3779B97F4A7C15);
    return &tokens->lists[(mixed >> 32) & (tokens->size - 1)];
}

int tokens_resize(struct tokens *tokens, uint32_t size)
{
    struct tokens fresh = {mem_alloc(size, sizeof *fresh.lists), size};
    if (!fresh.lists)
        return -1;
    for (uint32_t i = 0; i < tokens->size; i++)
        for (struct tokens_entry *entry = tokens->lists[i], *next; entry; entry = next) {
            next = entry->same_hash;
            tokens_add(&fresh, entry);
        }
    tokens_fini(tokens);
    *tokens = fresh;
    return 0;
}

void tokens_fini(struct tokens *tokens)
{
    free(tokens->lists);
    *tokens = (struct tokens){0};
}

void tokens_add(struct tokens *tokens, struct tokens_entry *entry)
{
    struct tokens_entry **list = tokens_list(tokens, entry->who->uid, entry->who->token[0]);
    entry->same_hash = *list;
    *list = entry;
}

void tokens_remove(struct tokens *tokens, struct tokens_entry *entry)
{
    struct tokens_entry **link = tokens_list(tokens, entry->who->uid, entry->who->token[0]);
    while (*link != entry)
        link = &(*link)->same_hash;
    *link = entry->same_hash;
}

void *tokens_find(const struct tokens *tokens, uint32_t uid, const uint64_t token[2])
{
    struct tokens_entry *entry = *tokens_list(tokens, uid, token[0]);
    while (entry && (entry->who->uid != uid || entry->who->token[0] != token[0] ||
                     entry->who->token[1] != token[1]))
        entry = entry->same_hash;
    return entry ? entry->owner : NULL;
}

/* Applications by user and token, so that finding one takes the same time however many there are.
 */
#ifndef WEIR_NODE_TOKENS_H
#define WEIR_NODE_TOKENS_H

#include "node/message.h"

/* A member of what is found. */
struct tokens_entry {
    const struct node_join *who; /* its uid and token do not change */
    void *owner;
    struct tokens_entry *same_hash;
};

struct tokens {
    struct tokens_entry **lists; /* by hash */
    uint32_t size;               /* a power of two */
};

/* Makes room for this many, a power of two. 0, or -1 when memory is out and nothing has changed. */
int tokens_resize(struct tokens *tokens, uint32_t size);
void tokens_fini(struct tokens *tokens);

void tokens_add(struct tokens *tokens, struct tokens_entry *entry);
void tokens_remove(struct tokens *tokens, struct tokens_entry *entry);

/* The owner of the entry of this user and token, or NULL. */
void *tokens_find(const struct tokens *tokens, uint32_t uid, const uint64_t token[2]);

#endif

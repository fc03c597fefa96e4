/* The applications by user and token, so that attaching takes the same time however many there are.
 */
#ifndef WEIR_NODE_TOKENS_H
#define WEIR_NODE_TOKENS_H

#include "node/app.h"

struct tokens {
    struct node_app **lists; /* by hash, linked by `same_hash` */
    uint32_t size;           /* a power of two */
};

/* Makes room for this many, a power of two. 0, or -1 when memory is out and nothing has changed. */
int tokens_resize(struct tokens *tokens, uint32_t size);
void tokens_fini(struct tokens *tokens);

void tokens_add(struct tokens *tokens, struct node_app *app);
void tokens_remove(struct tokens *tokens, struct node_app *app);

/* The application of this user and token, or NULL. */
struct node_app *tokens_find(const struct tokens *tokens, uint32_t uid, const uint64_t token[2]);

#endif

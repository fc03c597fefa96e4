#include "node/tokens.h"
#include "base/mem.h"
#include <stdlib.h>

/* Tokens are random; a user who chooses similar ones slows down only the search for their own. */
static struct node_app **tokens_list(const struct tokens *tokens, uint32_t uid, uint64_t token)
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
        for (struct node_app *app = tokens->lists[i], *next; app; app = next) {
            next = app->same_hash;
            tokens_add(&fresh, app);
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

void tokens_add(struct tokens *tokens, struct node_app *app)
{
    struct node_app **list = tokens_list(tokens, app->who.uid, app->who.token[0]);
    app->same_hash = *list;
    *list = app;
}

void tokens_remove(struct tokens *tokens, struct node_app *app)
{
    struct node_app **link = tokens_list(tokens, app->who.uid, app->who.token[0]);
    while (*link != app)
        link = &(*link)->same_hash;
    *link = app->same_hash;
}

struct node_app *tokens_find(const struct tokens *tokens, uint32_t uid, const uint64_t token[2])
{
    struct node_app *app = *tokens_list(tokens, uid, token[0]);
    while (app &&
           (app->who.uid != uid || app->who.token[0] != token[0] || app->who.token[1] != token[1]))
        app = app->same_hash;
    return app;
}

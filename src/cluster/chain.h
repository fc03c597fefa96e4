/* A list of things that contain their link, so that one can be added or removed at once. */
#ifndef WEIR_CLUSTER_CHAIN_H
#define WEIR_CLUSTER_CHAIN_H

#include <stdbool.h>
#include <stddef.h>

/* The list itself, or the link of one thing in it. A link that is in no list points to itself. */
struct chain {
    struct chain *next, *last;
};

static inline void chain_init(struct chain *chain)
{
    chain->next = chain->last = chain;
}
static inline bool chain_is_empty(const struct chain *chain)
{
    return chain->next == chain;
}
static inline void chain_remove(struct chain *link)
{
    link->last->next = link->next;
    link->next->last = link->last;
    chain_init(link);
}
/* Puts a link, which may be in a list, at the end of this one. */
static inline void chain_append(struct chain *chain, struct chain *link)
{
    chain_remove(link);
    link->last = chain->last;
    link->next = chain;
    chain->last->next = link;
    chain->last = link;
}

/* The thing whose member is this link. */
#define CHAIN_OF(link, type, member) ((type *)((char *)(link)-offsetof(type, member)))

#endif

/* Greedy sharing by a key, the shape of most strategies: sort the active applications, give each
 * in turn what it can take of what is left. */
#ifndef WEIR_POLICY_GREEDY_H
#define WEIR_POLICY_GREEDY_H

#include <weir/policy.h>

/* One contender: lower rank first, then lower key (equal within 1e-12), then lower id. */
struct greedy_item {
    double key;
    uint32_t app;
    uint32_t rank;
};

static inline bool greedy_before(const struct greedy_item *a, const struct greedy_item *b)
{
    if (a->rank != b->rank)
        return a->rank < b->rank;
    return weir_before(a->key, a->app, b->key, b->app);
}

/* If all active applications fit, grants each its bmax and returns true: no order is needed. */
bool greedy_grant_all(const struct weir_view *view, struct weir_grants *grants);

/* Makes a heap of the items, so that greedy_pop gives them in order: O(n), then O(log n) each. */
void greedy_heapify(struct greedy_item *items, uint32_t count);
struct greedy_item greedy_pop(struct greedy_item *items, uint32_t *count);

/* Serves the items in order until `left` bytes/s are used up; their array is spoilt. */
void greedy_serve(const struct weir_view *view, struct weir_grants *grants,
                  struct greedy_item *items, uint32_t count);

/* The same for at least one item, of which the first in order is known. */
void greedy_serve_from(const struct weir_view *view, struct weir_grants *grants,
                       struct greedy_item *items, uint32_t count, uint32_t first);

#endif

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

/* What weir_lost and weir_yield give for an active application under a strategy that does not
 * share, without looking at what is known of it. */
static inline double greedy_lost(const struct weir_run *run, double now)
{
    return run->lost + (now - run->since) * (1 - run->rate / run->app->bmax);
}
static inline double greedy_yield(const struct weir_run *run, double now)
{
    double age = now - run->app->release, lost = greedy_lost(run, now);
    return age > 0 ? 1 - lost / age : 0;
}

/* The lowest yield so far, with the lower id on ties. Yields are at most 1, so that those outside
 * of `below` to `above` are not equal to it, and need no closer look. */
struct greedy_lowest {
    double yield, below, above;
    uint32_t app, index;
};

static inline void greedy_lower(struct greedy_lowest *lowest, double yield, uint32_t app,
                                uint32_t index)
{
    if (yield > lowest->above ||
        (yield >= lowest->below && !weir_before(yield, app, lowest->yield, lowest->app)))
        return;
    double slack = 2e-12 * (1 + fabs(yield));
    *lowest = (struct greedy_lowest){yield, yield - slack, yield + slack, app, index};
}

/* If all active applications fit, grants each its bmax and returns true: no order is needed. */
void greedy_grant_each(const struct weir_view *view, struct weir_grants *grants);
static inline bool greedy_grant_all(const struct weir_view *view, struct weir_grants *grants)
{
    if (view->active_bmax > weir_bandwidth(view, view->active_count))
        return false;
    greedy_grant_each(view, grants);
    return true;
}

/* Of what was left for the last of `served` applications, what is left for the next: without what
 * that one takes, and without what the store loses by serving one more. None is served when nothing
 * is left: so each one that is adds to the total, and takes nothing from those before it. */
static inline double greedy_leave(const struct weir_view *view, double left, double taken,
                                  uint32_t served)
{
    left -= taken;
    if (view->curve)
        left -= weir_bandwidth(view, served) - weir_bandwidth(view, served + 1);
    return left;
}

/* Makes a heap of the items, so that greedy_pop gives them in order: O(n), then O(log n) each. */
void greedy_heapify(struct greedy_item *items, uint32_t count);
struct greedy_item greedy_pop(struct greedy_item *items, uint32_t *count);

/* Serves the items in order until the bandwidth is used up; their array is spoilt. */
void greedy_serve(const struct weir_view *view, struct weir_grants *grants,
                  struct greedy_item *items, uint32_t count);

/* The same for at least one item, of which the first in order is known. */
void greedy_serve_from(const struct weir_view *view, struct weir_grants *grants,
                       struct greedy_item *items, uint32_t count, uint32_t first);

#endif

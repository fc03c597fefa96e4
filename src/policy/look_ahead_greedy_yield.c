/* look-ahead-greedy-yield: for each active application, what if it were served first and the rest
 * by greedy-yield? The allocation with the largest minimum yield at the next completion is taken
 * (002 section 4.1).
 *
 * A candidate is refused as soon as one application would end up below the best minimum so far. Two
 * are asked before the others: the most delayed, which mostly has to wait for the candidate, and
 * the witness, which refused the last candidate that it did not, and loses too much before the next
 * completion. So most candidates cost O(1). */
#include "base/maths.h"
#include "policy/greedy.h"
#include "policy/overrun.h"
#include "policy/strategies.h"

/* One active application. */
struct contender {
    double lost, age;
    double bmax;
    double alone; /* seconds its I/O still takes at bmax */
    uint32_t app;
    uint32_t seen; /* the last candidate that looked at it, + 1 */
};

struct look_ahead_greedy_yield_state {
    struct greedy_item *items; /* for sorting */
    struct contender *all;
    uint32_t count;
    /* The contenders by increasing yield, until they can use all the bandwidth: the others are
     * served only as the candidate. */
    uint32_t *first, first_count;
    double *rates; /* of those under the candidate being looked at */
    uint32_t witness;
    double ahead; /* seconds until its first completion */
    double taken; /* what the candidate gets */

    uint32_t best; /* candidate so far, and the smallest yield it leads to */
    double best_yield;
};

static void look_ahead_init(void *self, const struct weir_setup *setup)
{
    struct look_ahead_greedy_yield_state *state = self;
    state->items = (struct greedy_item *)(state + 1);
    state->all = (struct contender *)(state->items + setup->capacity);
    state->rates = (double *)(state->all + setup->capacity);
    state->first = (uint32_t *)(state->rates + setup->capacity);
}

/* Finds the contenders that greedy-yield would serve, given the one of the lowest yield. */
static void look_ahead_order(struct look_ahead_greedy_yield_state *state,
                             const struct weir_view *view, uint32_t lowest)
{
    uint32_t left = state->count - 1;
    double total = state->all[lowest].bmax;
    state->first[0] = lowest;
    state->first_count = 1;
    if (left == 0 || total >= weir_bandwidth(view, 2))
        return;
    /* A heap and no sort: only those that are served are taken from it. */
    state->items[lowest] = state->items[left];
    greedy_heapify(state->items, left);
    for (; left > 0 && total < weir_bandwidth(view, state->first_count + 1); state->first_count++) {
        uint32_t index = view->runs[greedy_pop(state->items, &left).app].position;
        state->first[state->first_count] = index;
        total += state->all[index].bmax;
    }
}

static void look_ahead_gather(struct look_ahead_greedy_yield_state *state,
                              const struct weir_view *view)
{
    struct greedy_lowest lowest = {.above = INFINITY, .below = INFINITY};
    state->count = view->active_count;
    for (uint32_t i = 0; i < state->count; i++) {
        uint32_t id = view->active[i];
        const struct weir_run *run = &view->runs[id];
        struct contender *own = &state->all[i];
        own->lost = greedy_lost(run, view->now);
        own->age = weir_age(view, run);
        own->bmax = run->app->bmax;
        own->alone = overrun_left(view, run) / run->app->bmax;
        own->app = id;
        own->seen = 0;
        double yield = own->age > 0 ? 1 - own->lost / own->age : 0;
        state->items[i].key = yield;
        state->items[i].app = id;
        greedy_lower(&lowest, yield, id, i);
    }
    look_ahead_order(state, view, lowest.index);
}

/* Gives the candidate what it can use and the others the rest by increasing yield; finds when the
 * first of them is done, or the window ends. */
static inline void look_ahead_allocate(struct look_ahead_greedy_yield_state *state,
                                       const struct weir_view *view, uint32_t candidate)
{
    const struct contender *own = &state->all[candidate];
    double taken = maths_min(own->bmax, view->bandwidth); /* of which less may be left now */
    double left = greedy_leave(view, view->bandwidth, taken, 1);
    double alone = taken < own->bmax ? own->alone * own->bmax / taken : own->alone;
    double ahead = maths_min(alone, view->horizon - view->now);
    uint32_t served = 1;
    for (uint32_t f = 0; f < state->first_count; f++) {
        const struct contender *other = &state->all[state->first[f]];
        double rate = other == own ? taken : left > 0 ? maths_min(other->bmax, left) : 0;
        state->rates[f] = rate;
        if (other == own || !(rate > 0))
            continue;
        left = greedy_leave(view, left, rate, ++served);
        ahead = maths_min(ahead, other->alone * other->bmax / rate);
    }
    state->ahead = ahead;
    state->taken = taken;
}

/* Yield after `ahead` seconds at a fraction of bmax. */
static double look_ahead_yield_after(const struct contender *contender, double ahead,
                                     double fraction)
{
    double age = contender->age + ahead;
    return age > 0 ? 1 - (contender->lost + ahead * (1 - fraction)) / age : 0;
}

/* Whether this yield of any application makes the candidate no better than the best. A tie goes to
 * the lower id, whatever the order in which candidates are looked at. */
static inline bool look_ahead_refuses(const struct look_ahead_greedy_yield_state *state,
                                      uint32_t candidate, double yield)
{
    return state->best != UINT32_MAX && weir_before(yield, state->all[state->best].app,
                                                    state->best_yield, state->all[candidate].app);
}

/* Whether the most delayed refuses the candidate, or the witness, which is none of the first: it
 * gets nothing under any candidate but itself, and need not be looked up in the allocation. */
static inline bool look_ahead_refused_early(const struct look_ahead_greedy_yield_state *state,
                                            uint32_t candidate)
{
    const struct contender *delayed = &state->all[state->first[0]];
    double fraction = state->rates[0] / delayed->bmax;
    uint32_t witness = state->witness;
    if (look_ahead_refuses(state, candidate,
                           look_ahead_yield_after(delayed, state->ahead, fraction)))
        return true;
    if (witness >= state->count || witness == candidate)
        return false;
    return look_ahead_refuses(state, candidate,
                              look_ahead_yield_after(&state->all[witness], state->ahead, 0));
}

/* Looks for an application that ends up so low that the candidate is out; false if there is none,
 * and then *smallest is the smallest yield. */
static __attribute__((noinline)) bool look_ahead_refused(
    struct look_ahead_greedy_yield_state *state, uint32_t candidate, double *smallest)
{
    const struct contender *own = &state->all[candidate];
    double ahead = state->ahead;
    double least = look_ahead_yield_after(own, ahead, state->taken / own->bmax);
    if (look_ahead_refuses(state, candidate, least))
        return true;
    for (uint32_t f = 0; f < state->first_count; f++) {
        struct contender *other = &state->all[state->first[f]];
        double yield = look_ahead_yield_after(other, ahead, state->rates[f] / other->bmax);
        if (look_ahead_refuses(state, candidate, yield))
            return true;
        least = maths_min(least, yield);
        other->seen = candidate + 1;
    }
    for (uint32_t i = 0; i < state->count; i++) {
        if (i == candidate || state->all[i].seen == candidate + 1)
            continue;
        double yield = look_ahead_yield_after(&state->all[i], ahead, 0);
        if (look_ahead_refuses(state, candidate, yield)) {
            state->witness = i;
            return true;
        }
        least = maths_min(least, yield);
    }
    *smallest = least;
    return false;
}

static void look_ahead_grant(struct look_ahead_greedy_yield_state *state,
                             const struct weir_view *view, struct weir_grants *grants)
{
    const struct contender *own = &state->all[state->best];
    look_ahead_allocate(state, view, state->best);
    weir_grant(grants, own->app, state->taken);
    for (uint32_t f = 0; f < state->first_count; f++)
        if (state->first[f] != state->best && state->rates[f] > 0)
            weir_grant(grants, state->all[state->first[f]].app, state->rates[f]);
}

static void look_ahead_decide(void *self, const struct weir_view *view, struct weir_grants *grants)
{
    struct look_ahead_greedy_yield_state *state = self;
    if (greedy_grant_all(view, grants))
        return;
    look_ahead_gather(state, view);
    /* The most delayed takes the first turn, and the one with index 0 its turn: greedy-yield itself
     * is hard to beat, and a high minimum early refuses the rest early. */
    uint32_t swap = state->first[0];
    state->witness = state->best = UINT32_MAX;
    for (uint32_t turn = 0; turn < state->count; turn++) {
        uint32_t candidate = turn == 0 ? swap : turn == swap ? 0 : turn;
        double smallest;
        look_ahead_allocate(state, view, candidate);
        if (turn > 0 && look_ahead_refused_early(state, candidate))
            continue;
        if (look_ahead_refused(state, candidate, &smallest))
            continue;
        state->best = candidate;
        state->best_yield = smallest;
    }
    look_ahead_grant(state, view, grants);
}

const struct weir_policy_ops policy_look_ahead_greedy_yield = {
    .abi = WEIR_POLICY_ABI,
    .flags = WEIR_WORK_CONSERVING | WEIR_NEEDS_YIELD | WEIR_NEEDS_VOLUME | WEIR_GRANTS_ALL |
             WEIR_KNOWS_CURVE,
    .name = "look-ahead-greedy-yield",
    .summary = "serves first the one that makes the smallest yield at the next completion largest",
    .paper = "Benoit et al., JPDC 2024, section 4.1",
    .state_size = sizeof(struct look_ahead_greedy_yield_state),
    .app_size =
        sizeof(struct greedy_item) + sizeof(struct contender) + sizeof(double) + sizeof(uint32_t),
    .init = look_ahead_init,
    .decide = look_ahead_decide,
};

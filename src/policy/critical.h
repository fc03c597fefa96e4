/* The critical yield of an application: what its yield would be at the end of its I/O, or of the
 * window, if it were served alone from now on and no more time counted than has passed.
 *
 * With P seconds of progress, an age, and `rest` seconds that the I/O takes alone it is
 * c = (P + rest) / age. An application that must end with a yield of y has to end this I/O at
 * release + (P + rest) / y at the latest; c is the y whose deadline is now. So an order by c is
 * earliest deadline first for every target yield at once, where releases are equal; where they are
 * not, deadlines have to be compared at one yield (clear.h). */
#ifndef WEIR_POLICY_CRITICAL_H
#define WEIR_POLICY_CRITICAL_H

#include "policy/greedy.h"

/* Of one with an I/O; 0 at the release itself. */
static inline double critical_active(const struct weir_view *view, const struct weir_run *run)
{
    double age = weir_age(view, run), rest = weir_expected(view, run) / run->app->bmax;
    if (rest > view->horizon - view->now)
        rest = view->horizon - view->now;
    return age > 0 ? 1 + (rest - weir_lost(view, run)) / age : 0;
}

/* Of any that runs: one that works has its yield. */
static inline double critical_running(const struct weir_view *view, const struct weir_run *run)
{
    return run->state == WEIR_WORKING ? weir_yield(view, run) : critical_active(view, run);
}

/* Greedy by increasing critical yield; there is room for an item of each active application. */
static inline void critical_serve(const struct weir_view *view, struct weir_grants *grants,
                                  struct greedy_item *items)
{
    for (uint32_t i = 0; i < view->active_count; i++) {
        uint32_t id = view->active[i];
        items[i] = (struct greedy_item){.key = critical_active(view, &view->runs[id]), .app = id};
    }
    greedy_serve(view, grants, items, view->active_count);
}

/* What serving one costs whose critical yield is by this much above a level: the seconds until its
 * deadline at the level, which are above * age / level, times its bytes per node. The level is the
 * same for all, and may be 0: it is left out. */
static inline double critical_price(const struct weir_view *view, const struct weir_run *run,
                                    double above)
{
    return weir_age(view, run) * above * (weir_expected(view, run) / run->app->nodes);
}

#endif

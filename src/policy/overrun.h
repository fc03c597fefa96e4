/* An I/O that moves more than was expected of it, where volumes are estimates.
 *
 * By its keys, a strategy takes it for one that is about to end (weir_expected): by a volume that
 * doubles it would lose its turn each time, and mostly little is left of it. Where a strategy
 * predicts what happens next, an I/O without bytes would say nothing: there it has a part left. */
#ifndef WEIR_POLICY_OVERRUN_H
#define WEIR_POLICY_OVERRUN_H

#include <weir/policy.h>

/* Of the volume that was expected at first. */
#define OVERRUN_PART 0.1

/* The bytes to count on in a prediction. */
static inline double overrun_left(const struct weir_view *view, const struct weir_run *run)
{
    double left = weir_expected(view, run);
    double least = run->exceeded ? OVERRUN_PART * (run->volume - weir_beyond(view, run)) : 0;
    return left > least ? left : least;
}

#endif

/* How good a plan can be at all. */
#ifndef WEIR_PLAN_BOUND_H
#define WEIR_PLAN_BOUND_H

#include "model/plan.h"

struct plan_bounds {
    double sys_efficiency;           /* without any contention (003): (1/N) sum p w / (w + tio) */
    double sys_efficiency_bandwidth; /* with the bandwidth respected */
    double dilation_bandwidth;       /* the same for Dilation; at least 1 */
};

/* SysEfficiency <= max (1/N) sum p w x with x <= 1/(w + tio) instances per second and sum v x <= B:
 * a fractional knapsack. Dilation >= sum v / ((w + tio) B). -1 when memory is out. */
int bounds_compute(const struct tasks *tasks, struct plan_bounds *bounds);

/* The knapsack for one period: an upper bound of T SysEfficiency when a pattern holds only whole
 * instances, at most T / (w + tio) of each and B T bytes in all. `by_value` lists the applications
 * by decreasing p w / v (bounds_order). */
double bounds_period(const struct tasks *tasks, const uint32_t *by_value, double period);
void bounds_order(const struct tasks *tasks, uint32_t *by_value);

#endif

/* How good any schedule of a workload can be, even one that knows the future: bounds that no
 * strategy passes. docs/explanation/bounds.md has the proofs. */
#ifndef WEIR_BOUND_BOUND_H
#define WEIR_BOUND_BOUND_H

#include "base/err.h"
#include "model/workload.h"
#include <weir/metrics.h>

struct bounds {
    double min_yield;   /* at most this */
    double efficiency;  /* at most this; NAN if the window begins after time 0, since what is lost
                           before does not count there */
    double makespan;    /* at least this, in seconds; NAN in a window */
    double max_stretch; /* at least this; NAN in a window */
};

/* 0, or -1 when memory is out. */
int bounds_find(const struct workload *workload, struct bounds *bounds, struct err *err);

/* The Efficiency, in a window from time 0 on, of a schedule whose MinYield is at least this: at
 * most *efficiency; NAN = there is no such schedule. 0, or -1 when memory is out. */
int bounds_efficiency(const struct workload *workload, double min_yield, double *efficiency,
                      struct err *err);

/* The same as measures: NAN of those that have no bound. */
struct weir_metrics bounds_as_metrics(const struct bounds *bounds);

/* --- between the files of this room ----------------------------------------------------------- */

/* The end of the window, or INFINITY. */
double bound_end(const struct workload *workload);

/* The seconds that an application may lose after time 0 if its yield is to be at least y > 0 when
 * it ends, or at the end of the window; negative if it has lost too much before. */
double bound_budget(const struct workload *workload, uint32_t id, double y);

#endif

/* Hierarchical Round-Robin (thesis Algorithm 1): the shortest schedule of uniform jobs.
 *
 * Uniform jobs all repeat the same work a and the same I/O b, each its own number of times, and one
 * I/O is served at a time. The schedule is built around the job with the most iterations: before
 * each of its I/Os comes one of every job that has as many, and the I/Os of the others are dealt
 * out evenly between its first and its last. */
#ifndef WEIR_PLAN_HRR_H
#define WEIR_PLAN_HRR_H

#include "base/err.h"
#include "model/plan.h"

/* The makespan in closed form (thesis section II.D.3): with n the most iterations of a job, l the
 * number of jobs that have n, q and r quotient and remainder of (sum of all - l) / (n - 1),
 * it is a + l b + (n - 1 - r) max(a + b, q b) + r max(a + b, (q + 1) b), and a + l b for n = 1.
 * `iterations` of each job, at least 1, in any order; at least one job. */
double hrr_makespan(double work, double io, const uint32_t *iterations, uint32_t count);

/* The schedule. It is finite and runs once: each application has all its iterations as instances,
 * the first work begins at 0, and the period is the makespan. Every I/O has the application's full
 * bmax and no other beside it; work begins as soon as the I/O before it has ended.
 * NULL with err when the tasks are not uniform (naming the first that differs from the first one),
 * have no end, are too many, or memory is out; plan_free frees. */
struct plan *hrr_plan(const struct tasks *tasks, struct err *err);

#endif

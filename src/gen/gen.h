/* Family + seed -> scenario, and scenario -> workload. The only room that draws random numbers. */
#ifndef WEIR_GEN_GEN_H
#define WEIR_GEN_GEN_H

#include "base/err.h"
#include "model/knowledge.h"
#include "model/scenario.h"
#include "model/workload.h"

/* Replicates, draws and adds noise: draws depend only on (seed, application, iteration), never on
 * the order of use. It has the scenario's window. NULL with err when that cannot be, or memory is
 * out; workload_free frees. */
struct workload *workload_realise(const struct scenario *scenario, struct err *err);

/* A number in (0, 1) for each job: sorted by them, the jobs are in a random order that depends only
 * on the seed. */
void gen_shuffle(uint64_t seed, double *keys, uint32_t count);

/* A copy in which every work phase takes up to `seconds` more or less, uniformly distributed. It
 * has no window. NULL with err when memory is out; workload_free frees. */
struct workload *workload_jitter(const struct workload *workload, double seconds, uint64_t seed,
                                 struct err *err);

/* A copy with the same window in which every work phase and every volume is up to `part` of itself
 * longer or shorter, uniformly distributed. NULL with err when memory is out; workload_free frees.
 */
struct workload *workload_perturb(const struct workload *workload, double part, uint64_t seed,
                                  struct err *err);

/* The part by which members of an ensemble differ: no measured length or volume is known that well,
 * so a difference between two runs that this causes means nothing. */
#define GEN_ENSEMBLE 1e-9

/* A copy without a window whose volumes are those that a controller with this knowledge, not exact,
 * expects when the I/Os are posted. NULL with err when memory is out; workload_free frees. */
struct workload *workload_believe(const struct workload *workload,
                                  const struct knowledge *knowledge, struct err *err);

/* The lengths of the applications that a controller with this knowledge knows, by index. NULL with
 * err when memory is out; free() frees. */
double *gen_know_lengths(const struct workload *workload, const struct knowledge *knowledge,
                         struct err *err);

/* Families that tests and benchmarks call by name; gen/family.h lists all. */

/* Jupiter set 1..10 (003 Tables 1, 2): round(20 Tmax / T) iterations of each application. */
struct scenario *gen_jupiter(int set, struct err *err);

/* Tucan (thesis Table III.1): `batches` 1..64 of five applications. */
struct scenario *gen_tucan(int batches, struct err *err);

/* The synthetic family of 002 section 6.2, window auto. */
struct synthetic {
    int applications; /* 60; a third each are medium, the rest small and big */
    int small;        /* n_small, 20 */
    double sigma, nu; /* 0.5, 0.5 */
    double pressure;  /* W */
    double horizon;   /* 2e6 s */
};
extern const struct synthetic synthetic_defaults;
struct scenario *gen_synthetic(const struct synthetic *params, uint64_t seed, struct err *err);

#endif

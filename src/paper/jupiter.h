/* The ten sets of Jupiter (Aupy et al. 2017, Table 2). */
#ifndef WEIR_PAPER_JUPITER_H
#define WEIR_PAPER_JUPITER_H

#include "paper/planned_set.h"

enum { JUPITER_SETS = 10 };

/* The start period of the published program for each set. */
extern const double jupiter_starts[JUPITER_SETS];

/* Set `number`, from 1 on. 0, or -1 with err; planned_set_fini frees in both cases. */
int jupiter_take(struct planned_set *set, int number, struct err *err);

/* Its plan by the published search, from its start period on. NULL with
 * err; plan_free frees. */
struct plan *jupiter_search(const struct planned_set *set, int number,
                            enum plan_objective objective, struct err *err);

#endif

/* Mapping jobs to nodes: Vidal, thesis 2022, sections III.D.2 and IV.C, on workloads drawn anew.
 * Both print their table, ours beside theirs, and check what docs/validation.md says. Call them in
 * a cmocka test. */
#ifndef WEIR_TESTS_PAPER_MAPPING_H
#define WEIR_TESTS_PAPER_MAPPING_H

#include <stdbool.h>

/* Packs with S = 1 against First-Fit on 1, 3 and 5 I/O nodes, and S = alpha: `instances` workloads
 * of the family packs for every `step`-th of the loads 0.5, 0.75, ..., 10. */
void mapping_compare_packs(int instances, int step);

/* List scheduling against packs in three orders, over the I/O load: `instances` workloads of a
 * family for each of the loads 0.2, 0.4, 0.6, 0.8. */
enum mapping_family { MAPPING_MN, MAPPING_MB, MAPPING_NU, MAPPING_BU };
void mapping_compare_lists(enum mapping_family family, int instances, bool backfill);

#endif

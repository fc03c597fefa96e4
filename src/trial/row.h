/* What came out of a trial: measures, and all that is needed to make them again. */
#ifndef WEIR_TRIAL_ROW_H
#define WEIR_TRIAL_ROW_H

#include "base/arena.h"
#include "base/err.h"
#include "model/knowledge.h"
#include "model/outcome.h"
#include "model/provenance.h"
#include "model/workload.h"
#include <stddef.h>
#include <stdint.h>
#include <weir/metrics.h>

/* The users, or the accounts; none if whose the applications are is unknown. */
struct row_parties {
    struct weir_party_metrics *list;
    uint32_t count;
};

/* It owns everything that it points at. A zeroed row is an empty one. */
struct row {
    struct provenance made;     /* version, scenario, seed and platform */
    uint64_t hash;              /* of the scenario, see scenario_hash */
    struct window window;       /* in which it was measured: WINDOW_NONE or WINDOW_FIXED */
    const char *policy;         /* as the user wrote it, */
    struct knowledge knowledge; /* and what it knew */
    struct weir_metrics metrics;
    struct weir_app_metrics *apps;
    uint32_t count;
    struct row_parties parties[PARTY_KINDS];
    struct weir_store_metrics *stores; /* if there are several, */
    uint32_t store_count;              /* else 0 */
    struct arena arena;
};

/* Computes all measures of an outcome of the workload under a strategy of this name. 0, or -1 when
 * memory is out; then the row is empty. row_fini frees. */
int row_init(struct row *row, const struct workload *workload, const char *policy,
             const struct outcome *outcome, struct err *err);
void row_fini(struct row *row);

/* Of the program, as it stands in every row. */
extern const char row_version[];

/* Where results of a workload come from; the name is borrowed from it. */
struct provenance row_provenance(const struct workload *workload);

/* Rows one after the other; zeroed, there are none. */
struct rows {
    struct row *list;
    size_t count, capacity;
    struct weir_metrics *bounds; /* what no schedule of their workload passes, owned; NULL = was not
                                    asked for */
};

/* Takes over the row, also when it fails. 0, or -1 when memory is out. */
int rows_add(struct rows *rows, struct row *row, struct err *err);
void rows_fini(struct rows *rows);

#endif

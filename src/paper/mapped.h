/* Jobs mapped to nodes, their I/O under an order of exclusive access: what the experiments of
 * Vidal (2022), chapters III and IV, have in common. */
#ifndef WEIR_PAPER_MAPPED_H
#define WEIR_PAPER_MAPPED_H

#include "base/err.h"
#include "map/mapper.h"
#include "metric/map_metric.h"
#include "model/mapping.h"
#include "model/workload.h"

/* A way to map. */
struct mapped_way {
    struct map_rules rules;
    enum map_order order;
    const double *random; /* for the random order: a number for each job */
    const char *strategy; /* of the I/O */
};

/* What came out; mapping_free frees the mapping. */
struct mapped_result {
    struct mapping *mapping;
    struct map_metrics metrics;
};

/* 0, or -1 with err. */
int mapped_measure(const struct workload *workload, const struct mapped_way *way,
                   struct mapped_result *result, struct err *err);

#endif

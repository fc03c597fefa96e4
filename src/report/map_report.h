/* Mapped workloads as tables, JSON and pictures. */
#ifndef WEIR_REPORT_MAP_REPORT_H
#define WEIR_REPORT_MAP_REPORT_H

#include "base/err.h"
#include "base/json.h"
#include "map/mapper.h"
#include "metric/map_metric.h"
#include "model/mapping.h"
#include "model/provenance.h"
#include "model/workload.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* One way of mapping the workload, and what came out. */
struct map_run {
    struct map_rules rules;
    enum map_order order;
    const char *policy; /* of the I/O */
    struct mapping *mapping;
    struct map_metrics metrics;
};

struct map_runs {
    const struct workload *workload;
    const struct map_run *list; /* at least one */
    size_t count;
};

/* For people, at most 80 columns wide: a table, and how busy the nodes are over time. 0, or -1 when
 * memory is out. */
int map_print(const struct map_runs *runs, bool colour, FILE *out);

/* Everything: measures, use of the nodes over time, and every job of every run. */
void map_json(const struct map_runs *runs, const struct provenance *provenance, struct json *json);

/* Nodes over time as SVG, a panel per I/O node: each job on the lowest nodes that are free when it
 * starts, its area divided into work, I/O and delay in true proportion; lines where packs begin;
 * and below, what all nodes do. 0, or -1 with err. */
int map_write_gantt(FILE *out, const struct workload *workload, const struct map_run *run,
                    struct err *err);

#endif

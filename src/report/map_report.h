/* Mapped workloads as tables and pictures. */
#ifndef WEIR_REPORT_MAP_REPORT_H
#define WEIR_REPORT_MAP_REPORT_H

#include "answer/map.h"
#include "base/err.h"
#include <stdbool.h>
#include <stdio.h>

/* For people, at most 80 columns wide: a table, and how busy the nodes are over time. 0, or -1 when
 * memory is out. */
int map_print(const struct map_answer *answer, bool colour, FILE *out);

/* Nodes over time as SVG, a panel per I/O node: each job on the lowest nodes that are free when it
 * starts, its area divided into work, I/O and delay in true proportion; lines where packs begin;
 * and below, what all nodes do. 0, or -1 with err. */
int map_write_gantt(FILE *out, const struct workload *workload, const struct map_run *run,
                    struct err *err);

#endif

/* A small run worked out by hand, and a way to look at what is written about it. */
#ifndef WEIR_TESTS_REPORT_COMMON_H
#define WEIR_TESTS_REPORT_COMMON_H

#include "model/outcome.h"
#include "model/timeline.h"
#include "model/workload.h"
#include "report/runs.h"

/* Two applications on 3 nodes and B = 10 B/s. "big" (2 nodes, bmax 10) works [0, 10] and writes
 * 100 bytes at full speed [10, 20]. "a<b>&\"c\"" (1 node, bmax 5) works [0, 10], waits [10, 20],
 * and writes 50 bytes [20, 30]. */
extern const struct workload sample_workload;
extern const struct outcome sample_outcome;
extern const struct timeline sample_timeline;

/* Adds the run under the name "fcfs". */
struct rows sample_rows(void);

void assert_near(double value, double expected, double tolerance);

/* A stream into memory: begin, write, and take what was written; free() frees that. */
FILE *capture_begin(void);
char *capture_end(void);

#endif

/* A timeline as trace events, for ui.perfetto.dev and chrome://tracing. */
#ifndef WEIR_REPORT_TRACE_H
#define WEIR_REPORT_TRACE_H

#include "base/err.h"
#include "model/timeline.h"
#include "model/workload.h"
#include <stdio.h>

/* One track per application with its work, waiting and I/O (and its bandwidth in bytes/s), and a
 * counter of the total bandwidth; timestamps in microseconds. `policy` names the process. 0, or
 * -1 when memory is out. */
int trace_write(FILE *out, const struct workload *workload, const struct timeline *timeline,
                const char *policy, struct err *err);

#endif

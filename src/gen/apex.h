/* The APEX workloads (002 section 6.3): what their families share; private to the apex files. */
#ifndef WEIR_GEN_APEX_H
#define WEIR_GEN_APEX_H

#include "base/err.h"
#include "model/schedule.h"
#include <stdint.h>

enum { APEX_MOST_CLASSES = 7 };

/* One row of the APEX table: jobs of one application. Volumes are parts of the job's memory. */
struct apex_class {
    double share; /* percent of the machine's hours; only the proportions count */
    double hours; /* of a job */
    double cores;
    double input, output; /* at the start and at the end */
    double checkpoint;    /* after every hour of work; 0 = none */
};

struct apex_workload {
    const char *name;
    const char *const *names; /* of the classes; ends with NULL */
    uint32_t count;
    const struct apex_class *report, *paper; /* as the report says, and as 002 used it */
};
extern const struct apex_workload apex_trilab, apex_nersc;

/* A schedule that is to be made. */
struct apex_request {
    const struct apex_workload *workload;
    const struct apex_class *classes; /* one of its two data sets */
    int machine;                      /* 0 = Cielo, t = t units of time later */
    double horizon;                   /* seconds that are filled at least; at most twice that */
    uint64_t seed;
};

/* Nodes of a job of this class, before noise. */
double apex_nodes(const struct apex_class *class);

/* Draws jobs until every class has the number of jobs that goes with its share of the horizon, to
 * within 10 %, and places each by first fit. Sorted. NULL when memory is out; schedule_free frees.
 */
struct schedule *apex_schedule(const struct apex_request *request, struct err *err);

#endif

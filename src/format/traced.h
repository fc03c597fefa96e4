/* An application of which every access is known. */
#ifndef WEIR_FORMAT_TRACED_H
#define WEIR_FORMAT_TRACED_H

#include "format/bursts.h"
#include "format/importer.h"

struct traced {
    struct bursts bursts;
    uint64_t accesses; /* of which they were made */
    double run_time;   /* seconds; 0 = until the last access */
};

/* Clusters the accesses into I/O phases with work between, gives them to the application, and notes
 * how that was done. Pauses inside a phase count as work before it. The application's own bandwidth
 * becomes what it reached while accesses were under way. 0 or -1. */
int traced_give(struct traced *traced, struct app_spec *app, struct import *import);

#endif

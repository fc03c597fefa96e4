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

/* How its phases were found. */
struct traced_way {
    uint64_t accesses;
    size_t phases;
    struct gap gap; /* that was chosen or given, */
    double used;    /* and the one that separates them, larger if pauses had to be forgotten */
};

/* Clusters the accesses into I/O phases with work between, and gives them to the application.
 * Pauses inside a phase count as work before it. The application's own bandwidth becomes what it
 * reached while accesses were under way. 0 or -1. */
int traced_give(struct traced *traced, struct app_spec *app, struct import *import,
                struct traced_way *way);

/* Notes how that was done. */
void traced_note(struct import *import, const struct app_spec *app, const struct traced_way *way);

#endif

/* An application of which every access is known. */
#ifndef WEIR_FORMAT_TRACED_H
#define WEIR_FORMAT_TRACED_H

#include "format/bursts.h"
#include "format/importer.h"
#include "format/traffic.h"

struct traced {
    struct bursts bursts;
    struct traffic traffic;
    uint64_t accesses; /* of which they were made */
    double run_time;   /* seconds; 0 = until the last access */
};

/* A part of a phase in which the rate hardly changes. */
struct traced_piece {
    struct burst burst;
    uint32_t phase;
};

/* An access. 0, or -1 when memory is out. */
int traced_add(struct traced *traced, double start, double end, double volume);

/* How its phases were found. */
struct traced_way {
    uint64_t accesses;
    size_t phases;
    const struct traced_piece *list; /* of these, in the scenario's arena */
    size_t pieces;
    double pace;    /* bytes/s while accesses were under way */
    struct gap gap; /* that was chosen or given, */
    double used;    /* and the one that separates them, larger if pauses had to be forgotten */
};

/* Clusters the accesses into I/O phases with work between, and gives them to the application.
 * Pauses inside a phase count as work before it. 0 or -1. */
int traced_give(struct traced *traced, struct app_spec *app, struct import *import,
                struct traced_way *way);

/* Tells the import when the I/O of the application was that it has just added. 0 or -1. */
int traced_observe(struct import *import, const struct traced_way *way);

/* Notes how that was done. */
void traced_note(struct import *import, const struct app_spec *app, const struct traced_way *way);

#endif

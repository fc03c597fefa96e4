/* Where and when jobs ran that were mapped to the nodes behind several I/O nodes. */
#ifndef WEIR_MODEL_MAPPING_H
#define WEIR_MODEL_MAPPING_H

#include "model/usage.h"
#include <stdint.h>

#define MAPPING_NO_PACK UINT32_MAX

struct placed_job {
    double arrival, start, end;
    uint32_t io_node; /* 0.. */
    uint32_t pack;    /* 0.. in the order in which they started, or MAPPING_NO_PACK */
};

struct mapping {
    struct placed_job *jobs; /* as in the workload */
    uint32_t count;
    uint32_t io_nodes;
    uint32_t packs;     /* 0 if jobs are not mapped by packs */
    double makespan;    /* when the last job ends */
    struct usage usage; /* of the nodes behind all I/O nodes, from the first arrival on */
    uint64_t instants;  /* times at which something happened */
};

struct mapping *mapping_new(uint32_t count); /* zeroed; NULL when memory is out */
void mapping_free(struct mapping *mapping);  /* NULL is fine */

#endif

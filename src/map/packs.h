/* Packs: jobs that start together on one I/O node, one pack after the other (thesis, section
 * III.C.2). */
#ifndef WEIR_MAP_PACKS_H
#define WEIR_MAP_PACKS_H

#include "base/err.h"
#include "map/jobs.h"
#include <stdint.h>

struct pack {
    double nodes;  /* used by its jobs */
    double length; /* of its longest job, alone */
    double volume; /* of all its jobs */
    uint32_t first, count;
    uint32_t io_node;
};

struct packs {
    struct pack *list;
    uint32_t count;
    uint32_t *members; /* jobs, pack by pack, in the order in which they were put there */
};

/* Make-Pack (Algorithm 2): each job, by key, into the first pack, by decreasing used nodes, that
 * has the nodes and whose average I/O occupation stays at most `sensitivity`; into a new one if
 * there is none, whatever its own occupation: alone it disturbs nobody. INFINITY is First-Fit. All
 * packs are given to I/O node 0, in the order of their creation. 0, or -1 when memory is out;
 * packs_fini frees in both cases. */
int packs_make(struct packs *packs, const struct map_jobs *jobs, double sensitivity);

/* Deals the packs to the I/O nodes, the longest first, each to the one that has the least so far
 * (section III.D.2.d), and sorts them: by I/O node, then by decreasing used nodes, as Algorithm 2
 * returns them. 0, or -1 when memory is out. */
int packs_deal(struct packs *packs, uint32_t io_nodes);

void packs_fini(struct packs *packs);

#endif

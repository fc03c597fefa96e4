/* The interface of a mapping method; private to mapper.c and the methods. */
#ifndef WEIR_MAP_METHOD_H
#define WEIR_MAP_METHOD_H

#include "map/mapper.h"

/* Backfilling looks at this many places of the order and no further, as batch schedulers do: the
 * cost of a decision does not grow with the number of waiting jobs. */
enum { MAP_DEPTH = 1000 };

/* The state of a method is a structure of `size` bytes that begins with this. */
struct mapper {
    const struct map_method_ops *ops;
    const struct map_jobs *jobs;
    struct map_rules rules;
};

struct map_method_ops {
    size_t size;
    /* Initialises a zeroed structure whose beginning is filled in; 0, or -1 when memory is out.
     * `fini` follows in both cases. */
    int (*init)(struct mapper *mapper);
    void (*fini)(struct mapper *mapper);
    void (*arrive)(struct mapper *mapper, uint32_t job);
    void (*end)(struct mapper *mapper, uint32_t job);
    bool (*next)(struct mapper *mapper, double now, struct map_start *start);
};

extern const struct map_method_ops mapper_packs, mapper_list;

#endif

#include "model/mapping.h"
#include "base/mem.h"
#include <stdlib.h>

struct mapping *mapping_new(uint32_t count)
{
    struct mapping *mapping = mem_alloc(1, sizeof *mapping);
    struct placed_job *jobs = mem_alloc(count, sizeof *jobs);
    if (!mapping || !jobs) {
        free(mapping);
        free(jobs);
        return NULL;
    }
    *mapping = (struct mapping){.jobs = jobs, .count = count};
    return mapping;
}

void mapping_free(struct mapping *mapping)
{
    if (mapping)
        free(mapping->jobs);
    free(mapping);
}

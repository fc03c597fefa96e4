#include "model/subset.h"
#include "base/mem.h"
#include <string.h>

/* Copies an array but one element. */
static void *subset_copy(struct arena *arena, const void *list, size_t size, uint32_t count,
                         uint32_t skipped)
{
    char *copy = arena_alloc(arena, count, size);
    if (!copy)
        return NULL;
    memcpy(copy, list, skipped * size);
    memcpy(copy + skipped * size, (const char *)list + (skipped + 1) * size,
           (count - skipped - 1) * size);
    return copy;
}

struct workload *workload_without(const struct workload *workload, uint32_t id, struct err *err)
{
    uint32_t count = workload->count;
    struct workload *less = mem_alloc(1, sizeof *less);
    if (!less) {
        err_memory(err);
        return NULL;
    }
    *less = *workload;
    less->arena = (struct arena){0};
    less->count = count - 1;
    less->apps = subset_copy(&less->arena, workload->apps, sizeof *workload->apps, count, id);
    if (workload->owners)
        less->owners =
            subset_copy(&less->arena, workload->owners, sizeof *workload->owners, count, id);
    if (!less->apps || (workload->owners && !less->owners))
        err_memory(err);
    else if (workload_set_window(less, workload->window, err) == 0)
        return less;
    workload_free(less);
    return NULL;
}

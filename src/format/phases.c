#include "format/phases.h"
#include "base/mem.h"
#include "format/draft.h"
#include <stdlib.h>
#include <string.h>

static int begin_iteration(struct phases *phases, struct err *err)
{
    if (phases->count == FORMAT_MAX_ITERATIONS)
        return err_set(err, "more than %d phases", FORMAT_MAX_ITERATIONS);
    void *items =
        mem_reserve(phases->items, &phases->capacity, phases->count + 1, sizeof *phases->items);
    if (!items)
        return err_memory(err);
    phases->items = items;
    phases->items[phases->count++] = (struct iteration){0};
    phases->open = true;
    return 0;
}

int phases_add_work(struct phases *phases, double seconds, struct err *err)
{
    if (!phases->open && begin_iteration(phases, err) != 0)
        return -1;
    phases->items[phases->count - 1].work += seconds;
    return 0;
}

int phases_add_io(struct phases *phases, double bytes, struct err *err)
{
    if (!phases->open && begin_iteration(phases, err) != 0)
        return -1;
    phases->items[phases->count - 1].volume = bytes;
    phases->open = false;
    return 0;
}

int phases_take(struct phases *phases, struct app_spec *app, struct arena *arena, struct err *err)
{
    size_t count = phases->count;
    struct iteration *copy = arena_alloc(arena, count, sizeof *copy);
    if (!copy)
        return err_memory(err);
    if (count)
        memcpy(copy, phases->items, count * sizeof *copy);
    app->explicit_iterations = copy;
    app->iterations = (uint32_t)count;
    phases->count = 0;
    phases->open = false;
    return 0;
}

void phases_fini(struct phases *phases)
{
    free(phases->items);
    *phases = (struct phases){0};
}

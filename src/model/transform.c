#include "base/mem.h"
#include "model/workload.h"
#include <string.h>

/* Its places are its own: a copy; NULL when memory is out. */
static struct app_placed *transform_places(struct workload *copy, const struct app *app)
{
    uint32_t count = app->facts.iterations;
    size_t size = sizeof(struct app_placed) + count * sizeof(struct iteration);
    struct app_placed *placed = arena_alloc(&copy->arena, size, 1);
    struct app_places *places = arena_alloc(&copy->arena, 1, sizeof *places);
    if (!placed || !places)
        return NULL;
    *places = *app_places(app);
    placed->places = places;
    if (!places->channels)
        return placed;
    uint8_t *channels = arena_alloc(&copy->arena, count, sizeof *channels);
    if (channels)
        memcpy(channels, places->channels, count);
    places->channels = channels;
    return channels ? placed : NULL;
}

/* Fills in one application's iterations, all of them stored; -1 when memory is out. */
static int transform_app(struct workload *copy, uint32_t id, workload_change *change, void *context)
{
    struct app *app = &copy->apps[id];
    uint32_t count = app->facts.iterations;
    struct app_placed *placed = app->placed ? transform_places(copy, app) : NULL;
    struct iteration *list = placed        ? placed->list
                             : app->placed ? NULL
                                           : arena_alloc(&copy->arena, count, sizeof *list);
    if (!list)
        return -1;
    for (uint32_t k = 0; k < count; k++)
        list[k] = change(context, id, k, app_iteration(app, k));
    app->iterations = list;
    app->stride = 1;
    app->room = INFINITY;
    app_profile(app);
    return 0;
}

/* Copies whose the applications are; -1 when memory is out. */
static int transform_owners(struct workload *copy, const struct workload *workload)
{
    if (!workload->owners)
        return 0;
    struct owner *owners = arena_alloc(&copy->arena, workload->count, sizeof *owners);
    for (int kind = 0; kind < PARTY_KINDS; kind++)
        if (parties_copy(&copy->parties[kind], &workload->parties[kind], &copy->arena) != 0)
            return -1;
    for (uint32_t id = 0; owners && id < workload->count; id++)
        owners[id] = workload->owners[id];
    copy->owners = owners;
    return owners ? 0 : -1;
}

/* Copies what is rare about them; -1 when memory is out. */
static int transform_rare(struct workload *copy, const struct workload *workload)
{
    if (!workload->rare)
        return 0;
    struct app_rare *rare = arena_alloc(&copy->arena, workload->count, sizeof *rare);
    for (uint32_t id = 0; rare && id < workload->count; id++)
        rare[id] = workload->rare[id];
    copy->rare = rare;
    return rare ? 0 : -1;
}

static int transform_channels(struct workload *copy, const struct workload *workload)
{
    if (!workload->channels)
        return 0;
    struct store_channel *list =
        arena_alloc(&copy->arena, workload->channel_count, sizeof *list);
    if (!list)
        return -1;
    memcpy(list, workload->channels, workload->channel_count * sizeof *list);
    copy->channels = list;
    for (uint32_t s = 0; s < workload->channel_count; s++)
        if (list[s].nature && !(list[s].nature = store_copy(list[s].nature, &copy->arena)))
            return -1;
    return 0;
}

static int transform_lengths(struct workload *copy, const struct workload *workload)
{
    if (!workload->lengths)
        return 0;
    double *lengths = arena_alloc(&copy->arena, workload->count, sizeof *lengths);
    if (lengths)
        memcpy(lengths, workload->lengths, workload->count * sizeof *lengths);
    copy->lengths = lengths;
    return lengths ? 0 : -1;
}

static int transform_store(struct workload *copy, const struct workload *workload)
{
    if (!workload->platform.store)
        return 0;
    copy->platform.store = store_copy(workload->platform.store, &copy->arena);
    return copy->platform.store ? 0 : -1;
}

struct workload *workload_transform(const struct workload *workload, workload_change *change,
                                    void *context, struct err *err)
{
    struct workload *copy = mem_alloc(1, sizeof *copy);
    if (!copy) {
        err_memory(err);
        return NULL;
    }
    *copy = *workload;
    copy->arena = (struct arena){0};
    copy->window = (struct window){.kind = WINDOW_NONE};
    copy->apps = arena_alloc(&copy->arena, workload->count, sizeof *copy->apps);
    if (transform_owners(copy, workload) != 0 || transform_rare(copy, workload) != 0 ||
        transform_lengths(copy, workload) != 0 || transform_channels(copy, workload) != 0 ||
        transform_store(copy, workload) != 0)
        copy->apps = NULL; /* they live in the arena */
    for (uint32_t id = 0; copy->apps && id < workload->count; id++) {
        copy->apps[id] = workload->apps[id];
        if (transform_app(copy, id, change, context) == 0)
            continue;
        copy->apps = NULL;
    }
    if (copy->apps)
        return copy;
    workload_free(copy);
    err_memory(err);
    return NULL;
}

#include "base/mem.h"
#include "model/workload.h"

/* Fills in one application's iterations, all of them stored; -1 when memory is out. */
static int transform_app(struct workload *copy, uint32_t id, workload_change *change, void *context)
{
    struct app *app = &copy->apps[id];
    uint32_t count = app->facts.iterations;
    struct iteration *list = arena_alloc(&copy->arena, count, sizeof *list);
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
static int transform_parties(struct workload *copy, const struct workload *workload)
{
    if (!workload->parties)
        return 0;
    struct app_parties *parties = arena_alloc(&copy->arena, workload->count, sizeof *parties);
    if (!parties || parties_copy(&copy->users, &workload->users, &copy->arena) != 0 ||
        parties_copy(&copy->accounts, &workload->accounts, &copy->arena) != 0)
        return -1;
    for (uint32_t id = 0; id < workload->count; id++)
        parties[id] = workload->parties[id];
    copy->parties = parties;
    return 0;
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
    if (transform_parties(copy, workload) != 0)
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

#include "bound/demand.h"
#include "base/mem.h"
#include <stdlib.h>

int demand_init(struct demand_walk *demand, const struct workload *workload, const double *delays)
{
    *demand = (struct demand_walk){.workload = workload, .delays = delays};
    demand->cursors = mem_alloc(workload->count, sizeof *demand->cursors);
    return demand->cursors && agenda_init(&demand->agenda, workload->count) == 0 ? 0 : -1;
}

void demand_fini(struct demand_walk *demand)
{
    free(demand->cursors);
    agenda_fini(&demand->agenda);
}

/* Looks for the next I/O with bytes of an application that is free from this time on. */
static void demand_seek(struct demand_walk *demand, uint32_t id, double from)
{
    const struct app *app = &demand->workload->apps[id];
    struct demand_cursor *cursor = &demand->cursors[id];
    while (cursor->iteration < app->facts.iterations) {
        uint32_t k = cursor->iteration++;
        struct iteration next = app_iteration(app, k);
        double alone = next.volume / app_bmax(app, k);
        from += next.work;
        if (next.volume > 0 && app_channel(app, k) == demand->channel) {
            cursor->ends = from + alone;
            agenda_set(&demand->agenda, id, from);
            return;
        }
        from += alone;
    }
    agenda_set(&demand->agenda, id, INFINITY);
}

void demand_rewind(struct demand_walk *demand)
{
    demand->rate = (struct sum){0};
    demand->moving = 0;
    for (uint32_t id = 0; id < demand->workload->count; id++) {
        double delay = demand->delays ? demand->delays[id] : 0;
        demand->cursors[id] = (struct demand_cursor){0};
        demand_seek(demand, id, app_start(&demand->workload->apps[id]) + delay);
    }
}

void demand_step(struct demand_walk *demand)
{
    uint32_t id = agenda_first(&demand->agenda);
    struct demand_cursor *cursor = &demand->cursors[id];
    double bmax = app_bmax(&demand->workload->apps[id], cursor->iteration - 1);
    cursor->moving = !cursor->moving;
    sum_add(&demand->rate, cursor->moving ? bmax : -bmax);
    demand->moving += cursor->moving ? 1u : -1u;
    if (cursor->moving)
        agenda_set(&demand->agenda, id, cursor->ends);
    else
        demand_seek(demand, id, cursor->ends);
}

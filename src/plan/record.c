#include "plan/record.h"
#include "base/mem.h"
#include <stdlib.h>

int record_begin(struct record *record, uint32_t apps, double period)
{
    *record = (struct record){.plan = plan_new(apps)};
    if (!record->plan)
        return -1;
    record->plan->period = period;
    return 0;
}

void record_instance(struct record *record, uint32_t app, double start)
{
    struct plan *plan = record->plan;
    if (!plan || record->failed)
        return;
    uint32_t *owners =
        mem_reserve(record->owners, &record->capacity, plan->instance_count + 1, sizeof(*owners));
    if (owners)
        record->owners = owners;
    if (!owners ||
        plan_add_instance(plan, (struct plan_instance){.start = start, .first = plan->piece_count}))
        record->failed = true;
    else
        owners[plan->instance_count - 1] = app;
}

void record_piece(struct record *record, struct plan_piece piece)
{
    struct plan *plan = record->plan;
    if (!plan || record->failed)
        return;
    struct plan_instance *instance = &plan->instances[plan->instance_count - 1];
    struct plan_piece *last = instance->count > 0 ? &plan->pieces[plan->piece_count - 1] : NULL;
    /* Slots end where other applications begin or end. If this one goes on at the same rate, it has
     * no reason to notice. */
    if (last && last->end == piece.start && last->rate == piece.rate)
        last->end = piece.end;
    else if (plan_add_piece(plan, piece))
        record->failed = true;
    else
        instance->count++;
}

/* A counting sort by application: within one, instances already come in order of time. */
static int record_sort(struct plan *plan, const uint32_t *owners)
{
    struct plan_instance *sorted = mem_alloc(plan->instance_count, sizeof(*sorted));
    if (!sorted)
        return -1;
    for (size_t i = 0; i < plan->instance_count; i++)
        plan->apps[owners[i]].count++;
    for (uint32_t app = 1; app < plan->count; app++)
        plan->apps[app].first = plan->apps[app - 1].first + plan->apps[app - 1].count;
    for (uint32_t app = 0; app < plan->count; app++)
        plan->apps[app].count = 0;
    for (size_t i = 0; i < plan->instance_count; i++) {
        struct plan_app *app = &plan->apps[owners[i]];
        sorted[app->first + app->count++] = plan->instances[i];
    }
    free(plan->instances);
    plan->instances = sorted;
    plan->instance_capacity = plan->instance_count;
    return 0;
}

struct plan *record_finish(struct record *record)
{
    struct plan *plan = record->plan;
    if (record->failed || record_sort(plan, record->owners)) {
        plan_free(plan);
        plan = NULL;
    }
    free(record->owners);
    *record = (struct record){0};
    return plan;
}

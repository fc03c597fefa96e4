#include "format/traced.h"
#include "base/maths.h"
#include "base/units.h"
#include "format/phases.h"
#include <math.h>

/* Dates are rounded: what seems to take no time is not infinitely fast. */
static double traced_rate(double volume, double busy)
{
    return volume / maths_max(busy, 1e-3);
}

/* A phase ends when it ended; its pauses are work before it. */
static int traced_add_phases(struct import *import, const struct traced *traced,
                             struct phases *phases)
{
    double now = 0;
    for (size_t i = 0; i < traced->bursts.count; i++) {
        const struct burst *burst = &traced->bursts.list[i];
        double work = maths_max(burst->end - now - burst->busy, 0);
        import->peak = maths_max(import->peak, traced_rate(burst->volume, burst->busy));
        if (phases_add_work(phases, work, import->err) != 0 ||
            phases_add_io(phases, burst->volume, import->err) != 0)
            return -1;
        now = burst->end;
    }
    if (traced->run_time <= now)
        return 0;
    return phases_add_work(phases, traced->run_time - now, import->err);
}

/* The bandwidth at which all its I/O, alone, takes as long as it took. */
static double traced_pace(const struct bursts *bursts)
{
    double volume = 0, busy = 0;
    for (size_t i = 0; i < bursts->count; i++) {
        volume += bursts->list[i].volume;
        busy += bursts->list[i].busy;
    }
    return traced_rate(volume, busy);
}

int traced_give(struct traced *traced, struct app_spec *app, struct import *import,
                struct traced_way *way)
{
    struct phases phases = {0};
    *way = (struct traced_way){.accesses = traced->accesses,
                               .gap = {.length = import->options->gap, .above = INFINITY}};
    if (way->gap.length == 0 && bursts_find_gap(&traced->bursts, &way->gap) != 0)
        return err_memory(import->err);
    way->used = maths_max(way->gap.length, traced->bursts.joined);
    bursts_cluster(&traced->bursts, way->used);
    way->phases = traced->bursts.count;
    app->bandwidth = traced_pace(&traced->bursts);
    int status = traced_add_phases(import, traced, &phases);
    if (status == 0)
        status = phases_take(&phases, app, &import->draft.scenario->arena, import->err);
    phases_fini(&phases);
    return status;
}

void traced_note(struct import *import, const struct app_spec *app, const struct traced_way *way)
{
    const struct gap *gap = &way->gap;
    char length[32], below[32], above[32], pace[32], how[256];
    units_print(way->used, UNIT_SECONDS, length, sizeof length);
    units_print(gap->below, UNIT_SECONDS, below, sizeof below);
    units_print(gap->above, UNIT_SECONDS, above, sizeof above);
    units_print(app->bandwidth, UNIT_RATE, pace, sizeof pace);
    if (way->used > gap->length)
        snprintf(how, sizeof how,
                 "apart by more than %s: there are too many shorter pauses to tell them apart",
                 length);
    else if (import->options->gap > 0)
        snprintf(how, sizeof how, "apart by more than %s as asked", length);
    else if (isinf(gap->above))
        snprintf(how, sizeof how, "no pause is longer than %s", length);
    else
        snprintf(how, sizeof how,
                 "apart by more than %s: in between, pauses jump from %s to %s (--gap TIME chooses "
                 "another)",
                 length, below, above);
    import_note(import, "%s: %llu accesses at %s in %zu I/O phase%s, %s", app->name,
                (unsigned long long)way->accesses, pace, way->phases, way->phases == 1 ? "" : "s",
                how);
}

#include "format/traced.h"
#include "base/maths.h"
#include "base/units.h"
#include "format/phases.h"
#include <math.h>

/* Says how the phases were found; `used` is the gap that separates them. */
static void traced_note(struct import *import, const char *name, const struct traced *traced,
                        const struct gap *gap, double used)
{
    char length[32], below[32], above[32];
    size_t phases = traced->bursts.count;
    unsigned long long accesses = traced->accesses;
    units_print(used, UNIT_SECONDS, length, sizeof length);
    units_print(gap->below, UNIT_SECONDS, below, sizeof below);
    units_print(gap->above, UNIT_SECONDS, above, sizeof above);
    if (used > gap->length)
        import_note(import,
                    "%s: %zu I/O phases, apart by more than %s: there are too many shorter pauses "
                    "to tell them apart",
                    name, phases, length);
    else if (import->options->gap > 0)
        import_note(import, "%s: %llu accesses in %zu I/O phases, apart by more than %s as asked",
                    name, accesses, phases, length);
    else if (isinf(gap->above))
        import_note(import, "%s: %llu accesses in one I/O phase: no pause is longer than %s", name,
                    accesses, length);
    else
        import_note(import,
                    "%s: %llu accesses in %zu I/O phases, apart by more than %s: in between, "
                    "pauses jump from %s to %s (--gap TIME chooses another)",
                    name, accesses, phases, length, below, above);
}

static int add_phases(struct import *import, const struct traced *traced, struct phases *phases)
{
    double date = 0;
    for (size_t i = 0; i < traced->bursts.count; i++) {
        const struct burst *burst = &traced->bursts.list[i];
        /* Dates are rounded: what seems to take no time is not infinitely fast. */
        double length = maths_max(burst->end - burst->start, 1e-3);
        import->peak = maths_max(import->peak, burst->volume / length);
        if (phases_add_work(phases, burst->start - date, import->err) != 0 ||
            phases_add_io(phases, burst->volume, import->err) != 0)
            return -1;
        date = burst->end;
    }
    if (traced->run_time <= date)
        return 0;
    return phases_add_work(phases, traced->run_time - date, import->err);
}

int traced_give(struct traced *traced, struct app_spec *app, struct import *import)
{
    struct gap gap = {.length = import->options->gap, .above = INFINITY};
    struct phases phases = {0};
    if (gap.length == 0 && bursts_find_gap(&traced->bursts, &gap) != 0)
        return err_memory(import->err);
    double used = maths_max(gap.length, traced->bursts.joined);
    bursts_cluster(&traced->bursts, used);
    traced_note(import, app->name, traced, &gap, used);
    int status = add_phases(import, traced, &phases);
    if (status == 0)
        status = phases_take(&phases, app, &import->draft.scenario->arena, import->err);
    phases_fini(&phases);
    return status;
}

#include "format/own.h"
#include "base/maths.h"
#include "base/mem.h"
#include "base/units.h"
#include <math.h>
#include <stdlib.h>

enum { MOST_NOTES = 20 }; /* about single applications */

/* What it can move alone on the platform. */
static double own_alone(const struct platform *platform, const struct app_spec *app)
{
    double alone = platform_bmax(platform, app->nodes);
    return app->bandwidth > 0 ? maths_min(app->bandwidth, alone) : alone;
}

/* A bandwidth that follows from the platform, whose own may be rounded, is not said again. */
static void own_set(const struct platform *platform, struct app_spec *app, double rate)
{
    app->bandwidth = rate >= platform_bmax(platform, app->nodes) * (1 - 1e-5) ? 0 : rate;
}

/* Nothing but the application itself has made an I/O slower than it can be that was alone. */
static void own_move_rest(const struct own_task *task)
{
    for (size_t i = 0; i < task->observed->count; i++) {
        const struct observed_io *io = &task->observed->list[i];
        struct app_spec *app = &task->apps[io->app];
        if (!io->alone)
            continue;
        double rest = io->busy - io->volume / own_alone(task->platform, app);
        struct iteration *phases = (struct iteration *)app->explicit_iterations;
        double *work = phases ? &phases[io->iteration].work : &app->work.mean;
        *work = maths_max(0, *work + (phases ? rest : rest / app->iterations));
    }
}

int own_apply(const struct own_task *task, struct own_bandwidth *own)
{
    if (observed_judge(task->observed, task->platform->bandwidth) != 0 ||
        observed_own(task->observed, task->apps, task->platform, own, task->count) != 0)
        return -1;
    for (uint32_t i = 0; i < task->count; i++)
        own_set(task->platform, &task->apps[i], own[i].rate);
    own_move_rest(task);
    return 0;
}

/* --- an import ------------------------------------------------------------------------------- */

static void own_note_one(struct import *import, uint32_t i, const struct own_bandwidth *own)
{
    const struct app_spec *app = &import->draft.apps[i];
    const char *program = app->extra ? app->extra->names[PARTY_PROGRAM] : NULL;
    char rate[32], mean[32];
    units_print(own_alone(&import->draft.scenario->platform, app), UNIT_RATE, rate, sizeof rate);
    units_print(own->mean, UNIT_RATE, mean, sizeof mean);
    if (own->source == OWN_OF_NODES)
        import_note(import, "%s: own bandwidth %s, that of its nodes; it moved %s", app->name, rate,
                    mean);
    else if (own->source == OWN_OF_PROGRAM)
        import_note(import, "%s: own bandwidth %s, as %s moved undisturbed by others; it moved %s",
                    app->name, rate, program ? program : "it", mean);
    else
        import_note(import,
                    "%s: own bandwidth %s, that of the file system, since others moved bytes "
                    "during all of its I/O; it moved %s",
                    app->name, rate, mean);
}

static void own_note(struct import *import, const struct own_bandwidth *own)
{
    uint32_t counts[OWN_UNKNOWN + 1] = {0}, noted = 0, all = 0;
    for (uint32_t i = 0; i < import->draft.count; i++) {
        if (!(own[i].mean > 0))
            continue;
        counts[own[i].source]++;
        all++;
        if (noted++ < MOST_NOTES)
            own_note_one(import, i, &own[i]);
    }
    if (all > MOST_NOTES)
        import_note(import,
                    "own bandwidth of %u applications: that of their nodes: %u; of their program, "
                    "undisturbed: %u; of the file system: %u",
                    all, counts[OWN_OF_NODES], counts[OWN_OF_PROGRAM], counts[OWN_UNKNOWN]);
    if (counts[OWN_UNKNOWN] > 0)
        import_note(import,
                    "warning: what %u of %u applications can do alone is not in the logs: their "
                    "lost time is an upper limit; --node-bandwidth RATE sets it",
                    counts[OWN_UNKNOWN], all);
}

/* Notes how many were faster than the platform is. */
static void own_note_faster(struct import *import, const struct own_bandwidth *own)
{
    const struct platform *platform = &import->draft.scenario->platform;
    size_t faster = 0;
    for (size_t i = 0; i < import->draft.count; i++) {
        const struct app_spec *app = &import->draft.apps[i];
        double seen = own ? own[i].mean : app->bandwidth;
        faster += seen > platform_bmax(platform, app->nodes) * (1 + 1e-9);
    }
    if (faster > 0)
        import_note(import,
                    "%zu application%s moved bytes faster than the given bandwidth: simulated I/O "
                    "takes longer than the real one",
                    faster, faster == 1 ? "" : "s");
}

int own_settle(struct import *import, bool measured)
{
    const struct own_task task = {.apps = import->draft.apps,
                                  .count = (uint32_t)import->draft.count,
                                  .platform = &import->draft.scenario->platform,
                                  .observed = &import->observed};
    struct own_bandwidth *own = measured ? mem_alloc(task.count, sizeof *own) : NULL;
    if (measured && (!own || own_apply(&task, own) != 0)) {
        free(own);
        return err_memory(import->err);
    }
    if (measured)
        own_note(import, own);
    own_note_faster(import, own);
    for (uint32_t i = 0; !measured && i < task.count; i++)
        own_set(task.platform, &task.apps[i], task.apps[i].bandwidth);
    free(own);
    return 0;
}

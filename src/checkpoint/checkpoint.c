#include "checkpoint/checkpoint.h"
#include "base/maths.h"
#include "base/mem.h"
#include "sim/sim.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 1000000u /* checkpoints of one application */

double checkpoint_shortest(const struct app *app)
{
    return app->facts.total_work / LONGEST;
}

double checkpoint_alone(const struct app *app)
{
    uint32_t writes = 0;
    for (uint32_t k = 0; k < app->facts.iterations; k++)
        writes += app_iteration(app, k).volume > 0;
    return writes > 0 ? app->facts.total_io / writes : 0;
}

/* --- a workload with other intervals ---------------------------------------------------------- */

/* As much work, cut into equal parts with a checkpoint after each; the last is shorter. */
static int checkpoint_cut(struct app *app, double interval, struct arena *arena, struct err *err)
{
    double volume = checkpoint_alone(app) * app->facts.bmax, work = app->facts.total_work;
    double parts = interval_count(work, interval);
    if (!(parts <= LONGEST))
        return err_set(err, "%s: more than %u checkpoints", app->name, LONGEST);
    uint32_t count = (uint32_t)parts;
    struct iteration *list = arena_alloc(arena, count, sizeof *list);
    if (!list)
        return err_memory(err);
    for (uint32_t k = 0; k < count; k++)
        list[k] = (struct iteration){k + 1 < count ? interval : work - interval * k, volume};
    app->iterations = list;
    app->stride = 1;
    app->room = INFINITY;
    app->facts.iterations = count;
    app_profile(app);
    return 0;
}

static struct workload *checkpoint_workload(const struct checkpoint_study *study,
                                            const struct checkpoint_part *parts, struct err *err)
{
    struct workload *changed = mem_alloc(1, sizeof *changed);
    if (!changed) {
        err_memory(err);
        return NULL;
    }
    *changed = *study->workload;
    changed->arena = (struct arena){0};
    changed->apps = arena_alloc(&changed->arena, changed->count, sizeof *changed->apps);
    int status = changed->apps ? 0 : err_memory(err);
    for (uint32_t id = 0; status == 0 && id < changed->count; id++) {
        changed->apps[id] = study->workload->apps[id];
        if (parts[id].interval > 0)
            status = checkpoint_cut(&changed->apps[id], parts[id].interval, &changed->arena, err);
    }
    if (status == 0 && workload_set_window(changed, study->workload->window, err) == 0)
        return changed;
    workload_free(changed);
    return NULL;
}

/* --- what it costs -----------------------------------------------------------------------------
 */

static void checkpoint_charge(const struct checkpoint_study *study, const struct app *app,
                              const struct app_outcome *outcome, uint32_t id,
                              struct checkpoint_part *part)
{
    double work = app->facts.total_work, writes = 0;
    for (uint32_t k = 0; k < app->facts.iterations; k++)
        writes += app_iteration(app, k).volume > 0;
    double spent = outcome->completion - app_start(app) - work;
    const struct failures *failures = &study->failures[id];
    part->cost = writes > 0 ? spent / writes : 0;
    part->expected =
        failures->between > 0 && writes > 0
            ? interval_expected_whole(failures, work, maths_min(part->interval, work), part->cost)
            : NAN;
}

int checkpoint_try(const struct checkpoint_study *study, struct checkpoint_part *parts,
                   struct checkpoint_result *result, struct err *err)
{
    struct workload *workload = checkpoint_workload(study, parts, err);
    struct outcome *outcome = workload ? sim_run(workload, study->policy, NULL, err) : NULL;
    *result = (struct checkpoint_result){0};
    for (uint32_t id = 0; outcome && id < workload->count; id++) {
        const struct weir_app *facts = &workload->apps[id].facts;
        checkpoint_charge(study, &workload->apps[id], &outcome->apps[id], id, &parts[id]);
        if (isnan(parts[id].expected)) {
            result->others += outcome->spans[id].lost;
            result->wasted += facts->nodes * outcome->spans[id].lost;
        } else {
            result->wasted += facts->nodes * (parts[id].expected - facts->total_work);
        }
    }
    workload_free(workload);
    outcome_free(outcome);
    return outcome ? 0 : -1;
}

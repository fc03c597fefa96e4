#include "capacity/capacity.h"
#include "base/mem.h"
#include "capacity/search.h"
#include "gen/gen.h"
#include "model/plan.h"
#include "sim/planned.h"
#include "sim/sim.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const struct measure *const capacity_measures[CAPACITY_MEASURE_COUNT] = {
#define X(name) &measures[MEASURE_##name],
    CAPACITY_MEASURES(X)
#undef X
};

bool capacity_within(enum capacity_measure measure, double value, double limit)
{
    static const double rounding = 1e-9;
    if (capacity_measures[measure]->sense == METRIC_LOWER)
        return value <= limit * (1 + rounding);
    return value >= limit * (1 - rounding);
}

int capacity_nodes(const struct scenario *scenario, uint32_t app, uint32_t *copies)
{
    const struct platform *platform = &scenario->platform;
    const struct app_spec *copied = &scenario->apps[app];
    *copies = UINT32_MAX;
    if (platform->nodes == 0 || copied->nodes == 0)
        return 0;
    struct presence *others = mem_alloc(scenario->count, sizeof *others);
    if (!others)
        return -1;
    struct presence own = app_spec_presence(copied, platform);
    for (uint32_t i = 0; i < scenario->count; i++)
        others[i] =
            presence_clip(app_spec_presence(&scenario->apps[i], platform), own.start, own.end);
    others[app] = (struct presence){0};
    struct occupancy occupancy;
    int status = occupancy_measure(&occupancy, others, scenario->count);
    free(others);
    double most = floor((platform->nodes - occupancy.nodes) / copied->nodes);
    if (most < UINT32_MAX)
        *copies = most < 0 ? 0 : (uint32_t)most;
    return status;
}

/* --- a number of copies ------------------------------------------------------------------------
 */

/* The scenario with another number of copies. */
struct variant {
    struct scenario scenario; /* borrows from the original all but its applications */
    struct workload *workload;
};

/* The copies are drawn last, since draws depend on the index. Then they go to their place: equals
 * are served by index. -1 when memory is out. */
static int put_in_place(const struct capacity *capacity, struct workload *workload, uint32_t copies)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < capacity->app; i++)
        before += capacity->scenario->apps[i].count;
    struct app *place = workload->apps + before;
    uint32_t behind = workload->count - before - copies;
    struct app *moved = mem_alloc(behind, sizeof *moved);
    if (!moved)
        return -1;
    memcpy(moved, place, behind * sizeof *moved);
    memmove(place, place + behind, copies * sizeof *place);
    memcpy(place + copies, moved, behind * sizeof *moved);
    free(moved);
    return 0;
}

/* 0 or -1; variant_fini frees in both cases. */
static int variant_init(struct variant *variant, const struct capacity *capacity, uint32_t copies,
                        struct err *err)
{
    const struct scenario *original = capacity->scenario;
    struct scenario *scenario = &variant->scenario;
    *variant = (struct variant){.scenario = *original};
    scenario->warning = NULL;
    scenario->arena = (struct arena){0};
    scenario->apps = arena_alloc(&scenario->arena, original->count, sizeof *scenario->apps);
    if (!scenario->apps)
        return err_memory(err);
    scenario->count = 0;
    for (uint32_t i = 0; i < original->count; i++)
        if (i != capacity->app)
            scenario->apps[scenario->count++] = original->apps[i];
    if (copies > 0) {
        scenario->apps[scenario->count] = original->apps[capacity->app];
        scenario->apps[scenario->count++].count = copies;
    }
    if (scenario_validate(scenario, err) < 0)
        return -1;
    variant->workload = workload_realise(scenario, err);
    if (!variant->workload)
        return -1;
    if (put_in_place(capacity, variant->workload, copies) < 0)
        return err_memory(err);
    return workload_set_window(variant->workload, original->window, err);
}

static void variant_fini(struct variant *variant)
{
    workload_free(variant->workload);
    arena_fini(&variant->scenario.arena);
}

/* --- one simulation ----------------------------------------------------------------------------
 */

struct capacity_trial {
    const struct capacity *capacity;
    const struct policy *policy;
    uint32_t copies;
};

static void capacity_report(void *context, double done)
{
    const struct capacity_trial *trial = context;
    trial->capacity->progress(trial->capacity->context, trial->copies, done);
}

/* NULL with err. */
static struct outcome *capacity_simulate(struct capacity_trial *trial,
                                         const struct workload *workload, struct err *err)
{
    struct policy policy = *trial->policy;
    struct plan *plan = NULL;
    struct outcome *outcome = NULL;
    struct sim_options options = {.progress = trial->capacity->progress ? capacity_report : NULL,
                                  .context = trial};
    bool planned = policy.ops->flags & WEIR_NEEDS_PLAN;
    if (options.progress)
        options.progress(trial, 0); /* planning may take long */
    if (planned)
        policy.plan = plan = sim_plan(workload, &policy, NULL, err);
    if (plan || !planned)
        outcome = sim_run(workload, &policy, &options, err);
    plan_free(plan);
    return outcome;
}

/* A search.probe. */
static int capacity_probe(void *context, uint32_t copies, double *value, struct err *err)
{
    struct capacity_trial *trial = context;
    const struct capacity *capacity = trial->capacity;
    struct variant variant;
    struct outcome *outcome = NULL;
    *value = NAN;
    if (copies == 0 && capacity->scenario->count == 1)
        return 1; /* there is no application */
    trial->copies = copies;
    if (variant_init(&variant, capacity, copies, err) == 0)
        outcome = capacity_simulate(trial, variant.workload, err);
    if (outcome) {
        struct metrics metrics;
        metrics_compute(variant.workload, outcome, &metrics);
        *value = measure_of(capacity_measures[capacity->measure], &metrics);
    }
    bool failed = !outcome;
    outcome_free(outcome);
    variant_fini(&variant);
    if (failed)
        return err_prepend(err, "%s: %u of '%s'", trial->policy->name, (unsigned)copies,
                           capacity->scenario->apps[capacity->app].name);
    return capacity_within(capacity->measure, *value, capacity->limit);
}

int capacity_find(const struct capacity *capacity, const struct policy *policy,
                  struct capacity_answer *answer, struct err *err)
{
    struct capacity_trial trial = {.capacity = capacity, .policy = policy};
    uint32_t nodes;
    if (capacity_nodes(capacity->scenario, capacity->app, &nodes) < 0)
        return err_memory(err);
    bool scarce = nodes <= capacity->most;
    struct capacity_search search = {
        .most = scarce ? nodes : capacity->most, .probe = capacity_probe, .context = &trial};
    struct capacity_search_result result;
    if (search_largest(&search, &result, err) < 0)
        return -1;
    *answer = (struct capacity_answer){.copies = result.count,
                                       .room = nodes,
                                       .value = result.value,
                                       .next = result.next,
                                       .again = result.again,
                                       .simulations = result.probes,
                                       .end = CAPACITY_END_LIMIT};
    if (result.count == search.most)
        answer->end = scarce ? CAPACITY_END_NODES : CAPACITY_END_MOST;
    return 0;
}

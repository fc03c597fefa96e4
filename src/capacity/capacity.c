#include "capacity/capacity.h"
#include "capacity/search.h"
#include "gen/gen.h"
#include "model/plan.h"
#include "sim/planned.h"
#include "sim/sim.h"
#include <math.h>
#include <stdbool.h>

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

uint32_t capacity_nodes(const struct scenario *scenario, uint32_t app)
{
    double left = scenario->platform.nodes;
    if (left == 0 || scenario->apps[app].nodes == 0)
        return UINT32_MAX;
    for (uint32_t i = 0; i < scenario->count; i++)
        if (i != app)
            left -= scenario->apps[i].nodes * scenario->apps[i].count;
    double copies = floor(left / scenario->apps[app].nodes);
    return copies < 0 ? 0 : copies < UINT32_MAX ? (uint32_t)copies : UINT32_MAX;
}

/* --- a number of copies ------------------------------------------------------------------------
 */

/* The scenario with another number of copies. */
struct variant {
    struct scenario scenario; /* borrows from the original all but its applications */
    struct workload *workload;
};

/* The copies stand in their place, since equals are served by index, but are drawn last. 0 or -1;
 * variant_fini frees in both cases. */
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
    for (uint32_t i = 0; i < original->count; i++) {
        struct app_spec *spec = &scenario->apps[scenario->count];
        if (i == capacity->app && copies == 0)
            continue;
        *spec = original->apps[i];
        scenario->count++;
        if (i != capacity->app)
            continue;
        spec->count = copies;
        scenario->drawn_last = spec;
    }
    if (scenario_validate(scenario, err) < 0)
        return -1;
    variant->workload = workload_realise(scenario, err);
    return variant->workload ? 0 : -1;
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
    const struct policy *policy = trial->policy;
    struct plan *plan = NULL;
    struct outcome *outcome = NULL;
    struct sim_options options = {.progress = trial->capacity->progress ? capacity_report : NULL,
                                  .context = trial};
    bool planned = policy->ops->flags & WEIR_NEEDS_PLAN;
    if (options.progress)
        options.progress(trial, 0); /* planning may take long */
    if (planned)
        options.plan = plan = sim_plan(workload, policy, NULL, err);
    if (plan || !planned)
        outcome = sim_run(workload, policy, &options, err);
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
        struct weir_metrics metrics;
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
    uint32_t nodes = capacity_nodes(capacity->scenario, capacity->app);
    bool scarce = nodes <= capacity->most;
    struct search search = {
        .most = scarce ? nodes : capacity->most, .probe = capacity_probe, .context = &trial};
    struct search_result result;
    if (search_largest(&search, &result, err) < 0)
        return -1;
    *answer = (struct capacity_answer){.copies = result.count,
                                       .value = result.value,
                                       .next = result.next,
                                       .again = result.again,
                                       .simulations = result.probes,
                                       .end = CAPACITY_END_LIMIT};
    if (result.count == search.most)
        answer->end = scarce ? CAPACITY_END_NODES : CAPACITY_END_MOST;
    return 0;
}

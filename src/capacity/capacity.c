#include "capacity/capacity.h"
#include "base/mem.h"
#include "capacity/search.h"
#include "trial/trial.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

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

/* The scenario with another number of copies. It borrows from the original all but its
 * applications. The copies stand in their place, since equals are served by index, but are drawn
 * last. 0 or -1; arena_fini frees in both cases. */
static int capacity_vary(struct scenario *scenario, const struct capacity *capacity,
                         uint32_t copies, struct err *err)
{
    const struct scenario *original = capacity->scenario;
    *scenario = *original;
    scenario->warning = NULL;
    scenario->arena = (struct arena){0};
    scenario->apps = arena_alloc(&scenario->arena, original->count, sizeof *scenario->apps);
    if (!scenario->apps)
        return err_memory(err);
    scenario->drawn_last = NULL;
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
    return scenario_validate(scenario, err);
}

/* --- one simulation ----------------------------------------------------------------------------
 */

struct capacity_probe {
    const struct capacity *capacity;
    const struct policy *policy;
    uint32_t copies;
};

static void capacity_report(void *context, double done)
{
    const struct capacity_probe *probe = context;
    probe->capacity->progress(probe->capacity->context, probe->copies, done);
}

/* A search.probe. */
static int capacity_probe(void *context, uint32_t copies, double *value, struct err *err)
{
    struct capacity_probe *probe = context;
    const struct capacity *capacity = probe->capacity;
    struct scenario scenario;
    struct row row = {0};
    *value = NAN;
    if (copies == 0 && capacity->scenario->count == 1)
        return 1; /* there is no application */
    probe->copies = copies;
    const struct trial trial = {
        .scenario = &scenario,
        .policy = probe->policy,
        .options = {.progress = capacity->progress ? capacity_report : NULL, .context = probe}};
    int status = capacity_vary(&scenario, capacity, copies, err);
    if (status == 0)
        status = trial_run(&trial, &row, err);
    if (status == 0)
        *value = measure_of(capacity_measures[capacity->measure], &row.metrics);
    row_fini(&row);
    arena_fini(&scenario.arena);
    if (status < 0)
        return err_prepend(err, "%s: %u of '%s'", probe->policy->name, (unsigned)copies,
                           capacity->scenario->apps[capacity->app].name);
    return capacity_within(capacity->measure, *value, capacity->limit);
}

int capacity_find(const struct capacity *capacity, const struct policy *policy,
                  struct capacity_found *answer, struct err *err)
{
    struct capacity_probe probe = {.capacity = capacity, .policy = policy};
    uint32_t nodes;
    if (capacity_nodes(capacity->scenario, capacity->app, &nodes) < 0)
        return err_memory(err);
    bool scarce = nodes <= capacity->most;
    struct capacity_search search = {
        .most = scarce ? nodes : capacity->most, .probe = capacity_probe, .context = &probe};
    struct capacity_search_result result;
    if (search_largest(&search, &result, err) < 0)
        return -1;
    *answer = (struct capacity_found){.copies = result.count,
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

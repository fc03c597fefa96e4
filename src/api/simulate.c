#include "base/arena.h"
#include "base/err.h"
#include "base/mem.h"
#include "format/format.h"
#include "gen/gen.h"
#include "metric/metric.h"
#include "sim/planned.h"
#include "sim/sim.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weir/simulate.h>

struct weir_scenario {
    struct scenario *inner;
};

struct weir_result {
    struct weir_metrics metrics;
    struct weir_app_metrics *apps;
    uint32_t count;
    struct arena arena; /* owns apps and their names */
};

static void simulate_tell(struct weir_error *error, const struct err *err)
{
    if (error)
        snprintf(error->text, sizeof error->text, "%s", err->text);
}

/* --- scenarios ------------------------------------------------------------------------------- */

static int simulate_check_amount(const char *name, double amount, struct err *err)
{
    if (amount >= 0)
        return 0;
    return err_set(err, "%s is %g, expected more than 0, or 0 for the scenario's own", name,
                   amount);
}

static int check_reading(const struct weir_reading *reading, struct err *err)
{
    if (simulate_check_amount("nodes", reading->nodes, err) < 0 ||
        simulate_check_amount("node_bandwidth", reading->node_bandwidth, err) < 0)
        return -1;
    return simulate_check_amount("bandwidth", reading->bandwidth, err);
}

/* Reads the file at `path`, or `text` if there is no path. */
static struct scenario *read_inner(const char *path, const char *text,
                                   const struct weir_reading *reading, struct err *err)
{
    static const struct weir_reading plain;
    if (!reading)
        reading = &plain;
    const struct format *format = format_find(reading->format ? reading->format : "scenario", err);
    if (!format || check_reading(reading, err) < 0)
        return NULL;
    struct format_defaults defaults = {.nodes = reading->nodes,
                                       .node_bandwidth = reading->node_bandwidth,
                                       .bandwidth = reading->bandwidth};
    if (path)
        return format_load(path, format, &defaults, err);
    return format->parse(text, strlen(text), "text", &defaults, err);
}

static struct weir_scenario *read_scenario(const char *path, const char *text,
                                           const struct weir_reading *reading,
                                           struct weir_error *error)
{
    struct err err = {.text = ""};
    struct weir_scenario *scenario = mem_alloc(1, sizeof *scenario);
    if (!scenario)
        err_memory(&err);
    else if ((scenario->inner = read_inner(path, text, reading, &err)))
        return scenario;
    simulate_tell(error, &err);
    free(scenario);
    return NULL;
}

struct weir_scenario *weir_scenario_load(const char *path, const struct weir_reading *reading,
                                         struct weir_error *error)
{
    return read_scenario(path, NULL, reading, error);
}

struct weir_scenario *weir_scenario_parse(const char *text, const struct weir_reading *reading,
                                          struct weir_error *error)
{
    return read_scenario(NULL, text, reading, error);
}

void weir_scenario_free(struct weir_scenario *scenario)
{
    if (scenario)
        scenario_free(scenario->inner);
    free(scenario);
}

const char *weir_scenario_warning(const struct weir_scenario *scenario)
{
    return scenario->inner->warning;
}

void weir_scenario_set_seed(struct weir_scenario *scenario, uint64_t seed)
{
    scenario->inner->seed = seed;
}

int weir_scenario_set_window(struct weir_scenario *scenario, double start, double end,
                             struct weir_error *error)
{
    struct err err;
    struct window window = {.kind = WINDOW_FIXED, .start = start, .end = end};
    if (window_validate(&window, &err) < 0) {
        simulate_tell(error, &err);
        return -1;
    }
    scenario->inner->window = window;
    return 0;
}

void weir_scenario_set_auto_window(struct weir_scenario *scenario)
{
    scenario->inner->window = (struct window){.kind = WINDOW_AUTO};
}

void weir_scenario_set_no_window(struct weir_scenario *scenario)
{
    scenario->inner->window = (struct window){.kind = WINDOW_NONE};
}

/* --- strategies ------------------------------------------------------------------------------ */

const struct weir_policy_ops *const *weir_policy_list(void)
{
    return policy_registry;
}

/* --- runs ------------------------------------------------------------------------------------ */

static int measure_app(struct weir_result *result, const struct workload *workload,
                       const struct outcome *outcome, uint32_t id)
{
    const struct app *app = &workload->apps[id];
    struct weir_app_metrics *to = &result->apps[id];
    char label[256];
    app_label(app, label, sizeof label);
    to->name = arena_strndup(&result->arena, label, strlen(label));
    metrics_compute_app(workload, outcome, id, to);
    return to->name ? 0 : -1;
}

static struct weir_result *simulate_measure(const struct workload *workload,
                                            const struct outcome *outcome)
{
    struct weir_result *result = mem_alloc(1, sizeof *result);
    if (!result)
        return NULL;
    metrics_compute(workload, outcome, &result->metrics);
    result->count = workload->count;
    result->apps = arena_alloc(&result->arena, result->count, sizeof *result->apps);
    for (uint32_t id = 0; id < result->count; id++) {
        if (!result->apps || measure_app(result, workload, outcome, id) < 0) {
            weir_result_free(result);
            return NULL;
        }
    }
    return result;
}

/* With the plan that the strategy asks for, if it follows one. */
static struct outcome *run_workload(const struct workload *workload, struct policy *policy,
                                    struct err *err)
{
    if (!(policy->ops->flags & WEIR_NEEDS_PLAN))
        return sim_run(workload, policy, NULL, err);
    struct plan *plan = sim_plan(workload, policy, NULL, err);
    const struct sim_options options = {.plan = plan};
    struct outcome *outcome = plan ? sim_run(workload, policy, &options, err) : NULL;
    plan_free(plan);
    return outcome;
}

static struct weir_result *simulate_simulate(const struct scenario *scenario, struct policy *policy,
                                             struct err *err)
{
    struct weir_result *result = NULL;
    struct outcome *outcome = NULL;
    struct workload *workload = workload_realise(scenario, err);
    if (workload)
        outcome = run_workload(workload, policy, err);
    if (outcome) {
        result = simulate_measure(workload, outcome);
        if (!result)
            err_memory(err);
    }
    if (!result)
        err_prepend(err, "%s: %s", scenario->name, policy->name);
    outcome_free(outcome);
    workload_free(workload);
    return result;
}

/* Takes over the policy, which may be NULL (then err is set). */
static struct weir_result *simulate_run(const struct weir_scenario *scenario, struct policy *policy,
                                        struct err *err)
{
    struct weir_result *result = policy ? simulate_simulate(scenario->inner, policy, err) : NULL;
    policy_free(policy);
    return result;
}

struct weir_result *weir_scenario_run(const struct weir_scenario *scenario, const char *policy,
                                      struct weir_error *error)
{
    struct err err = {.text = ""};
    struct weir_result *result = simulate_run(scenario, policy_open(policy, &err), &err);
    if (!result)
        simulate_tell(error, &err);
    return result;
}

struct weir_result *weir_scenario_run_ops(const struct weir_scenario *scenario,
                                          const struct weir_policy_ops *ops, const char *params,
                                          struct weir_error *error)
{
    struct err err = {.text = ""};
    struct weir_result *result = simulate_run(scenario, policy_wrap(ops, params, &err), &err);
    if (!result)
        simulate_tell(error, &err);
    return result;
}

void weir_result_free(struct weir_result *result)
{
    if (result)
        arena_fini(&result->arena);
    free(result);
}

const struct weir_metrics *weir_result_metrics(const struct weir_result *result)
{
    return &result->metrics;
}

uint32_t weir_result_count(const struct weir_result *result)
{
    return result->count;
}

const struct weir_app_metrics *weir_result_app(const struct weir_result *result, uint32_t index)
{
    return index < result->count ? &result->apps[index] : NULL;
}

#include "base/err.h"
#include "base/mem.h"
#include "format/format.h"
#include "policy/policy.h"
#include "trial/trial.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weir/simulate.h>

struct weir_scenario {
    struct scenario *inner;
};

struct weir_result {
    struct row row;
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

static struct weir_result *simulate_simulate(const struct scenario *scenario,
                                             const struct policy *policy, struct err *err)
{
    const struct trial trial = {.scenario = scenario, .policy = policy};
    struct weir_result *result = mem_alloc(1, sizeof *result);
    int status = result ? trial_run(&trial, &result->row, err) : err_memory(err);
    if (status == 0)
        return result;
    err_prepend(err, "%s: %s", scenario->name, policy->name);
    free(result);
    return NULL;
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
        row_fini(&result->row);
    free(result);
}

const struct weir_metrics *weir_result_metrics(const struct weir_result *result)
{
    return &result->row.metrics;
}

uint32_t weir_result_count(const struct weir_result *result)
{
    return result->row.count;
}

const struct weir_app_metrics *weir_result_app(const struct weir_result *result, uint32_t index)
{
    return index < result->row.count ? &result->row.apps[index] : NULL;
}

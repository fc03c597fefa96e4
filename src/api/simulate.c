#include "api/handle.h"
#include "base/err.h"
#include "base/mem.h"
#include "format/format.h"
#include "policy/policy.h"
#include "trial/trial.h"
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct weir_result {
    struct row row;
};

void api_tell(struct weir_error *error, const struct err *err)
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

/* What copies share; the last one frees it. */
struct api_content {
    struct scenario *scenario;
    atomic_uint handles;
};

locale_t api_enter(void)
{
    /* The C library has it ready: nothing is allocated, and nothing has to be freed. */
    return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

void api_leave(const locale_t *callers)
{
    uselocale(*callers);
}

struct weir_scenario *api_wrap(struct scenario *inner, struct err *err, struct weir_error *error)
{
    struct weir_scenario *scenario = inner ? mem_alloc(1, sizeof *scenario) : NULL;
    struct api_content *content = scenario ? mem_alloc(1, sizeof *content) : NULL;
    if (content) {
        *content = (struct api_content){.scenario = inner, .handles = 1};
        scenario->inner = *inner;
        scenario->content = content;
        return scenario;
    }
    if (inner)
        err_memory(err);
    free(scenario);
    scenario_free(inner);
    api_tell(error, err);
    return NULL;
}

struct weir_scenario *weir_scenario_copy(const struct weir_scenario *scenario,
                                         struct weir_error *error)
{
    struct err err;
    struct weir_scenario *copy = mem_alloc(1, sizeof *copy);
    if (copy) {
        *copy = *scenario;
        atomic_fetch_add(&copy->content->handles, 1);
        return copy;
    }
    err_memory(&err);
    api_tell(error, &err);
    return NULL;
}

struct weir_scenario *weir_scenario_load(const char *path, const struct weir_reading *reading,
                                         struct weir_error *error)
{
    API_PLAIN_NUMBERS;
    struct err err = {.text = ""};
    return api_wrap(read_inner(path, NULL, reading, &err), &err, error);
}

struct weir_scenario *weir_scenario_parse(const char *text, const struct weir_reading *reading,
                                          struct weir_error *error)
{
    API_PLAIN_NUMBERS;
    struct err err = {.text = ""};
    return api_wrap(read_inner(NULL, text, reading, &err), &err, error);
}

void weir_scenario_free(struct weir_scenario *scenario)
{
    struct api_content *content = scenario ? scenario->content : NULL;
    if (content && atomic_fetch_sub(&content->handles, 1) == 1) {
        scenario_free(content->scenario);
        free(content);
    }
    free(scenario);
}

const char *weir_scenario_warning(const struct weir_scenario *scenario)
{
    return scenario->inner.warning;
}

/* --- what can be replaced -------------------------------------------------------------------- */

void weir_scenario_set_seed(struct weir_scenario *scenario, uint64_t seed)
{
    scenario->inner.seed = seed;
}

uint64_t weir_scenario_seed(const struct weir_scenario *scenario)
{
    return scenario->inner.seed;
}

int weir_scenario_set_window(struct weir_scenario *scenario, double start, double end,
                             struct weir_error *error)
{
    API_PLAIN_NUMBERS;
    struct err err;
    struct window window = {.kind = WINDOW_FIXED, .start = start, .end = end};
    if (window_validate(&window, &err) < 0) {
        api_tell(error, &err);
        return -1;
    }
    scenario->inner.window = window;
    return 0;
}

int weir_scenario_parse_window(struct weir_scenario *scenario, const char *text,
                               struct weir_error *error)
{
    API_PLAIN_NUMBERS;
    struct err err;
    struct window window;
    if (window_parse(&window, text, &err) < 0 || window_validate(&window, &err) < 0) {
        api_tell(error, &err);
        return -1;
    }
    scenario->inner.window = window;
    return 0;
}

void weir_scenario_set_auto_window(struct weir_scenario *scenario)
{
    scenario->inner.window = (struct window){.kind = WINDOW_AUTO};
}

void weir_scenario_set_no_window(struct weir_scenario *scenario)
{
    scenario->inner.window = (struct window){.kind = WINDOW_NONE};
}

int weir_scenario_set_knowledge(struct weir_scenario *scenario, const char *volumes,
                                double progress_age, struct weir_error *error)
{
    API_PLAIN_NUMBERS;
    struct err err;
    struct knowledge knowledge = {.age = progress_age};
    int status = 0;
    if (volumes && knowledge_parse(&knowledge, volumes, &err) < 0)
        status = err_prepend(&err, "knowledge");
    else if (!(progress_age >= 0 && progress_age < INFINITY))
        status =
            err_set(&err, "the age of progress is %g, expected seconds from 0 on", progress_age);
    if (status < 0)
        api_tell(error, &err);
    else
        scenario->knowledge = knowledge;
    return status;
}

/* --- strategies ------------------------------------------------------------------------------ */

const struct weir_policy_ops *const *weir_policy_list(void)
{
    return policy_registry;
}

const char *const *weir_policy_usual(void)
{
    return policy_usual;
}

const char *const *weir_policy_all(void)
{
    return policy_all;
}

/* --- runs ------------------------------------------------------------------------------------ */

static struct weir_result *simulate_simulate(const struct weir_scenario *scenario,
                                             const struct policy *policy,
                                             const struct sim_options *options, struct err *err)
{
    const struct trial trial = {.scenario = &scenario->inner,
                                .policy = policy,
                                .knowledge = scenario->knowledge,
                                .options = *options};
    struct weir_result *result = mem_alloc(1, sizeof *result);
    int status = result ? trial_run(&trial, &result->row, err) : err_memory(err);
    if (status == 0)
        return result;
    err_prepend(err, "%s: %s", scenario->inner.name, policy->name);
    free(result);
    return NULL;
}

/* Takes over the policy, which may be NULL (then err is set). */
static struct weir_result *simulate_run(const struct weir_scenario *scenario, struct policy *policy,
                                        const struct sim_options *options, struct err *err)
{
    struct weir_result *result = policy ? simulate_simulate(scenario, policy, options, err) : NULL;
    policy_free(policy);
    return result;
}

struct weir_result *weir_scenario_run(const struct weir_scenario *scenario, const char *policy,
                                      struct weir_error *error)
{
    return weir_scenario_run_until(scenario, policy, NULL, NULL, error);
}

struct weir_result *weir_scenario_run_until(const struct weir_scenario *scenario,
                                            const char *policy, int (*stop)(void *context),
                                            void *context, struct weir_error *error)
{
    API_PLAIN_NUMBERS;
    struct err err = {.text = ""};
    const struct sim_options options = {.stop = stop, .context = context};
    struct weir_result *result = simulate_run(scenario, policy_open(policy, &err), &options, &err);
    if (!result)
        api_tell(error, &err);
    return result;
}

struct weir_result *weir_scenario_run_ops(const struct weir_scenario *scenario,
                                          const struct weir_policy_ops *ops, const char *params,
                                          struct weir_error *error)
{
    API_PLAIN_NUMBERS;
    struct err err = {.text = ""};
    const struct sim_options options = {0};
    struct weir_result *result =
        simulate_run(scenario, policy_wrap(ops, params, &err), &options, &err);
    if (!result)
        api_tell(error, &err);
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

uint32_t weir_simulate_abi(void)
{
    return WEIR_SIMULATE_ABI;
}

const char *weir_version(void)
{
    return row_version;
}

/* --- lists ----------------------------------------------------------------------------------- */

#define X(name, unit, better, help) #name,
static const char *const metric_names[] = {WEIR_METRICS(X) NULL};
static const char *const app_metric_names[] = {WEIR_APP_METRICS(X) NULL};
#undef X

const char *const *weir_metric_names(void)
{
    return metric_names;
}

const char *const *weir_app_metric_names(void)
{
    return app_metric_names;
}

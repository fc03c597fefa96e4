/* Weir's simulator as a library: read a scenario, run it under strategies, read the measures.
 * Compile and link with `pkg-config --cflags --libs weir`.
 *
 *     struct weir_error error;
 *     struct weir_scenario *scenario = weir_scenario_load("mine.yaml", NULL, &error);
 *     struct weir_result *result = scenario ? weir_scenario_run(scenario, "fcfs", &error) : NULL;
 *     if (result)
 *         printf("%g s\n", weir_result_metrics(result)->makespan);
 *     else
 *         fprintf(stderr, "%s\n", error.text);
 *     weir_result_free(result);
 *     weir_scenario_free(scenario);
 *
 * The same scenario and strategy give the same numbers, to the last bit, as `weir simulate`. The
 * library prints nothing, never ends the process, and keeps no state between calls: different
 * threads may use different scenarios, and may run the same one as long as none changes it.
 *
 * Functions that can fail give the reason in `error`, one line without a newline; it is unchanged
 * on success, and may be NULL. Quantities are doubles in seconds, bytes and bytes/s. */
#ifndef WEIR_SIMULATE_H
#define WEIR_SIMULATE_H

#include <stdint.h>
#include <weir/metrics.h>
#include <weir/policy.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes when a program built with this header would no longer work with the library; it is also
 * the library's soname. Structures that the library returns may grow at their end without that. */
#define WEIR_SIMULATE_ABI 1

struct weir_error {
    char text[512];
};

/* --- scenarios ---------------------------------------------------------------------------- */

struct weir_scenario; /* a platform, its applications, a window and a seed */

/* How to read a scenario; all 0 is a good default. */
struct weir_reading {
    const char *format;    /* "scenario" (the YAML file; also NULL), "instance" or "set" */
    double nodes;          /* replaces the platform's own; 0 = as in the scenario */
    double node_bandwidth; /* likewise */
    double bandwidth;      /* likewise; the format "instance" has none */
};

/* Reads a file ("-" is standard input), or a text that ends with a 0 byte. `reading` may be NULL.
 * Returns NULL if it cannot be read or is not valid; then the error begins with the path (or
 * "text") and the line. weir_scenario_free frees. */
struct weir_scenario *weir_scenario_load(const char *path, const struct weir_reading *reading,
                                         struct weir_error *error);
struct weir_scenario *weir_scenario_parse(const char *text, const struct weir_reading *reading,
                                          struct weir_error *error);

/* Frees a scenario; NULL is fine. Results made from it live on. */
void weir_scenario_free(struct weir_scenario *scenario);

/* A warning about the scenario, one line; NULL if there is none. It belongs to the scenario. */
const char *weir_scenario_warning(const struct weir_scenario *scenario);

/* Replaces the seed of all random draws. */
void weir_scenario_set_seed(struct weir_scenario *scenario, uint64_t seed);

/* Replaces the window in which runs are measured, and at whose end they stop. Returns 0, or -1
 * unless 0 <= start < end < INFINITY; then nothing is changed. */
int weir_scenario_set_window(struct weir_scenario *scenario, double start, double end,
                             struct weir_error *error);

/* The window from 0 to the time when the first application would end alone; every application is
 * cut to end exactly then if alone. */
void weir_scenario_set_auto_window(struct weir_scenario *scenario);

/* No window: runs continue until all applications have finished. */
void weir_scenario_set_no_window(struct weir_scenario *scenario);

/* --- strategies --------------------------------------------------------------------------- */

/* Every strategy of the library, with its summary and parameters; ends with NULL. Never freed. */
const struct weir_policy_ops *const *weir_policy_list(void);

/* --- runs --------------------------------------------------------------------------------- */

struct weir_result; /* the measures of one run */

/* Simulates the scenario under a strategy as `weir simulate --policy` names it: "name",
 * "name:key=value,flag", or a plug-in "./file.so". Returns NULL if there is no such strategy or
 * parameter, if the strategy never grants anything again, or if memory is out. weir_result_free
 * frees. */
struct weir_result *weir_scenario_run(const struct weir_scenario *scenario, const char *policy,
                                      struct weir_error *error);

/* The same for a strategy of the caller's own, see weir/policy.h; `params` is "key=value,flag" or
 * NULL. The rules of the model are verified after every decision: breaking one is an error that
 * names it, as is a table of another WEIR_POLICY_ABI or without name or decide function. */
struct weir_result *weir_scenario_run_ops(const struct weir_scenario *scenario,
                                          const struct weir_policy_ops *ops, const char *params,
                                          struct weir_error *error);

/* Frees a result; NULL is fine. */
void weir_result_free(struct weir_result *result);

/* Names as in weir/metrics.h. NAN = has no meaning in this run (the makespan of a window). */
struct weir_metrics {
#define X(name, unit, better, help) double name;
    WEIR_METRICS(X)
#undef X
};

struct weir_app_metrics {
    const char *name; /* of the third of several replicas: "name.3" */
    double nodes;     /* NAN = unknown */
#define X(name, unit, better, help) double name;
    WEIR_APP_METRICS(X)
#undef X
};

/* The measures of the run; they belong to the result. */
const struct weir_metrics *weir_result_metrics(const struct weir_result *result);

/* The number of applications; replicas count one by one. */
uint32_t weir_result_count(const struct weir_result *result);

/* The measures of the application at `index`, in the order of the scenario; they belong to the
 * result. NULL beyond the last. */
const struct weir_app_metrics *weir_result_app(const struct weir_result *result, uint32_t index);

#ifdef __cplusplus
}
#endif
#endif

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

#include <stddef.h>
#include <stdint.h>
#include <weir/metrics.h>
#include <weir/policy.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes when a program built with this header would no longer work with the library; it is also
 * the library's soname. Structures that the library returns may grow at their end without that. */
#define WEIR_SIMULATE_ABI 2

/* That of the library that is loaded, for languages whose programs are not linked with it. */
uint32_t weir_simulate_abi(void);

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

/* A scenario of a published family, see `weir generate --list`; `params` is "key=value,key=value"
 * or NULL. The same parameters and seed give the same scenario. */
struct weir_scenario *weir_scenario_generate(const char *family, const char *params, uint64_t seed,
                                             struct weir_error *error);

/* What logs do not tell themselves, as the options of `weir import`; all 0 = not given. */
struct weir_logs {
    double nodes, node_bandwidth, bandwidth; /* of the platform */
    double gap;                              /* seconds without I/O that end a phase */
    double io_ratio;                         /* part of the run time that is I/O */
    const char *io_csv;                      /* a file with the volume of each job */
    double procs_per_node;
    uint32_t iterations; /* over which the I/O of a run is spread */
    int lenient;         /* skip what cannot be understood */
    int periodic;        /* replace phases by iterations of their period */
    const char *release; /* of a job: "start" (also NULL), when it began, or "submit" */
    const char *store;   /* of a journal with several; NULL = the first */
};

/* Builds a scenario from logs, see `weir import`; `paths` ends with NULL, `logs` may be NULL. */
struct weir_scenario *weir_scenario_import(const char *format, const char *const *paths,
                                           const struct weir_logs *logs, struct weir_error *error);

/* Its name, which belongs to it; and all of it as the YAML file that reads back to the same
 * numbers, NULL when memory is out; weir_text_free frees. */
const char *weir_scenario_name(const struct weir_scenario *scenario);
char *weir_scenario_text(const struct weir_scenario *scenario, struct weir_error *error);
void weir_text_free(char *text);

/* A copy with a seed, a window and knowledge of its own, to be replaced without changing the other.
 * It shares the applications, so it costs next to nothing, whatever their number, and either may be
 * freed first. NULL when memory is out. */
struct weir_scenario *weir_scenario_copy(const struct weir_scenario *scenario,
                                         struct weir_error *error);

/* Frees a scenario; NULL is fine. Results and copies made from it live on. */
void weir_scenario_free(struct weir_scenario *scenario);

/* A warning about the scenario, and what was noted while logs were imported, one line; NULL if
 * there is none. It belongs to the scenario. */
const char *weir_scenario_warning(const struct weir_scenario *scenario);

/* Replaces the seed of all random draws; and the one that it has. */
void weir_scenario_set_seed(struct weir_scenario *scenario, uint64_t seed);
uint64_t weir_scenario_seed(const struct weir_scenario *scenario);

/* Replaces the window in which runs are measured, and at whose end they stop. Returns 0, or -1
 * unless 0 <= start < end < INFINITY; then nothing is changed. */
int weir_scenario_set_window(struct weir_scenario *scenario, double start, double end,
                             struct weir_error *error);

/* The same as `weir simulate --window` has it: "auto", "none" or "10min:40min". */
int weir_scenario_parse_window(struct weir_scenario *scenario, const char *text,
                               struct weir_error *error);

/* The window from 0 to the time when the first application would end alone; every application is
 * cut to end exactly then if alone. */
void weir_scenario_set_auto_window(struct weir_scenario *scenario);

/* No window: runs continue until all applications have finished. */
void weir_scenario_set_no_window(struct weir_scenario *scenario);

/* Replaces what strategies know in runs, as --knowledge and --progress-age of `weir simulate`: of
 * the volume of an I/O "exact" (also NULL), a percentage such as "30%", or "mean"; and how many
 * seconds late they may see progress. At first they know everything; it is not part of the text of
 * a scenario. Returns 0, or -1 unless it can be read; then nothing is changed. */
int weir_scenario_set_knowledge(struct weir_scenario *scenario, const char *volumes,
                                double progress_age, struct weir_error *error);

/* --- strategies --------------------------------------------------------------------------- */

/* Every strategy of the library, with its summary and parameters; ends with NULL. Never freed. */
const struct weir_policy_ops *const *weir_policy_list(void);

/* The strategies that commands run unless told otherwise, and those that they take "all" for, as
 * weir_scenario_run takes them; both lists end with NULL. Never freed. */
const char *const *weir_policy_usual(void);
const char *const *weir_policy_all(void);

/* --- runs --------------------------------------------------------------------------------- */

struct weir_result; /* the measures of one run */

/* Simulates the scenario under a strategy as `weir simulate --policy` names it: "name",
 * "name:key=value,flag", or a plug-in "./file.so". Returns NULL if there is no such strategy or
 * parameter, if the strategy never grants anything again, or if memory is out. weir_result_free
 * frees. */
struct weir_result *weir_scenario_run(const struct weir_scenario *scenario, const char *policy,
                                      struct weir_error *error);

/* The same, but every thousand events or so `stop` is asked: if it returns other than 0, the run
 * ends with an error. */
struct weir_result *weir_scenario_run_until(const struct weir_scenario *scenario,
                                            const char *policy, int (*stop)(void *context),
                                            void *context, struct weir_error *error);

/* As weir_scenario_run, for a strategy of the caller's own, see weir/policy.h; `params` is
 * "key=value,flag" or NULL. The rules of the model are verified after every decision: breaking one
 * is an error that names it, as is a table of another WEIR_POLICY_ABI or without name or decide
 * function. */
struct weir_result *weir_scenario_run_ops(const struct weir_scenario *scenario,
                                          const struct weir_policy_ops *ops, const char *params,
                                          struct weir_error *error);

/* Frees a result; NULL is fine. */
void weir_result_free(struct weir_result *result);

/* The measures of the run; they belong to the result. */
const struct weir_metrics *weir_result_metrics(const struct weir_result *result);

/* The number of applications; replicas count one by one. */
uint32_t weir_result_count(const struct weir_result *result);

/* The measures of the application at `index`, in the order of the scenario; they belong to the
 * result. NULL beyond the last. */
const struct weir_app_metrics *weir_result_app(const struct weir_result *result, uint32_t index);

/* --- what is possible --------------------------------------------------------------------- */

/* What no schedule can beat, see `weir bound`; NAN = the measure has no bound. 0, or -1 if the
 * scenario has no such window, or memory is out. */
int weir_scenario_bound(const struct weir_scenario *scenario, struct weir_metrics *bound,
                        struct weir_error *error);

/* The Efficiency of any schedule whose MinYield is at least this, 0 to 1: at most *efficiency, NAN
 * if there is no such schedule. 0, or -1 unless the window begins at 0, or memory is out. */
int weir_scenario_bound_given(const struct weir_scenario *scenario, double min_yield,
                              double *efficiency, struct weir_error *error);

/* A plan for the objective ("sys-efficiency", also NULL, or "dilation") as the JSON of a plan file,
 * see `weir plan`. NULL if there is nothing to plan, or memory is out; weir_text_free frees. */
char *weir_scenario_plan(const struct weir_scenario *scenario, const char *objective,
                         struct weir_error *error);

/* --- questions ---------------------------------------------------------------------------- */

/* What the program's commands find out, as data. */
struct weir_question {
    const char *name; /* of the command, such as "capacity" */
    /* Scenarios, which stand for the first operands; ends with NULL, and may be NULL. */
    const struct weir_scenario *const *scenarios;
    /* The other operands, and options, as on the command line, such as "--max-stretch=2"; ends with
     * NULL, and may be NULL. Options that show an answer (--json, --csv, --plot) are refused. */
    const char *const *words;
    /* As that of weir_scenario_run_until; may be NULL. */
    int (*stop)(void *context);
    void *context;
};

struct weir_answer;

/* Answers a question as the command does. NULL if there is no such question or option, if the
 * input is wrong, or if a run fails. weir_answer_free frees; NULL is fine there. Scenarios must
 * live as long as the answer. */
struct weir_answer *weir_ask(const struct weir_question *question, struct weir_error *error);
void weir_answer_free(struct weir_answer *answer);

/* A member of an answer by its path in docs/reference/json.md, such as "strategies[0].copies". NAN
 * and NULL if there is none, if it is null, or of another kind; true is 1. The text belongs to the
 * answer. */
double weir_answer_number(const struct weir_answer *answer, const char *path);
const char *weir_answer_text(const struct weir_answer *answer, const char *path);

/* The number of elements of an array, or of members of an object with names of its own, such as
 * measures; 0 if it is neither. */
size_t weir_answer_count(const struct weir_answer *answer, const char *path);

/* All of it, as the JSON that the command prints, without line breaks between members. NULL when
 * memory is out; weir_text_free frees. */
char *weir_answer_json(const struct weir_answer *answer, struct weir_error *error);

/* --- lists, for languages that cannot read weir/metrics.h ---------------------------------- */

/* The names of the members of struct weir_metrics, and of those of struct weir_app_metrics after
 * its name and nodes, in their order; they end with NULL. Never freed. */
const char *const *weir_metric_names(void);
const char *const *weir_app_metric_names(void);

#ifdef __cplusplus
}
#endif
#endif

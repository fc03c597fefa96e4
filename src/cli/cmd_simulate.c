#include "base/mem.h"
#include "cli/artefact.h"
#include "cli/commands.h"
#include "cli/study.h"
#include <stdlib.h>
#include <string.h>

struct simulate_options {
    struct words operands; /* files */
    struct words policies;
    struct study_source source;
    const char *window, *metrics, *gantt, *trace;
    bool json, csv, per_app, check;
};

static const char *const usual_policies[] = {
    "fair-share", "fcfs", "greedy-yield", "greedy-com", "look-ahead-greedy-yield", "floor", NULL};

/* --- input --------------------------------------------------------------------------------- */

static int parse_window(const char *text, struct window *window, struct err *err)
{
    const char *colon = strchr(text, ':');
    char start[64];
    if (strcmp(text, "auto") == 0 || strcmp(text, "none") == 0) {
        window->kind = *text == 'a' ? WINDOW_AUTO : WINDOW_NONE;
        return 0;
    }
    if (!colon || (size_t)(colon - text) >= sizeof start)
        return err_set(err, "--window: '%s' is none of auto, none and START:END", text);
    memcpy(start, text, (size_t)(colon - text));
    start[colon - text] = 0;
    window->kind = WINDOW_FIXED;
    if (units_parse(start, UNIT_SECONDS, &window->start, err) < 0 ||
        units_parse(colon + 1, UNIT_SECONDS, &window->end, err) < 0)
        return err_prepend(err, "--window");
    if (window->start < 0 || window->end <= window->start)
        return err_set(err, "--window: '%s' must have 0 <= START < END", text);
    return 0;
}

static int open_policies(const struct simulate_options *options, struct policies *policies,
                         struct err *err)
{
    const char *const *names = usual_policies;
    if (options->policies.count == 0) {
        for (; *names; names++)
            if (policies_add(policies, *names, err) < 0)
                return -1;
    }
    for (size_t i = 0; i < options->policies.count; i++)
        if (policies_add(policies, options->policies.list[i], err) < 0)
            return -1;
    return 0;
}

static int load(const struct simulate_options *options, const char *path, struct study *study,
                struct err *err)
{
    struct window window = {0};
    if (options->window && parse_window(options->window, &window, err) < 0)
        return -1;
    return study_load(study, &options->source, path, options->window ? &window : NULL, err);
}

/* --- runs ---------------------------------------------------------------------------------- */

/* Everything that is computed before anything is printed. */
struct batch {
    const struct simulate_options *options;
    struct policies policies;
    struct plan **plans; /* by study and strategy, NULL for those that need none */
    struct study *studies;
    size_t count;
    struct selection selection; /* chosen by --metrics, else empty */
};

/* Strategies that follow a plan have one for each study. */
static int make_plans(struct batch *batch, struct err *err)
{
    size_t policies = batch->policies.count;
    batch->plans = mem_alloc(batch->count * policies, sizeof *batch->plans);
    if (!batch->plans)
        return err_memory(err);
    for (size_t i = 0; i < batch->count * policies; i++) {
        const struct policy *policy = batch->policies.list[i % policies];
        if (policy->ops->flags & WEIR_NEEDS_PLAN) {
            batch->plans[i] = study_plan(&batch->studies[i / policies], policy, err);
            if (!batch->plans[i])
                return -1;
        }
    }
    return 0;
}

static void free_plans(struct batch *batch)
{
    for (size_t i = 0; batch->plans && i < batch->count * batch->policies.count; i++)
        plan_free(batch->plans[i]);
    free(batch->plans);
}

static int run_one(struct batch *batch, struct study *study, const struct policy *policy,
                   struct err *err)
{
    const struct simulate_options *options = batch->options;
    struct artefact artefacts[] = {{.path = options->gantt, .write = study_write_gantt},
                                   {.path = options->trace, .write = study_write_trace},
                                   {.write = NULL}};
    struct timeline timeline = {0};
    bool wanted = options->gantt || options->trace;
    int status = STATUS_FAILED;
    if (artefacts_open(artefacts, batch->count > 1 ? study->workload->name : NULL,
                       batch->policies.count > 1 ? policy->name : NULL, err) < 0)
        status = STATUS_MISUSE;
    else if (study_run(study, policy, options->check, wanted ? &timeline : NULL, err) == 0 &&
             artefacts_write(artefacts, study, &timeline, err) == 0)
        status = STATUS_DONE;
    artefacts_close(artefacts);
    timeline_fini(&timeline);
    return status;
}

/* Pictures and traces are told apart by the names of the scenarios. */
static int check_names(const struct batch *batch, struct err *err)
{
    if (!batch->options->gantt && !batch->options->trace)
        return 0;
    for (size_t i = 0; i < batch->count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(batch->studies[i].workload->name, batch->studies[k].workload->name) == 0)
                return err_set(err,
                               "two scenarios are named '%s': one output would replace the "
                               "other's",
                               batch->studies[i].workload->name);
    return 0;
}

/* All input is read before the first run: a mistake in the last file costs nothing. */
static int run_batch(struct batch *batch, struct err *err)
{
    const struct simulate_options *options = batch->options;
    if (options->json && options->csv) {
        err_set(err, "--json and --csv exclude each other");
        return STATUS_MISUSE;
    }
    if (options->metrics && selection_parse(&batch->selection, options->metrics, err) < 0) {
        err_prepend(err, "--metrics");
        return STATUS_MISUSE;
    }
    if (open_policies(options, &batch->policies, err) < 0)
        return STATUS_MISUSE;
    for (size_t i = 0; i < batch->count; i++)
        if (load(options, options->operands.list[i], &batch->studies[i], err) < 0)
            return STATUS_MISUSE;
    if (check_names(batch, err) < 0 || make_plans(batch, err) < 0)
        return STATUS_MISUSE;
    int status = STATUS_DONE;
    for (size_t i = 0; i < batch->count; i++)
        for (size_t k = 0; k < batch->policies.count && status == STATUS_DONE; k++) {
            struct policy policy = *batch->policies.list[k];
            policy.plan = batch->plans[i * batch->policies.count + k];
            status = run_one(batch, &batch->studies[i], &policy, err);
        }
    return status;
}

/* --- output -------------------------------------------------------------------------------- */

static void print_json(const struct batch *batch)
{
    struct json json = {.out = stdout, .pretty = true};
    if (batch->count > 1)
        json_begin_array(&json, NULL);
    for (size_t i = 0; i < batch->count; i++)
        runs_json(&batch->studies[i].runs, &json);
    if (batch->count > 1)
        json_end_array(&json);
}

static void print_csv(const struct batch *batch)
{
    struct selection selection = batch->selection;
    if (!selection.chosen)
        for (size_t i = 0; i < MEASURE_COUNT; i++)
            selection.measures[selection.count++] = &measures[i];
    if (batch->options->per_app)
        runs_csv_apps_header(stdout);
    else
        runs_csv_header(&selection, stdout);
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->options->per_app)
            runs_csv_apps(&batch->studies[i].runs, stdout);
        else
            runs_csv(&batch->studies[i].runs, &selection, stdout);
    }
}

static void print_title(const struct workload *workload)
{
    char rate[64], start[64], end[64];
    printf("%s: %u application%s, file system %s, I/O pressure %.2f\n", workload->name,
           (unsigned)workload->count, workload->count == 1 ? "" : "s",
           units_print(workload->platform.bandwidth, UNIT_RATE, rate, sizeof rate),
           workload->io_pressure);
    if (workload->window.kind == WINDOW_FIXED)
        printf("window %s to %s\n",
               units_print(workload->window.start, UNIT_SECONDS, start, sizeof start),
               units_print(workload->window.end, UNIT_SECONDS, end, sizeof end));
    putchar('\n');
}

static int print_study(const struct batch *batch, const struct study *study)
{
    bool colour = terminal_colour(stdout);
    struct selection selection =
        batch->selection.chosen ? batch->selection : selection_default(study->workload);
    print_title(study->workload);
    if (runs_print_table(&study->runs, &selection, colour, stdout) < 0)
        return -1;
    if (study->runs.count > 1)
        puts("\n* best of its column");
    for (size_t i = 0; batch->options->per_app && i < study->runs.count; i++) {
        printf("\n%s\n", study->runs.list[i].policy);
        if (run_print_apps(study->workload, &study->runs.list[i], colour, stdout) < 0)
            return -1;
    }
    return 0;
}

static int print_batch(const struct batch *batch, struct err *err)
{
    if (batch->options->json) {
        print_json(batch);
        return STATUS_DONE;
    }
    if (batch->options->csv) {
        print_csv(batch);
        return STATUS_DONE;
    }
    for (size_t i = 0; i < batch->count; i++) {
        if (i > 0)
            putchar('\n');
        if (print_study(batch, &batch->studies[i]) < 0) {
            err_memory(err);
            return STATUS_FAILED;
        }
    }
    return STATUS_DONE;
}

static int run(const void *values, struct err *err)
{
    const struct simulate_options *options = values;
    struct batch batch = {.options = options, .count = options->operands.count};
    batch.studies = mem_alloc(batch.count, sizeof *batch.studies);
    if (!batch.studies) {
        err_memory(err);
        return STATUS_FAILED;
    }
    int status = run_batch(&batch, err);
    if (status == STATUS_DONE)
        status = print_batch(&batch, err);
    for (size_t i = 0; i < batch.count; i++)
        study_fini(&batch.studies[i]);
    free(batch.studies);
    free_plans(&batch);
    policies_fini(&batch.policies);
    return status;
}

#define AT(member) offsetof(struct simulate_options, member)
static const struct option options[] = {
    {"policy", 0, OPTION_WORDS, UNIT_NONE, "P", AT(policies),
     "a strategy: NAME, NAME:KEY=VALUE,..., a plug-in ./FILE.so, or 'all'; may be given several "
     "times; by default a few that differ most"},
    {"window", 0, OPTION_TEXT, UNIT_NONE, "auto|none|START:END", AT(window),
     "measure inside this window; auto = the shortest application alone"},
    STUDY_SOURCE_OPTIONS(struct simulate_options, source),
    {"metrics", 0, OPTION_TEXT, UNIT_NONE, "A,B,...", AT(metrics),
     "the measures to show in a table or CSV"},
    {"per-app", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(per_app),
     "show every application of every run as well; with --csv instead"},
    {"json", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(json), "all measures and applications as JSON"},
    {"csv", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(csv), "one line per run as CSV"},
    {"gantt", 0, OPTION_TEXT, UNIT_NONE, "FILE.svg", AT(gantt),
     "draw what happened; with several runs one file each, named after them"},
    {"trace", 0, OPTION_TEXT, UNIT_NONE, "FILE.json", AT(trace),
     "the same as trace events for ui.perfetto.dev or chrome://tracing"},
    {"check", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(check),
     "verify after every decision that no rule of the model is broken"},
    {.name = NULL},
};
#undef AT

static const struct entry names_of_measures[] = {
#define X(name, unit, sense, help) {#name, help},
    WEIR_METRICS(X)
#undef X
        {NULL, NULL},
};

const struct command command_simulate = {
    .name = "simulate",
    .summary = "run scenarios under strategies and compare them",
    .operands = "FILE...",
    .least = 1,
    .most = SIZE_MAX,
    .options = options,
    .details = "Measures for --metrics:",
    .entries = names_of_measures,
    .example = "weir simulate examples/quickstart.yaml --policy fcfs --gantt fcfs.svg",
    .size = sizeof(struct simulate_options),
    .run = run,
};

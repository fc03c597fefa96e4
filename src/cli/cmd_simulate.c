#include "answer/study.h"
#include "base/mem.h"
#include "base/output.h"
#include "cli/artefact.h"
#include "cli/ask.h"
#include "cli/commands.h"
#include "cli/spread_note.h"
#include "figure/picture.h"
#include "format/service.h"
#include "report/gantt.h"
#include "report/trace.h"
#include <stdlib.h>
#include <string.h>

struct simulate_options {
    struct words operands; /* files */
    struct words policies;
    struct study_source source;
    const char *metrics, *gantt, *trace, *config;
    struct delay release_latency;
    struct study_knowledge knowledge;
    bool json, csv, per_app, per_store, check, bounds;
    bool per_party[PARTY_KINDS];
};

/* --- runs ---------------------------------------------------------------------------------- */

/* Everything that is computed before anything is printed. */
struct batch {
    const struct simulate_options *options;
    struct policies policies;
    struct plan **plans; /* by study and strategy, NULL for those that need none */
    struct study *studies;
    size_t count;
    struct selection selection; /* chosen by --metrics, else empty */
    struct service config;      /* of --config; its scenarios use it */
    double release_latency;
};

/* Strategies that follow a plan have one for each study. */
static int simulate_make_plans(struct batch *batch, struct err *err)
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

static void simulate_free_plans(struct batch *batch)
{
    for (size_t i = 0; batch->plans && i < batch->count * batch->policies.count; i++)
        plan_free(batch->plans[i]);
    free(batch->plans);
}

/* Writes the trace of a run, for which the file was opened before. */
static int simulate_write_trace(const struct study *study, const struct timeline *timeline,
                                struct output *output, struct err *err)
{
    const struct row *row = &study->rows.list[study->rows.count - 1];
    if (trace_write(output->file, study->workload, timeline, row->policy, err) < 0)
        return -1;
    return output_commit(output, err);
}

static int simulate_run_one(const struct batch *batch, struct study *study,
                            const struct policy *policy, const struct sim_options *how,
                            struct err *err)
{
    const struct simulate_options *options = batch->options;
    if (!options->trace)
        return study_run(study, policy, *how, err) == 0 ? STATUS_DONE : STATUS_FAILED;
    struct output output = {0};
    char *place = artefact_place(options->trace, batch->count > 1 ? study->workload->name : NULL,
                                 batch->policies.count > 1 ? policy->name : NULL);
    int status = STATUS_FAILED;
    if (!place)
        err_memory(err);
    else if (output_open(&output, place, err) < 0)
        status = STATUS_MISUSE;
    else if (study_run(study, policy, *how, err) == 0 &&
             simulate_write_trace(study, how->timeline, &output, err) == 0)
        status = STATUS_DONE;
    if (status == STATUS_DONE)
        artefact_tell(options->trace, place);
    output_discard(&output);
    free(place);
    return status;
}

/* All strategies of a study, one timeline each. */
static int simulate_run_all(struct batch *batch, size_t index, struct timeline *timelines,
                            struct err *err)
{
    const struct simulate_options *options = batch->options;
    int status = STATUS_DONE;
    for (size_t k = 0; k < batch->policies.count && status == STATUS_DONE; k++) {
        const struct sim_options how = {.plan = batch->plans[index * batch->policies.count + k],
                                        .check = options->check,
                                        .release_latency = batch->release_latency,
                                        .timeline = options->gantt || options->trace ? &timelines[k]
                                                                                     : NULL};
        status =
            simulate_run_one(batch, &batch->studies[index], batch->policies.list[k], &how, err);
        if (!options->gantt)
            timeline_fini(&timelines[k]);
    }
    return status;
}

/* All strategies in one picture, below each other. */
static int simulate_draw(const struct study *study, const struct timeline *timelines,
                         struct picture *picture, struct err *err)
{
    size_t count = study->rows.count;
    struct gantt_panel *panels = mem_alloc(count, sizeof *panels);
    if (!panels)
        return err_memory(err);
    for (size_t i = 0; i < count; i++)
        panels[i] = (struct gantt_panel){&study->rows.list[i], &timelines[i]};
    int status = gantt_write(picture->file, study->workload, panels, count, err);
    free(panels);
    return status == 0 ? picture_commit(picture, err) : -1;
}

/* The picture is opened before the runs, so that a path that cannot be written is known early. */
static int simulate_study(struct batch *batch, size_t index, struct timeline *timelines,
                          struct err *err)
{
    const struct study *study = &batch->studies[index];
    const char *path = batch->options->gantt;
    if (!path)
        return simulate_run_all(batch, index, timelines, err);
    struct picture picture = {0};
    char *place = artefact_place(path, batch->count > 1 ? study->workload->name : NULL, NULL);
    int status = STATUS_FAILED;
    if (!place)
        err_memory(err);
    else if (picture_open(&picture, place, err) < 0)
        status = STATUS_MISUSE;
    else
        status = simulate_run_all(batch, index, timelines, err);
    if (status == STATUS_DONE && simulate_draw(study, timelines, &picture, err) < 0)
        status = STATUS_FAILED;
    if (status == STATUS_DONE)
        artefact_tell(path, place);
    picture_discard(&picture);
    free(place);
    return status;
}

static int simulate_studies(struct batch *batch, struct err *err)
{
    size_t policies = batch->policies.count;
    struct timeline *timelines = mem_alloc(policies, sizeof *timelines);
    int status = STATUS_DONE;
    if (!timelines) {
        err_memory(err);
        return STATUS_FAILED;
    }
    for (size_t i = 0; i < batch->count && status == STATUS_DONE; i++) {
        status = simulate_study(batch, i, timelines, err);
        if (status == STATUS_DONE && batch->options->bounds &&
            study_bound(&batch->studies[i], err) < 0)
            status = STATUS_FAILED;
        for (size_t k = 0; k < policies; k++)
            timeline_fini(&timelines[k]);
    }
    free(timelines);
    return status;
}

/* Pictures and traces are named after their scenarios. */
static int simulate_check_names(const struct batch *batch, struct err *err)
{
    if (!batch->options->gantt && !batch->options->trace)
        return 0;
    for (size_t i = 0; i < batch->count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(batch->studies[i].workload->name, batch->studies[k].workload->name) == 0)
                return err_set(err,
                               "two scenarios are named '%s': the output of one would replace that "
                               "of the other",
                               batch->studies[i].workload->name);
    return 0;
}

/* A picture or a trace there takes the place of the table. */
static bool simulate_takes_stdout(const struct simulate_options *options)
{
    return output_is_stdout(options->gantt) || output_is_stdout(options->trace);
}

static int simulate_check_stdout(const struct batch *batch, struct err *err)
{
    const struct simulate_options *options = batch->options;
    int wanted = options->json + options->csv + output_is_stdout(options->gantt) +
                 output_is_stdout(options->trace);
    if (simulate_takes_stdout(options) && wanted > 1)
        return err_set(err, "standard output can hold only one of --gantt, --trace, --json and "
                            "--csv");
    if (simulate_takes_stdout(options) && batch->count > 1)
        return err_set(err, "standard output can hold the picture or trace of one scenario only");
    if (output_is_stdout(options->trace) && batch->policies.count > 1)
        return err_set(err, "standard output can hold the trace of one strategy only");
    return 0;
}

/* Stores that are to be shown are there, and their strategies exist. */
static int simulate_check_stores(const struct batch *batch, struct err *err)
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct workload *workload = batch->studies[i].workload;
        if (batch->options->per_store && workload->channel_count < 2)
            return err_option(err, "--per-store: '%s' has one store", workload->name);
        for (uint32_t s = 0; s < workload->channel_count; s++) {
            if (!workload->channels[s].policy)
                continue;
            struct policy *policy = policy_open(workload->channels[s].policy, err);
            if (!policy)
                return err_prepend(err, "%s: store '%s'", workload->name,
                                   workload->channels[s].name);
            policy_free(policy);
        }
    }
    return 0;
}

/* Users and accounts that are to be shown are known. */
static int simulate_check_parties(const struct simulate_options *options,
                                  const struct workload *workload, struct err *err)
{
    for (int kind = 0; kind < PARTY_KINDS; kind++)
        if (options->per_party[kind] && workload->parties[kind].count == 0)
            return err_option(err, "--per-%s: no application has the key '%s'",
                              party_kind_names[kind], party_kind_names[kind]);
    return 0;
}

/* Says what of a controller's configuration is not simulated. */
static void simulate_tell_omissions(const struct batch *batch)
{
    const struct limits *limits = &batch->config.limits;
    char wait[32];
    bool ops = false;
    for (uint32_t i = 0; i < limits->count; i++)
        ops |= limits->list[i].ops > 0;
    fprintf(stderr, "weir: %s: not simulated: %smax_wait (%s)\n", batch->options->config,
            ops ? "limits of ops, " : "",
            units_print(batch->config.max_wait, UNIT_SECONDS, wait, sizeof wait));
}

/* The controller's configuration, if one is given: the scenarios are simulated under it. */
static int simulate_configure(struct batch *batch, struct study_source *source, struct err *err)
{
    const struct simulate_options *options = batch->options;
    *source = options->source;
    batch->release_latency = options->release_latency.value;
    if (!options->config)
        return 0;
    batch->config = service_defaults;
    if (service_load_site(options->config, &batch->config, err) < 0)
        return -1;
    source->platform.config = &batch->config;
    if (!options->release_latency.given)
        batch->release_latency = batch->config.soft_release;
    simulate_tell_omissions(batch);
    return 0;
}

/* Those that are asked for; else those of the scenarios; else the few that differ most. */
static int simulate_open_policies(struct batch *batch, struct err *err)
{
    const struct words *asked = &batch->options->policies;
    for (size_t i = 0; asked->count == 0 && i < batch->count; i++) {
        const char *policy = batch->studies[i].workload->policy;
        bool known = !policy;
        for (size_t k = 0; k < batch->policies.count && !known; k++)
            known = strcmp(batch->policies.list[k]->name, policy) == 0;
        if (!known && policies_add(&batch->policies, policy, err) < 0)
            return err_prepend(err, "policy");
    }
    return batch->policies.count > 0 ? 0 : policies_open(&batch->policies, asked, err);
}

/* All input is read before the first run: a mistake in the last file costs nothing. */
static int simulate_run_batch(struct batch *batch, struct err *err)
{
    const struct simulate_options *options = batch->options;
    if (options->json && options->csv) {
        err_option(err, "--json and --csv exclude each other");
        return STATUS_MISUSE;
    }
    if (options->csv &&
        options->per_app + options->per_party[PARTY_USER] + options->per_party[PARTY_ACCOUNT] > 1) {
        err_option(err, "--csv takes only one of --per-app, --per-user and --per-account");
        return STATUS_MISUSE;
    }
    if (options->metrics && selection_parse(&batch->selection, options->metrics, err) < 0) {
        err_prepend_option(err, "metrics");
        return STATUS_MISUSE;
    }
    struct knowledge knowledge;
    struct study_source source;
    if (study_parse_knowledge(&options->knowledge, &knowledge, err) < 0 ||
        (options->policies.count > 0 &&
         policies_open(&batch->policies, &options->policies, err) < 0) ||
        simulate_check_stdout(batch, err) < 0 || simulate_configure(batch, &source, err) < 0)
        return STATUS_MISUSE;
    for (size_t i = 0; i < batch->count; i++) {
        const char *path = options->operands.list[i];
        if (study_load(&batch->studies[i], &source, path, NULL, err) < 0)
            return STATUS_MISUSE;
        batch->studies[i].knowledge = knowledge;
        if (simulate_check_parties(options, batch->studies[i].workload, err) < 0) {
            err_prepend(err, "%s", path);
            return STATUS_MISUSE;
        }
        scenario_forget_apps(batch->studies[i].scenario);
    }
    if (simulate_open_policies(batch, err) < 0 || simulate_check_stores(batch, err) < 0 ||
        simulate_check_names(batch, err) < 0 || simulate_make_plans(batch, err) < 0)
        return STATUS_MISUSE;
    return simulate_studies(batch, err);
}

/* --- output -------------------------------------------------------------------------------- */

static void simulate_print_json(const struct batch *batch)
{
    struct json json = {.out = stdout, .pretty = true};
    if (batch->count > 1)
        json_begin_array(&json, NULL);
    for (size_t i = 0; i < batch->count; i++)
        runs_json(&batch->studies[i].rows, &json);
    if (batch->count > 1)
        json_end_array(&json);
}

/* What --csv prints one line for, instead of each run. */
static void simulate_print_csv_parties(const struct batch *batch, enum party_kind kind)
{
    runs_csv_parties_header(stdout);
    for (size_t i = 0; i < batch->count; i++)
        runs_csv_parties(&batch->studies[i].rows, kind, stdout);
}

static void simulate_print_csv(const struct batch *batch)
{
    for (int kind = 0; kind < PARTY_KINDS; kind++)
        if (batch->options->per_party[kind]) {
            simulate_print_csv_parties(batch, (enum party_kind)kind);
            return;
        }
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
            runs_csv_apps(&batch->studies[i].rows, stdout);
        else
            runs_csv(&batch->studies[i].rows, &selection, stdout);
    }
}

static void simulate_print_title(const struct study *study)
{
    const struct workload *workload = study->workload;
    char text[KNOWLEDGE_TEXT];
    printf("%s: %u application%s, ", workload->name, (unsigned)workload->count,
           workload->count == 1 ? "" : "s");
    if (workload->channel_count > 1)
        printf("%u stores", (unsigned)workload->channel_count);
    else
        printf("file system %s",
               units_print(workload->platform.bandwidth, UNIT_RATE, text, sizeof text));
    printf(", I/O pressure %.2f\n", workload->io_pressure);
    ask_print_window(&study->workload->window);
    if (*knowledge_describe(&study->knowledge, text, sizeof text))
        puts(text);
    putchar('\n');
}

/* The applications, users and accounts of a run, as far as they are asked for. */
static int simulate_print_details(const struct simulate_options *options, const struct row *row,
                                  bool colour)
{
    if (options->per_app) {
        printf("\n%s\n", row->policy);
        if (run_print_apps(row, colour, stdout) < 0)
            return -1;
    }
    if (options->per_store) {
        printf("\n%s\n", row->policy);
        run_print_stores(row, colour, stdout);
    }
    for (int kind = 0; kind < PARTY_KINDS; kind++) {
        if (!options->per_party[kind])
            continue;
        printf("\n%s\n", row->policy);
        if (run_print_parties(row, (enum party_kind)kind, colour, stdout) < 0)
            return -1;
    }
    return 0;
}

/* `noted` tells, and is told, whether there was a note: one is enough. */
static int simulate_print_study(const struct batch *batch, const struct study *study, bool *noted)
{
    bool colour = terminal_colour(stdout);
    struct selection selection =
        batch->selection.chosen ? batch->selection : selection_default(&study->workload->window);
    simulate_print_title(study);
    if (runs_print_table(&study->rows, &selection, colour, stdout) < 0)
        return -1;
    const struct sim_options how = {.release_latency = batch->release_latency};
    *noted = *noted || spread_note_print(study, &batch->policies, &how, &selection);
    for (size_t i = 0; i < study->rows.count; i++)
        if (simulate_print_details(batch->options, &study->rows.list[i], colour) < 0)
            return -1;
    return 0;
}

static int simulate_print_batch(const struct batch *batch, struct err *err)
{
    if (simulate_takes_stdout(batch->options))
        return STATUS_DONE;
    if (batch->options->json) {
        simulate_print_json(batch);
        return STATUS_DONE;
    }
    if (batch->options->csv) {
        simulate_print_csv(batch);
        return STATUS_DONE;
    }
    bool noted = false;
    for (size_t i = 0; i < batch->count; i++) {
        if (i > 0)
            putchar('\n');
        if (simulate_print_study(batch, &batch->studies[i], &noted) < 0) {
            err_memory(err);
            return STATUS_FAILED;
        }
    }
    return STATUS_DONE;
}

static int cli_simulate_run(const void *values, struct err *err)
{
    const struct simulate_options *options = values;
    struct batch batch = {.options = options, .count = options->operands.count};
    batch.studies = mem_alloc(batch.count, sizeof *batch.studies);
    if (!batch.studies) {
        err_memory(err);
        return STATUS_FAILED;
    }
    int status = simulate_run_batch(&batch, err);
    if (status == STATUS_DONE)
        status = simulate_print_batch(&batch, err);
    for (size_t i = 0; i < batch.count; i++)
        study_fini(&batch.studies[i]);
    free(batch.studies);
    simulate_free_plans(&batch);
    policies_fini(&batch.policies);
    arena_fini(&batch.config.arena);
    return status;
}

#define AT(member) offsetof(struct simulate_options, member)
static const struct option options[] = {
    {"config", 0, OPTION_TEXT, UNIT_NONE, "FILE", AT(config),
     "simulate what 'weir serve --config FILE' would do: platform, strategy, stores, limits and "
     "shares are those of this file"},
    STUDY_POLICY_OPTION(struct simulate_options, policies),
    STUDY_WINDOW_OPTION(struct simulate_options, source),
    STUDY_SOURCE_OPTIONS(struct simulate_options, source),
    {"release-latency", 0, OPTION_DELAY, UNIT_SECONDS, "TIME", AT(release_latency),
     "hold the bandwidth of a finished I/O for this long, like a live controller that notices the "
     "end late"},
    STUDY_KNOWLEDGE_OPTIONS(struct simulate_options, knowledge),
    {"metrics", 0, OPTION_TEXT, UNIT_NONE, "MEASURE,...", AT(metrics),
     "measures to show in the table or CSV"},
    {"per-app", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(per_app),
     "also show every application of every run; with --csv, only those"},
    {"per-store", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(per_store),
     "also show every store of every run, if there are several"},
    {"per-user", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(per_party[PARTY_USER]),
     "also show every user of every run; with --csv, only those"},
    {"per-account", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(per_party[PARTY_ACCOUNT]),
     "the same for accounts"},
    {"bounds", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(bounds),
     "also show limits that no schedule can beat, as the strategy 'bound'"},
    {"json", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(json),
     "print all measures and applications as JSON"},
    {"csv", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(csv), "print one line per run as CSV"},
    {"gantt", 0, OPTION_TEXT, UNIT_NONE, PICTURE_FILE, AT(gantt),
     "draw what happened, all strategies in one picture" PICTURE_KINDS
     "; with several scenarios one file each, named after them"},
    {"trace", 0, OPTION_TEXT, UNIT_NONE, "FILE.json", AT(trace),
     "write the same as trace events for ui.perfetto.dev or chrome://tracing; with several runs "
     "one file each, named after them"},
    {"check", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(check),
     "verify after every decision that the rules of the model are kept; for plug-ins this is "
     "always "
     "done"},
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
    .run = cli_simulate_run,
};

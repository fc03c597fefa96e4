#include "answer/study.h"
#include "base/output.h"
#include "cli/commands.h"
#include "format/export.h"

struct export_values {
    struct words operands; /* the format, and a scenario */
    const char *output, *policy;
    struct study_source source;
    bool list;
};

static int export_write_file(const char *path, const struct exporter *exporter,
                             const struct export_input *input, struct err *err)
{
    struct output output = {0};
    if (output_open(&output, path ? path : "-", err) < 0)
        return STATUS_MISUSE;
    if (exporter->write(output.file, input, err) < 0) {
        output_discard(&output);
        return STATUS_MISUSE;
    }
    return output_commit(&output, err) < 0 ? STATUS_FAILED : STATUS_DONE;
}

/* Simulates for the exporters that want to know what happens. 0 or -1. */
static int export_simulate(struct study *study, const char *policy, struct timeline *timeline,
                           struct err *err)
{
    struct policies policies = {0};
    struct sim_options options = {.timeline = timeline};
    struct plan *plan = NULL;
    int status = policies_add(&policies, policy, err);
    if (status == 0 && policies.count != 1)
        status = err_option(err, "--policy: expected one strategy, not '%s'", policy);
    if (status == 0 && (policies.list[0]->ops->flags & WEIR_NEEDS_PLAN)) {
        options.plan = plan = study_plan(study, policies.list[0], err);
        status = plan ? 0 : -1;
    }
    if (status == 0)
        status = study_run(study, policies.list[0], options, err);
    plan_free(plan);
    policies_fini(&policies);
    return status;
}

/* Formats for a workload have no window, so nothing is cut at the end of one. */
static int export_scenario(const struct export_values *values, const struct exporter *exporter,
                           struct err *err)
{
    const struct window none = {.kind = WINDOW_NONE};
    const char *path = values->operands.list[1];
    struct timeline timeline = {0};
    struct study study;
    int status = STATUS_MISUSE;
    if (study_load(&study, &values->source, path, exporter->simulated ? NULL : &none, err) == 0 &&
        (!exporter->simulated || export_simulate(&study, values->policy, &timeline, err) == 0)) {
        struct export_input input = {study.workload, &timeline};
        status = export_write_file(values->output, exporter, &input, err);
        if (status != STATUS_DONE)
            err_prepend(err, "%s", path);
    }
    timeline_fini(&timeline);
    study_fini(&study);
    return status;
}

/* Only exporters that simulate take a strategy. */
static int export_check(const struct export_values *values, const struct exporter *exporter,
                        struct err *err)
{
    if (exporter->simulated && !values->policy)
        return err_set(err, "missing --policy STRATEGY: '%s' shows a run", exporter->name);
    if (!exporter->simulated && values->policy)
        return err_option(err, "--policy has no effect on '%s'", exporter->name);
    return 0;
}

static void export_print_formats(void)
{
    for (size_t i = 0; export_registry[i]; i++) {
        printf("%s\n", export_registry[i]->name);
        help_wrap(stdout, export_registry[i]->help, 4, 0);
    }
}

static int export_run(const void *given, struct err *err)
{
    const struct export_values *values = given;
    if (values->list) {
        export_print_formats();
        return STATUS_DONE;
    }
    if (values->operands.count < 2) {
        err_set(err, "export: missing FORMAT or SCENARIO; 'weir export --list' lists the formats");
        return STATUS_MISUSE;
    }
    const struct exporter *exporter = export_find(values->operands.list[0], err);
    if (!exporter || export_check(values, exporter, err) < 0)
        return STATUS_MISUSE;
    return export_scenario(values, exporter, err);
}

#define AT(member) offsetof(struct export_values, member)
static const struct option options[] = {
    {"output", 'o', OPTION_TEXT, UNIT_NONE, "FILE", AT(output),
     "where to write; default standard output"},
    {"policy", 0, OPTION_TEXT, UNIT_NONE, "STRATEGY", AT(policy),
     "the strategy to simulate, for a format that shows a run"},
    {"list", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(list), "list the formats"},
    STUDY_SOURCE_OPTIONS(struct export_values, source),
    {.name = NULL},
};
#undef AT

const struct command command_export = {
    .name = "export",
    .summary = "write a scenario, or its run, in the format of another program",
    .operands = "FORMAT SCENARIO",
    .most = 2,
    .options = options,
    .example = "weir export instance examples/jupiter1.yaml -o jupiter1.txt",
    .size = sizeof(struct export_values),
    .run = export_run,
};

#include "base/output.h"
#include "cli/commands.h"
#include "cli/study.h"
#include "format/export.h"

struct export_values {
    struct words operands; /* the format, and a scenario */
    const char *output;
    struct study_source source;
    bool list;
};

static int write_file(const char *path, const struct exporter *exporter,
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

/* These formats have no window, so nothing is cut at the end of one. */
static int export(const struct export_values *values, const struct exporter *exporter,
                  struct err *err)
{
    const struct window none = {.kind = WINDOW_NONE};
    const char *path = values->operands.list[1];
    struct study study;
    int status = STATUS_MISUSE;
    if (study_load(&study, &values->source, path, &none, err) == 0) {
        struct export_input input = {.workload = study.workload};
        status = write_file(values->output, exporter, &input, err);
        if (status != STATUS_DONE)
            err_prepend(err, "%s", path);
    }
    study_fini(&study);
    return status;
}

static void print_formats(void)
{
    for (size_t i = 0; export_registry[i]; i++) {
        printf("%s\n", export_registry[i]->name);
        help_wrap(stdout, export_registry[i]->help, 4, 0);
    }
}

static int run(const void *given, struct err *err)
{
    const struct export_values *values = given;
    if (values->list) {
        print_formats();
        return STATUS_DONE;
    }
    if (values->operands.count < 2) {
        err_set(err, "export: expected FORMAT SCENARIO; 'weir export --list' lists the formats");
        return STATUS_MISUSE;
    }
    const struct exporter *exporter = export_find(values->operands.list[0], err);
    return exporter ? export(values, exporter, err) : STATUS_MISUSE;
}

#define AT(member) offsetof(struct export_values, member)
static const struct option options[] = {
    {"output", 'o', OPTION_TEXT, UNIT_NONE, "FILE", AT(output),
     "where to write; default standard output"},
    {"list", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(list), "list the formats"},
    STUDY_SOURCE_OPTIONS(struct export_values, source),
    {.name = NULL},
};
#undef AT

const struct command command_export = {
    .name = "export",
    .summary = "write a scenario in a format of others",
    .operands = "FORMAT SCENARIO",
    .most = 2,
    .options = options,
    .example = "weir export instance examples/quickstart.yaml -o quickstart.txt",
    .size = sizeof(struct export_values),
    .run = run,
};

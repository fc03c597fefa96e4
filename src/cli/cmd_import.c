#include "base/output.h"
#include "cli/commands.h"
#include "terminal/notes.h"
#include "terminal/progress.h"
#include "detect/periods.h"
#include "format/import.h"
#include <stdlib.h>
#include <string.h>

struct import_values {
    struct words operands; /* the format, and files */
    const char *output, *io_csv, *release, *store;
    struct format_defaults platform;
    double gap, io_ratio, procs_per_node;
    struct whole iterations;
    bool periodic, lenient, list;
};

/* --- options --------------------------------------------------------------------------------- */

/* Of what the options cannot express. */
static int import_check_values(const struct import_values *values, struct err *err)
{
    if (values->iterations.given &&
        (values->iterations.value < 1 || values->iterations.value > IMPORT_MOST_ITERATIONS))
        return err_option(err, "--iterations: expected 1 to %d", IMPORT_MOST_ITERATIONS);
    return 0;
}

/* --- output ---------------------------------------------------------------------------------- */

/* The notes as comments in front of the scenario. */
static void import_write_notes(FILE *out, const char *notes)
{
    for (const char *at = notes; *at;) {
        size_t length = strcspn(at, "\n");
        fprintf(out, "# %.*s\n", (int)length, at);
        at += length + (at[length] == '\n');
    }
}

static int import_write_scenario(const struct import_values *values,
                                 const struct scenario *scenario, const char *notes,
                                 struct err *err)
{
    const char *path = values->output ? values->output : "-";
    struct output output = {0};
    if (output_open(&output, path, err) < 0)
        return STATUS_MISUSE;
    import_write_notes(output.file, notes);
    if (!output_is_stdout(path))
        notes_tell("weir", notes);
    scenario_write(output.file, scenario);
    return output_commit(&output, err) < 0 ? STATUS_FAILED : STATUS_DONE;
}

/* --- all of it ------------------------------------------------------------------------------- */

/* Periods that a scenario format contains are taken as they are. */
static struct scenario *import_read(const struct import_values *values,
                                    const struct importer *importer,
                                    const struct import_options *options, FILE *notes,
                                    struct err *err)
{
    const struct import_source source = {values->operands.list + 1, values->operands.count - 1};
    progress_begin(values->operands.list[1], "reading");
    struct scenario *scenario = import_files(importer, &source, options, notes, err);
    int status = scenario ? 0 : -1;
    if (scenario && values->periodic)
        status = periods_fold(scenario, "", notes, err);
    else if (scenario && !importer->format)
        status = periods_declare(scenario, notes, err);
    progress_end();
    if (status == 0)
        return scenario;
    scenario_free(scenario);
    return NULL;
}

static int import_scenario(const struct import_values *values, const struct importer *importer,
                           struct err *err)
{
    const struct import_options options = {
        .platform = values->platform,
        .lenient = values->lenient,
        .gap = values->gap,
        .io_ratio = values->io_ratio,
        .io_csv = values->io_csv,
        .iterations = (uint32_t)values->iterations.value,
        .procs_per_node = values->procs_per_node,
        .store = values->store,
        .release = values->release,
    };
    if (import_check(importer, &options, err) < 0)
        return STATUS_MISUSE;
    char *notes = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&notes, &length);
    if (!stream) {
        err_memory(err);
        return STATUS_FAILED;
    }
    struct scenario *scenario = import_read(values, importer, &options, stream, err);
    int status = STATUS_MISUSE;
    if (fclose(stream) != 0)
        err_memory(err);
    else if (scenario)
        status = import_write_scenario(values, scenario, notes, err);
    scenario_free(scenario);
    free(notes);
    return status;
}

static void import_print_formats(void)
{
    for (size_t i = 0; import_registry[i]; i++) {
        printf("%s\n", import_registry[i]->name);
        help_wrap(stdout, import_registry[i]->help, 4, 0);
    }
}

static int import_run(const void *given, struct err *err)
{
    const struct import_values *values = given;
    if (values->list) {
        import_print_formats();
        return STATUS_DONE;
    }
    if (values->operands.count < 2) {
        err_set(err, "import: missing FORMAT or FILE; 'weir import --list' lists the formats");
        return STATUS_MISUSE;
    }
    const struct importer *importer = import_find(values->operands.list[0], err);
    if (!importer || import_check_values(values, err) < 0)
        return STATUS_MISUSE;
    return import_scenario(values, importer, err);
}

#define AT(member) offsetof(struct import_values, member)
static const struct option options[] = {
    {"output", 'o', OPTION_TEXT, UNIT_NONE, "FILE", AT(output),
     "where to write the scenario; default standard output"},
    {"bandwidth", 0, OPTION_AMOUNT, UNIT_RATE, "RATE", AT(platform.bandwidth),
     "bandwidth of the file system; default the fastest rate of the log, if it has any"},
    {"node-bandwidth", 0, OPTION_AMOUNT, UNIT_RATE, "RATE", AT(platform.node_bandwidth),
     "bandwidth of a node; default that of the file system"},
    {"nodes", 0, OPTION_AMOUNT, UNIT_NONE, "N", AT(platform.nodes),
     "nodes of the platform; default those of the log, or of all applications together"},
    {"procs-per-node", 0, OPTION_AMOUNT, UNIT_NONE, "N", AT(procs_per_node),
     "processes or processors per node, for logs that count these; default 1"},
    {"gap", 0, OPTION_AMOUNT, UNIT_SECONDS, "TIME", AT(gap),
     "time without I/O that ends an I/O phase; default chosen from the trace and reported"},
    {"io-ratio", 0, OPTION_AMOUNT, UNIT_RATIO, "R", AT(io_ratio),
     "share of each job's run time that is I/O at full bandwidth"},
    {"io-csv", 0, OPTION_TEXT, UNIT_NONE, "FILE", AT(io_csv),
     "lines 'job,volume' with the I/O of each job; jobs that are not listed have none"},
    {"iterations", 0, OPTION_WHOLE, UNIT_NONE, "N", AT(iterations),
     "number of iterations over which I/O of unknown time is spread evenly; default 1"},
    {"release", 0, OPTION_TEXT, UNIT_NONE, "start|submit", AT(release),
     "when a job arrives: when it was started (the default) or submitted"},
    {"store", 0, OPTION_TEXT, UNIT_NONE, "S", AT(store),
     "of a journal with several stores, the one to import, as the journal names it; default the "
     "first"},
    {"periodic", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(periodic),
     "replace phases by iterations of their period"},
    {"lenient", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(lenient),
     "skip what cannot be understood, and report how much was skipped"},
    {"list", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(list), "list the formats"},
    {.name = NULL},
};
#undef AT

const struct command command_import = {
    .name = "import",
    .summary = "build a scenario from logs, traces or a table",
    .operands = "FORMAT FILE...",
    .most = SIZE_MAX,
    .options = options,
    .example = "weir import csv phases.csv --bandwidth 10GB/s -o scenario.yaml",
    .size = sizeof(struct import_values),
    .run = import_run,
};

#include "base/json.h"
#include "base/output.h"
#include "cli/commands.h"
#include "terminal/progress.h"
#include "replay/calibrate.h"
#include "report/table.h"

#define DEFAULT_SECONDS 2.0
#define DEFAULT_BYTES   2e9
enum { DEFAULT_WRITERS = 8, MOST_WRITERS = 128 };

struct cli_calibrate_options {
    struct words operands;
    const char *directory, *output;
    double seconds, bytes;
    struct whole writers;
    bool json;
};

/* --- output --------------------------------------------------------------------------------- */

static void print_steps(const struct calibration *result)
{
    enum { COLUMNS = 4 };
    static const struct table_column columns[COLUMNS] = {
        {.heading = "all_(MB/s)", .sense = METRIC_INFO, .digits = 4},
        {.heading = "slowest_(MB/s)", .sense = METRIC_INFO, .digits = 4},
        {.heading = "fastest_(MB/s)", .sense = METRIC_INFO, .digits = 4},
        {.heading = "degradation_(%)", .sense = METRIC_INFO, .digits = 2},
    };
    char labels[CALIBRATE_STEPS][16];
    const char *names[CALIBRATE_STEPS];
    double values[CALIBRATE_STEPS * COLUMNS];
    for (uint32_t i = 0; i < result->count; i++) {
        const struct calibrate_step *step = &result->steps[i];
        snprintf(labels[i], sizeof labels[i], "%u", step->writers);
        names[i] = labels[i];
        double *row = &values[i * COLUMNS];
        row[0] = 1e-6 * step->bandwidth;
        row[1] = 1e-6 * step->slowest;
        row[2] = 1e-6 * step->fastest;
        row[3] = 100 * step->degradation;
    }
    table_print(&(struct table){.corner = "writers",
                                .names = names,
                                .rows = result->count,
                                .columns = columns,
                                .count = COLUMNS,
                                .values = values,
                                .colour = terminal_colour(stdout)},
                stdout);
}

static void calibrate_print(const struct cli_calibrate_options *options,
                            const struct calibration *result)
{
    char all[64], one[64];
    printf("%s: %s\n\n", options->directory,
           result->memory   ? "this is memory, not a disk"
           : result->direct ? "written without the page cache (O_DIRECT)"
                            : "each write waited for the device (O_DSYNC)");
    print_steps(result);
    printf("\nbandwidth %s; one writer alone %s\n",
           units_print(result->bandwidth, UNIT_RATE, all, sizeof all),
           units_print(result->node_bandwidth, UNIT_RATE, one, sizeof one));
}

static void calibrate_print_json(const struct cli_calibrate_options *options,
                                 const struct calibration *result)
{
    struct json json = {.out = stdout, .pretty = true};
    json_begin_object(&json, NULL);
    json_string(&json, "weir", WEIR_VERSION);
    json_string(&json, "directory", options->directory);
    json_bool(&json, "direct", result->direct);
    json_bool(&json, "memory", result->memory);
    json_number(&json, "bandwidth", result->bandwidth);
    json_number(&json, "node_bandwidth", result->node_bandwidth);
    json_begin_array(&json, "steps");
    for (uint32_t i = 0; i < result->count; i++) {
        const struct calibrate_step *step = &result->steps[i];
        json_begin_object(&json, NULL);
        json_integer(&json, "writers", step->writers);
        json_number(&json, "bandwidth", step->bandwidth);
        json_number(&json, "slowest", step->slowest);
        json_number(&json, "fastest", step->fastest);
        json_number(&json, "degradation", step->degradation);
        json_end_object(&json);
    }
    json_end_array(&json);
    json_end_object(&json);
}

/* The platform as scenarios and the configuration of a controller have it. */
static void calibrate_write_platform(FILE *out, const struct cli_calibrate_options *options,
                                     const struct calibration *result)
{
    fprintf(out, "# measured by weir calibrate --dir %s\n", options->directory);
    fprintf(out, "platform: {bandwidth: %.0f, node_bandwidth: %.0f}\n", result->bandwidth,
            result->node_bandwidth);
}

/* --- the command ---------------------------------------------------------------------------- */

static int calibrate_run(const void *values, struct err *err)
{
    const struct cli_calibrate_options *options = values;
    struct output output = {0};
    struct calibration result;
    uint64_t writers = options->writers.given ? options->writers.value : DEFAULT_WRITERS;
    if (!options->directory) {
        err_set(err, "missing --dir DIR: a directory of the store to measure");
        return STATUS_MISUSE;
    }
    if (writers < 1 || writers > MOST_WRITERS) {
        err_option(err, "--writers: %llu, expected 1 to %d", (unsigned long long)writers,
                   MOST_WRITERS);
        return STATUS_MISUSE;
    }
    if (options->output && output_open(&output, options->output, err) < 0)
        return STATUS_MISUSE;
    progress_begin(options->directory, "writing");
    struct calibrate_options how = {.directory = options->directory,
                                    .seconds =
                                        options->seconds > 0 ? options->seconds : DEFAULT_SECONDS,
                                    .bytes = options->bytes > 0 ? options->bytes : DEFAULT_BYTES,
                                    .most = (uint32_t)writers,
                                    .progress = progress_show};
    int status = calibrate(&how, &result, err);
    progress_end();
    if (status == 0 && options->output) {
        calibrate_write_platform(output.file, options, &result);
        status = output_commit(&output, err);
    }
    output_discard(&output);
    if (status)
        return STATUS_FAILED;
    if (options->json)
        calibrate_print_json(options, &result);
    else
        calibrate_print(options, &result);
    return STATUS_DONE;
}

#define AT(member) offsetof(struct cli_calibrate_options, member)
static const struct option options[] = {
    {"dir", 0, OPTION_TEXT, UNIT_NONE, "DIR", AT(directory),
     "a directory of the store; nothing stays there"},
    {"writers", 0, OPTION_WHOLE, UNIT_NONE, "K", AT(writers),
     "measure 1, 2, 4, ... up to K writers at once; default 8"},
    {"time", 0, OPTION_AMOUNT, UNIT_SECONDS, "TIME", AT(seconds),
     "longest time for each number of writers; default 2 s"},
    {"volume", 0, OPTION_AMOUNT, UNIT_BYTES, "BYTES", AT(bytes),
     "largest volume for each number of writers; default 2 GB"},
    {"output", 'o', OPTION_TEXT, UNIT_NONE, "FILE", AT(output),
     "write the platform, for scenarios and configurations"},
    {"json", 0, OPTION_FLAG, UNIT_NONE, NULL, AT(json), "print everything as JSON"},
    {.name = NULL},
};
#undef AT

const struct command command_calibrate = {
    .name = "calibrate",
    .summary = "measure the bandwidth of a store, alone and under contention",
    .options = options,
    .details = "Writes large blocks without the page cache: one writer alone, then 2, 4 and 8 at "
               "once, each to its own file. Degradation is the share of the bandwidth of one "
               "writer that is lost when several write (Vidal 2022, I.A.4); below 0, several "
               "writers get more. The bandwidth of the platform is the total with the most "
               "writers, its node bandwidth that of one writer.",
    .example = "weir calibrate --dir /scratch -o platform.yaml",
    .size = sizeof(struct cli_calibrate_options),
    .run = calibrate_run,
};

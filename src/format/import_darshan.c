/* `darshan`: the text of darshan-parser (counters) or darshan-dxt-parser (every access). */
#include "base/text.h"
#include "base/units.h"
#include "format/traced.h"
#include "format/word.h"
#include <math.h>
#include <string.h>

/* The same bytes pass through MPI-IO and then through POSIX or STDIO: only one level counts. */
enum level { LOW, HIGH, LEVELS };

struct counters {
    double bytes, seconds; /* seconds summed over the processes */
};

struct log {
    double processes, run_time, start_time; /* 0 = not said */
    double job;
    char program[128];
    struct traced traced[LEVELS];
    struct counters counters[LEVELS];
};

/* --- the header ------------------------------------------------------------------------------ */

/* Keeps the name of the program without its directory and arguments. */
static void read_program(struct log *log, const char *text, size_t length)
{
    const char *end = memchr(text, ' ', length), *start;
    end = end ? end : text + length;
    for (start = end; start > text && start[-1] != '/'; start--)
        ;
    size_t size = (size_t)(end - start);
    if (size == 0 || size >= sizeof log->program || word_fault(start, size))
        return;
    memcpy(log->program, start, size);
    log->program[size] = 0;
}

static int darshan_read_header(struct import *import, struct log *log)
{
    static const char program[] = "# exe: ";
    const struct {
        const char *key;
        double *value;
    } numbers[] = {{"# nprocs: ", &log->processes},
                   {"# run time: ", &log->run_time},
                   {"# start_time: ", &log->start_time},
                   {"# jobid: ", &log->job}};
    const char *line = import->stream.line, *end = line + import->stream.length;
    if (import->stream.length >= strlen(program) && memcmp(line, program, strlen(program)) == 0)
        read_program(log, line + strlen(program), import->stream.length - strlen(program));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        size_t length = strlen(numbers[i].key);
        const char *at = line + length;
        double value;
        if (import->stream.length < length || memcmp(line, numbers[i].key, length) != 0)
            continue;
        if (text_number(&at, end, &value) != 0 || value < 0 || value > 1e18)
            return import_refuse(import, import->stream.number,
                                 "'%s' is not followed by a number from 0 on", numbers[i].key + 2);
        *numbers[i].value = value;
    }
    return 0;
}

/* --- accesses -------------------------------------------------------------------------------- */

/* module rank operation segment offset length start end, and more in some versions. */
static int read_access(struct import *import, struct log *log)
{
    struct lines lines = import_fields(import);
    const char *module, *operation;
    size_t size, length;
    double skipped, start, end, bytes;
    if (lines_word(&lines, "module", &module, &size) != 0 ||
        lines_number(&lines, "rank", -1, &skipped) != 0 ||
        lines_word(&lines, "operation", &operation, &length) != 0 ||
        lines_number(&lines, "segment", 0, &skipped) != 0 ||
        lines_number(&lines, "offset", -1, &skipped) != 0 ||
        lines_number(&lines, "length", 0, &bytes) != 0 ||
        lines_number(&lines, "start", 0, &start) != 0 || lines_number(&lines, "end", 0, &end) != 0)
        return import_skip(import);
    if (end < start || end > 1e12 || bytes > 1e18)
        return import_refuse(import, lines.number,
                             "an access of %g bytes from %g s to %g s cannot be", bytes, start,
                             end);
    enum level level = size >= 7 && memcmp(module, "X_MPIIO", 7) == 0 ? HIGH : LOW;
    struct traced *traced = &log->traced[level];
    traced->accesses++;
    if (bytes > 0 && bursts_add(&traced->bursts, (struct burst){start, end, bytes}) != 0)
        return err_memory(import->err);
    return 0;
}

/* --- counters -------------------------------------------------------------------------------- */

static bool ends_with(const char *text, size_t length, const char *tail)
{
    size_t size = strlen(tail);
    return length >= size && memcmp(text + length - size, tail, size) == 0;
}

/* Where a counter is summed up, or NULL if nobody wants it. */
static double *find_counter(struct log *log, const char *name, size_t length)
{
    static const char *const modules[] = {"POSIX_", "STDIO_", "MPIIO_"};
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        struct counters *counters = &log->counters[i == 2 ? HIGH : LOW];
        size_t size = strlen(modules[i]);
        if (length <= size || memcmp(name, modules[i], size) != 0)
            continue;
        const char *rest = name + size;
        length -= size;
        if (length == 10 && ends_with(rest, length, "BYTES_READ"))
            return &counters->bytes;
        if (length == 13 && ends_with(rest, length, "BYTES_WRITTEN"))
            return &counters->bytes;
        if (length == 11 && ends_with(rest, length, "F_READ_TIME"))
            return &counters->seconds;
        if (length == 12 && ends_with(rest, length, "F_WRITE_TIME"))
            return &counters->seconds;
    }
    return NULL;
}

/* module rank record counter value file mount type */
static int read_counter(struct import *import, struct log *log)
{
    struct lines lines = import_fields(import);
    const char *word;
    size_t length;
    double value;
    for (int i = 0; i < 4; i++)
        if (lines_word(&lines, "counter", &word, &length) != 0)
            return import_refuse(import, lines.number,
                                 "expected a line of darshan-parser or darshan-dxt-parser");
    double *sum = find_counter(log, word, length);
    if (!sum)
        return 0;
    if (lines_number(&lines, "value of a counter", -INFINITY, &value) != 0)
        return import_skip(import);
    *sum += fmin(fmax(value, 0), 1e18); /* below 0 is "not known" */
    return 0;
}

/* --- the application ------------------------------------------------------------------------- */

/* Counters do not say when: the I/O is spread evenly. */
static void spread(struct import *import, const struct log *log, struct app_spec *app)
{
    const struct counters *counters = &log->counters[log->counters[LOW].bytes > 0 ? LOW : HIGH];
    char volume[32], seconds[32];
    double io = fmin(counters->seconds / log->processes, log->run_time);
    if (import->options->iterations)
        app->iterations = import->options->iterations;
    app->work.mean = (log->run_time - io) / app->iterations;
    app->io.mean = counters->bytes / app->iterations;
    if (io > 0)
        import->peak = fmax(import->peak, counters->bytes / io);
    import_note(import, "%s: counters only: %s of I/O in %s of %g s, spread evenly over %u %s",
                app->name, units_print(counters->bytes, UNIT_BYTES, volume, sizeof volume),
                units_print(io, UNIT_SECONDS, seconds, sizeof seconds), log->run_time,
                app->iterations, app->iterations == 1 ? "iteration" : "iterations (--iterations)");
}

static const char *name_application(struct import *import, const struct log *log)
{
    char name[160];
    const char *program = *log->program ? log->program : "job";
    int length = snprintf(name, sizeof name, "%s-%.0f", program, log->job);
    return import_keep(import, name, (size_t)length);
}

static int darshan_add_application(struct import *import, struct log *log)
{
    struct app_spec app = app_spec_defaults;
    struct traced *traced = &log->traced[log->traced[LOW].bursts.count > 0 ? LOW : HIGH];
    if (log->processes < 1)
        return err_set(import->err,
                       "%s: no line '# nprocs: N', expected the text of "
                       "darshan-parser or darshan-dxt-parser",
                       import->stream.where);
    app.name = name_application(import, log);
    if (!app.name)
        return -1;
    app.nodes = import_nodes(import, log->processes);
    app.release = log->start_time;
    traced->run_time = log->run_time;
    if (traced->bursts.count == 0)
        spread(import, log, &app);
    else if (traced_give(traced, &app, import) != 0)
        return -1;
    return import_add(import, &app, 1);
}

static int darshan_read_line(struct import *import, struct log *log)
{
    struct lines lines = import_fields(import);
    if (lines.at == lines.end)
        return 0;
    if (*lines.at == '#')
        return darshan_read_header(import, log);
    bool traced = lines.end - lines.at > 2 && memcmp(lines.at, "X_", 2) == 0;
    return traced ? read_access(import, log) : read_counter(import, log);
}

static int read_darshan(struct import *import)
{
    struct log log = {0};
    int status = 0, more = 1;
    while (status == 0 && (more = stream_next(&import->stream, import->err)) > 0)
        status = darshan_read_line(import, &log);
    if (status == 0)
        status = more < 0 ? -1 : darshan_add_application(import, &log);
    for (int i = 0; i < LEVELS; i++)
        bursts_fini(&log.traced[i].bursts);
    return status;
}

const struct importer import_darshan = {
    .name = "darshan",
    .help = "the text of darshan-parser or darshan-dxt-parser: an application per log",
    .uses = IMPORT_GAP | IMPORT_ITERATIONS | IMPORT_PROCS,
    .measures = true,
    .dated = true,
    .read = read_darshan,
};

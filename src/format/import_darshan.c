/* `darshan`: the text of darshan-parser (counters) or darshan-dxt-parser (every access), or a log
 * itself where these programs are installed. Both texts of one log are one application. */
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "format/darshan_text.h"
#include "format/job_facts.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Reads the texts of the current file, of which there may be several, and keeps what they say. */
static int darshan_keep_texts(struct import *import, bool *traced)
{
    struct darshan_log log;
    int more = 0;
    do {
        more = darshan_text_read(import, more > 0, &log, traced);
        if (more < 0 || import_hold(import, &log, sizeof log) != 0)
            return -1;
    } while (more > 0);
    return 0;
}

/* --- a log itself ---------------------------------------------------------------------------- */

/* A log begins with its version in 8 bytes and a number in 8 more, in the byte order of the machine
 * that wrote it. */
static int darshan_is_binary(struct import *import)
{
    static const unsigned char little[8] = {0x37, 0x35, 0x64},
                               big[8] = {0, 0, 0, 0, 0, 0x64, 0x35, 0x37};
    const char *bytes;
    int count = stream_peek(&import->stream, &bytes, 16, import->err);
    if (count < 16)
        return count < 0 ? -1 : 0;
    return memchr(bytes, 0, 8) &&
           (memcmp(bytes + 8, little, 8) == 0 || memcmp(bytes + 8, big, 8) == 0);
}

/* Lets one of Darshan's programs convert the log, and reads that. 0 or -1. */
static int darshan_read_converted(struct import *import, const char *program, const char *path,
                                  bool *traced)
{
    char file[4096];
    /* A name that begins with a dash is not an option. */
    snprintf(file, sizeof file, "%s%s", *path == '-' ? "./" : "", path);
    const char *const arguments[] = {program, import->options->lenient ? "--show-incomplete" : file,
                                     import->options->lenient ? file : NULL, NULL};
    if (stream_run(&import->stream, arguments, path, import->err) == 0)
        return darshan_keep_texts(import, traced);
    if (errno == ENOENT)
        err_set(import->err,
                "%s: a binary log needs %s, which is not on the PATH: install Darshan's utilities, "
                "or import what '%s %s' prints elsewhere",
                path, program, program, path);
    return -1;
}

static int darshan_read_binary(struct import *import)
{
    const char *path = import->stream.path;
    static const char *const programs[] = {"darshan-parser", "darshan-dxt-parser"};
    bool traced = true;
    int status = 0;
    if (!path)
        return err_set(import->err,
                       "%s: a binary log, expected a file, or the text of darshan-parser",
                       import->stream.where);
    for (int i = 0; i < 2 && status == 0 && (traced || i == 0); i++) {
        stream_close(&import->stream);
        status = darshan_read_converted(import, programs[i], path, &traced);
    }
    if (status == 0 || !import->stream.failed)
        return status;
    if (import->err && !import->options->lenient)
        text_append(import->err->text, sizeof import->err->text,
                    "; --lenient takes what an incomplete log has");
    return import_skip(import);
}

static int darshan_read(struct import *import)
{
    bool traced;
    int binary = darshan_is_binary(import);
    if (binary < 0)
        return -1;
    return binary ? darshan_read_binary(import) : darshan_keep_texts(import, &traced);
}

/* --- applications ---------------------------------------------------------------------------- */

static double darshan_io_seconds(const struct darshan_io *io)
{
    return io->shared + io->own;
}

/* The time of I/O by counters, in seconds, at most that of the run. */
static double darshan_spent(const struct darshan_log *log)
{
    double took = darshan_io_seconds(&log->io);
    return log->run_time > 0 ? fmin(took, log->run_time) : took;
}

/* Counters do not say when: the I/O is spread evenly. */
static void darshan_spread(struct import *import, struct darshan_log *log)
{
    const struct darshan_io *io = &log->io;
    struct app_spec *app = &log->app;
    double took = darshan_io_seconds(io);
    double seconds = darshan_spent(log);
    char volume[32], time[32], run[32], shared[32], own[32];
    if (import->options->iterations)
        app->iterations = import->options->iterations;
    app->work.mean = fmax(log->run_time - seconds, 0) / app->iterations;
    app->io.mean = io->bytes / app->iterations;
    import_note(
        import,
        "%s: counters only: %s of I/O in %s of %s (the slowest process: %s in shared files, "
        "%s in its own)%s, spread evenly over %u %s",
        app->name, units_print(io->bytes, UNIT_BYTES, volume, sizeof volume),
        units_print(seconds, UNIT_SECONDS, time, sizeof time),
        units_print(log->run_time, UNIT_SECONDS, run, sizeof run),
        units_print(io->shared, UNIT_SECONDS, shared, sizeof shared),
        units_print(io->own, UNIT_SECONDS, own, sizeof own),
        took > seconds ? ", cut to the run time" : "", app->iterations,
        app->iterations == 1 ? "iteration" : "iterations (--iterations)");
    if (io->bytes > 0 && seconds <= 0)
        import_note(import,
                    "%s: the log does not show how long the I/O took: the run time is assumed to "
                    "be work, and the I/O to run at full bandwidth",
                    app->name);
    if (log->run_time <= 0)
        import_note(import, "%s: the run time is 0 or missing: the run is assumed to be I/O only",
                    app->name);
    if (io->averaged)
        import_note(
            import,
            "%s: the slowest process of some files is unknown: the mean over all processes, "
            "which is too short, replaces it",
            app->name);
}

/* Notes what passed by the trace: it knows POSIX and MPI-IO only, and its memory may have been
 * full. */
static void darshan_compare_volumes(struct import *import, const struct darshan_log *trace)
{
    double volume = 0;
    char traced[32], counted[32];
    for (uint32_t i = 0; i < trace->app.iterations; i++)
        volume += trace->app.explicit_iterations[i].volume;
    if (fabs(volume - trace->counted) > 0.01 * trace->counted)
        import_note(import, "%s: the trace has %s, the counters %s: phases are those of the trace",
                    trace->app.name, units_print(volume, UNIT_BYTES, traced, sizeof traced),
                    units_print(trace->counted, UNIT_BYTES, counted, sizeof counted));
}

/* Notes if the time during which the trace has accesses is not that of the counters, and why. */
static void darshan_compare_times(struct import *import, const struct darshan_log *trace)
{
    double busy = 0;
    char traced[32], counted[32], opening[32];
    for (size_t i = 0; i < trace->way.pieces; i++)
        busy += trace->way.list[i].burst.busy;
    double apart = fabs(busy - trace->spent), most = fmax(busy, trace->spent);
    if (!(trace->spent > 0) || apart <= 0.1 * most)
        return;
    const char *why = busy > trace->spent ? "the processes did not move bytes at the same time"
                      : fabs(busy + trace->opening - trace->spent) <= 0.1 * most
                          ? "opening and closing files takes the rest"
                      : trace->opening > 0.5 * apart
                          ? "mostly because of opening and closing files"
                          : "some accesses are not in the trace, or overlap in it";
    import_note(import,
                "%s: the trace has %s of I/O, the counters %s, of which %s for opening and closing "
                "files: %s",
                trace->app.name, units_print(busy, UNIT_SECONDS, traced, sizeof traced),
                units_print(trace->spent, UNIT_SECONDS, counted, sizeof counted),
                units_print(trace->opening, UNIT_SECONDS, opening, sizeof opening), why);
}

/* Decides which of the two texts of a log is used, and drops the other. */
static void darshan_choose_text(struct import *import, struct darshan_log *counters,
                                struct darshan_log *trace)
{
    bool whole = !counters->fault && !counters->incomplete;
    bool use_trace = !trace->fault && !(trace->incomplete && whole);
    struct darshan_log *kept = use_trace ? trace : counters, *other = use_trace ? counters : trace;
    if (use_trace && !counters->fault) {
        trace->counted = counters->io.bytes;
        trace->spent = darshan_spent(counters);
        trace->opening = counters->io.opening;
    }
    if (other->fault && !kept->fault)
        import_note(import, "%s: %s", other->where, other->fault);
    kept->order = counters->order < trace->order ? counters->order : trace->order;
    other->dropped = true;
}

static int darshan_compare_kinds(const void *a, const void *b)
{
    const struct darshan_log *x = a, *y = b;
    if (x->print != y->print)
        return x->print < y->print ? -1 : 1;
    if (x->is_trace != y->is_trace)
        return x->is_trace - y->is_trace;
    return (x->order > y->order) - (x->order < y->order);
}

static int darshan_compare_twins(const void *a, const void *b)
{
    const struct darshan_log *x = a, *y = b;
    if (x->print != y->print)
        return x->print < y->print ? -1 : 1;
    if (x->copy != y->copy)
        return x->copy < y->copy ? -1 : 1;
    return x->is_trace - y->is_trace;
}

static int darshan_compare_order(const void *a, const void *b)
{
    const struct darshan_log *x = a, *y = b;
    return (x->order > y->order) - (x->order < y->order);
}

/* Finds the two texts of each log; the second pair that looks the same is another log. */
static void darshan_pair_texts(struct import *import, struct darshan_log *logs, size_t count)
{
    qsort(logs, count, sizeof *logs, darshan_compare_kinds);
    for (size_t i = 1; i < count; i++)
        if (logs[i].print == logs[i - 1].print && logs[i].is_trace == logs[i - 1].is_trace) {
            logs[i].copy = logs[i - 1].copy + 1;
            import_note(import, "%s has a log that looks like one in %s: the same log counts twice",
                        logs[i].where, logs[i - 1].where);
        }
    qsort(logs, count, sizeof *logs, darshan_compare_twins);
    for (size_t i = 1; i < count; i++)
        if (logs[i].print == logs[i - 1].print && logs[i].copy == logs[i - 1].copy)
            darshan_choose_text(import, &logs[i - 1], &logs[i]);
    qsort(logs, count, sizeof *logs, darshan_compare_order);
}

/* Tells the import when the application that it has just added did its I/O, as far as is known. */
static int darshan_observe(struct import *import, const struct darshan_log *log)
{
    uint32_t app = (uint32_t)import->draft.count - 1;
    double start = log->app.release, seconds = darshan_spent(log);
    if (log->is_trace)
        return traced_observe(import, &log->way);
    if (!(log->io.bytes > 0 && seconds > 0))
        return 0;
    const struct observed_io io = {.app = app,
                                   .totals = true,
                                   .start = start,
                                   .end = start + fmax(log->run_time, seconds),
                                   .busy = seconds,
                                   .volume = log->io.bytes};
    return observed_add(&import->observed, io) != 0 ? err_memory(import->err) : 0;
}

static int darshan_add_application(struct import *import, struct darshan_log *log)
{
    bool usable = log->is_trace ? log->app.explicit_iterations != NULL : log->io.bytes > 0;
    if (log->fault && !(usable && import->options->lenient)) {
        err_set(import->err, "%s: %s", log->where, log->fault);
        return import->options->lenient ? import_skip(import) : import_leave_out(import);
    }
    if (log->fault)
        import_note(import, "%s: %s", log->where, log->fault);
    if (!log->is_trace)
        darshan_spread(import, log);
    else
        traced_note(import, &log->app, &log->way);
    if (log->counted > 0) {
        darshan_compare_volumes(import, log);
        darshan_compare_times(import, log);
    }
    import->draft.where = log->where;
    size_t before = import->draft.count;
    if (import_add(import, &log->app, 1) != 0)
        return -1;
    return import->draft.count > before ? darshan_observe(import, log) : 0;
}

/* Gives the applications that remain names of their own. */
static int darshan_name_applications(struct import *import, struct darshan_log *logs, size_t count)
{
    struct app_spec **apps = mem_alloc(count, sizeof(struct app_spec *));
    size_t kept = 0;
    if (!apps)
        return err_memory(import->err);
    for (size_t i = 0; i < count; i++)
        if (!logs[i].dropped)
            apps[kept++] = &logs[i].app;
    int status = import_number_names(import, apps, kept);
    free(apps);
    return status;
}

/* Lets runs that started at an unknown time start with the first one. */
static void darshan_place_runs(struct import *import, struct darshan_log *logs, size_t count)
{
    double earliest = INFINITY;
    for (size_t i = 0; i < count; i++)
        if (logs[i].app.release > 0)
            earliest = fmin(earliest, logs[i].app.release);
    for (size_t i = 0; i < count && isfinite(earliest); i++)
        if (logs[i].app.release <= 0 && !logs[i].dropped && !logs[i].fault) {
            logs[i].app.release = earliest;
            import_note(import,
                        "%s: the start of the run is unknown: it is assumed to be that of the "
                        "first run",
                        logs[i].app.name);
        }
}

/* --- jobs ------------------------------------------------------------------------------------ */

/* Gives an application what the batch system knows of its job. */
static int darshan_join(struct import *import, struct app_spec *app, const struct job_fact *fact)
{
    if (fact->nodes > 0)
        app->nodes = fact->nodes;
    if (import_own(import, app, PARTY_USER, fact->user) != 0)
        return -1;
    return import_own(import, app, PARTY_ACCOUNT, fact->account);
}

/* Joins the logs with the jobs of --sacct. */
static int darshan_join_jobs(struct import *import, struct darshan_log *logs, size_t count)
{
    const char *path = import->options->sacct;
    struct job_facts facts = {0};
    size_t all = 0, joined = 0;
    int status = job_facts_load(&facts, import, path);
    for (size_t i = 0; i < count && status == 0; i++) {
        struct app_spec *app = &logs[i].app;
        const char *id = app->extra ? app->extra->names[PARTY_JOB] : NULL;
        const struct job_fact *fact = id ? job_facts_find(&facts, id, app->release) : NULL;
        if (logs[i].dropped || logs[i].fault)
            continue;
        all++;
        joined += fact != NULL;
        status = fact ? darshan_join(import, app, fact) : 0;
    }
    if (status == 0)
        import_note(import, "%s has the jobs of %zu of %zu logs: their nodes, user and account%s",
                    path, joined, all,
                    joined < all ? "; the others have another id, or ran at another time" : "");
    job_facts_fini(&facts);
    return status;
}

static int darshan_finish(struct import *import)
{
    struct darshan_log *logs = import->kept.list;
    size_t count = import->kept.count;
    if (count == 0)
        return 0;
    for (size_t i = 0; i < count; i++)
        logs[i].order = i; /* files that were read at the same time counted their own */
    darshan_pair_texts(import, logs, count);
    int status = darshan_name_applications(import, logs, count);
    if (status == 0 && import->options->sacct)
        status = darshan_join_jobs(import, logs, count);
    if (status == 0)
        darshan_place_runs(import, logs, count);
    for (size_t i = 0; i < count && status == 0; i++)
        status = logs[i].dropped ? 0 : darshan_add_application(import, &logs[i]);
    return status;
}

const struct importer import_darshan = {
    .name = "darshan",
    .help = "logs of Darshan, or the text of darshan-parser or darshan-dxt-parser: an application "
            "per log",
    .uses = IMPORT_GAP | IMPORT_ITERATIONS | IMPORT_PROCS | IMPORT_JOBS,
    .measures = true,
    .rates = true,
    .dated = true,
    .read = darshan_read,
    .finish = darshan_finish,
};
